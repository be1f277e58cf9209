package measured

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/speed/byname"
)

// Scaling holds throughputs by model with its batch size, number of GPUs and GPU type. It does not
// change once read.
type Scaling struct {
	// Dir is the folder that it was read from.
	Dir string

	types  []string // lower case, ascending
	names  []string // of models with their batch sizes, as a job has them
	models map[string]int32
	counts []int     // numbers of GPUs, ascending
	perS   []float64 // [type][model][count] iterations per second; NaN = not measured
}

// Types lists the GPU types, in lower case.
func (t *Scaling) Types() []string { return t.types }

// Models lists the models with their batch sizes.
func (t *Scaling) Models() []string { return t.names }

// GPUs lists the numbers of GPUs that some row has, ascending.
func (t *Scaling) GPUs() []int { return t.counts }

// PerS is what a job of a model does in a second on a number of GPUs of a type. ok is false where
// it was not measured. Case does not count.
func (t *Scaling) PerS(model string, gpus int, typ string) (perS float64, ok bool) {
	m, known := t.models[strings.ToLower(model)]
	y, c := slices.Index(t.types, strings.ToLower(typ)), slices.Index(t.counts, gpus)
	if !known || y < 0 || c < 0 {
		return 0, false
	}
	v := t.row(int32(y), m)[c]
	return zero(v), !math.IsNaN(v)
}

// row is the row of a model on a type, by count.
func (t *Scaling) row(typ, model int32) []float64 {
	at := (int(typ)*len(t.names) + int(model)) * len(t.counts)
	return t.perS[at : at+len(t.counts)]
}

// ScalingOptions set how a ScalingModel reads its table. The zero value takes the largest measured
// count.
type ScalingOptions struct {
	// Untyped is the type of GPUs that the cluster gives none.
	Untyped string
	// Linear interpolates between two measured numbers of GPUs; else what more GPUs than a measured
	// number add is nothing.
	Linear bool
	// Model is the model that stands in for models that the table does not have; "" = such a model
	// is an error.
	Model string
}

// ScalingModel is the speed model elasticflow. It may be used by one run.
type ScalingModel struct {
	table   *Scaling
	opt     ScalingOptions
	topo    *cluster.Topology
	typeOf  []int32 // machine -> type
	untyped int32
	named   *byname.Finder
}

// NewScaling makes a model of a cluster. Every type of the cluster must be in the table.
func NewScaling(t *Scaling, topo *cluster.Topology, opt ScalingOptions) (*ScalingModel, error) {
	m := &ScalingModel{table: t, opt: opt, topo: topo, named: byname.New(t.Dir, "model", t.names, t.models),
		untyped: int32(slices.Index(t.types, strings.ToLower(opt.Untyped)))}
	known := strings.Join(t.types, ", ")
	var errs []error
	ofType := map[string]int32{}
	for _, name := range topo.Types() {
		typ := int32(slices.Index(t.types, strings.ToLower(name)))
		if name == "" {
			if typ = m.untyped; typ < 0 {
				errs = append(errs, fmt.Errorf("%s: GPUs without a type are of type %q, expected one of %s", t.Dir,
					opt.Untyped, known))
			}
		} else if typ < 0 {
			errs = append(errs, fmt.Errorf("%s: no throughput on the cluster's GPUs of type %q, expected types "+
				"among %s", t.Dir, name, known))
		}
		ofType[name] = typ
	}
	for i := range topo.Machines() {
		m.typeOf = append(m.typeOf, ofType[topo.Type(i)])
	}
	return m, errors.Join(append(errs, m.named.StandIn(opt.Model))...)
}

// Speed implements sim.SpeedModel.
func (m *ScalingModel) Speed(q *sim.Query) (sim.Speed, error) {
	id, err := m.named.Of(q.Job.Model, q.Job.ID)
	if err != nil {
		return sim.Speed{}, err
	}
	perS, frac, last := math.Inf(1), 1.0, int32(-1)
	for _, g := range q.GPUs {
		typ := m.typeOf[m.topo.Machine(g)]
		if typ == last {
			continue
		}
		last = typ
		v, each := m.at(typ, id, len(q.GPUs))
		if math.IsNaN(v) {
			return sim.Speed{}, fmt.Errorf("%s: no throughput of %q (job %q) on %d GPUs of type %s", m.table.Dir,
				m.table.names[id], q.Job.ID, len(q.GPUs), m.table.types[typ])
		}
		if v < perS { // of several types the slowest sets the pace
			if perS, frac = v, v/(each*float64(len(q.GPUs))); !(frac < 1) {
				frac = 1
			}
		}
	}
	step, err := m.step(id, q.Job)
	if err != nil {
		return sim.Speed{}, err
	}
	return q.Scaled(float64(perS*step), frac), nil
}

// Lacks is the error of a job whose model was not measured.
func (m *ScalingModel) Lacks(j *sim.Job) error {
	_, err := m.named.Of(j.Model, j.ID)
	return err
}

// at is the throughput on a number of GPUs, measured or by the rule between measured ones, and what
// each GPU does of the smallest number; NaN where there is none.
func (m *ScalingModel) at(typ, model int32, gpus int) (perS, each float64) {
	row, low := m.table.row(typ, model), -1
	each = row[0] / float64(m.table.counts[0])
	for c, n := range m.table.counts {
		v := row[c]
		if math.IsNaN(v) {
			continue
		}
		if n <= gpus {
			low = c
			continue
		}
		if low >= 0 && m.opt.Linear {
			from := m.table.counts[low]
			part := float64(gpus-from) / float64(n-from)
			return row[low] + float64(part*(v-row[low])), each
		}
		break
	}
	if low < 0 {
		return math.NaN(), each
	}
	return row[low], each
}

// step is the seconds of one iteration on a reference GPU.
func (m *ScalingModel) step(id int32, j *sim.Job) (float64, error) {
	switch {
	case j.IterS > 0:
		return j.IterS, nil
	case j.Iterations > 0:
		return j.Work.Seconds() / float64(j.Iterations), nil
	}
	if m.untyped >= 0 {
		if v, _ := m.at(m.untyped, id, 1); v > 0 {
			return 1 / v, nil
		}
	}
	return 0, fmt.Errorf("%s: job %q states no iterations, and %q has no throughput on one GPU of type %q", m.table.Dir,
		j.ID, m.table.names[id], m.opt.Untyped)
}
