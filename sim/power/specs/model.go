package specs

import (
	"errors"

	"tarry/sim/cluster"
	"tarry/sim/power"
)

// Model gives the machines of a cluster their specs, one for each GPU type. The error joins the types
// that have none.
func (r *Rule) Model(t *cluster.Topology) (*power.Model, error) {
	m := &power.Model{Of: make([]int32, t.Machines()), JobUtil: r.jobs}
	var errs []error
	for _, typ := range t.Types() {
		spec, err := r.of(typ)
		errs = append(errs, err)
		m.Specs = append(m.Specs, spec)
	}
	for i := range m.Of {
		m.Of[i] = int32(t.TypeOf(i))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return m, m.Validate(t.Machines())
}

// MaxW is what the machines of a cluster draw with all GPUs in full use at the nominal clock.
func MaxW(m *power.Model, t *cluster.Topology) float64 {
	sum := 0.0
	for i := range m.Of {
		lo, hi := t.MachineGPUs(i)
		sum += m.Spec(i).MaxW(int(hi - lo))
	}
	return sum
}
