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

// Options set how a table is read as speeds.
type Options struct {
	// Spread takes the steps of GPUs spread over servers for an allocation on several machines.
	Spread bool
	// Untyped is the type that GPUs without a type are, and of which one GPU is the reference.
	Untyped string
	// Unfit is the rate of a job alone on GPUs that it does not fit, as a part of what it does on
	// one of the reference type; 0 = it stands still.
	Unfit float64
	// Model stands in for the models of jobs that the table does not have; "" = they are errors.
	Model string
}

// Model is the sim.SpeedModel. It belongs to one run.
type Model struct {
	table   *Table
	opt     Options
	topo    *cluster.Topology
	typeOf  []int32 // machine -> type
	untyped int32
	named   *byname.Finder
}

// New makes a model of a cluster. Every type of the cluster must be in the table.
func New(t *Table, topo *cluster.Topology, opt Options) (*Model, error) {
	m := &Model{table: t, opt: opt, topo: topo, untyped: t.ofType(opt.Untyped),
		named: byname.New(t.Dir, "model", t.names, t.models)}
	var errs []error
	known := strings.Join(t.Types(), ", ")
	ofType := map[string]int32{}
	for _, name := range topo.Types() {
		typ := t.ofType(name)
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

// Table is what the model reads.
func (m *Model) Table() *Table { return m.table }

// Speed implements sim.SpeedModel. A job that does not fit has rate 0.
func (m *Model) Speed(q *sim.Query) (sim.Speed, error) {
	id, err := m.named.Of(q.Job.Model, q.Job.ID)
	if err != nil {
		return sim.Speed{}, err
	}
	beside := int32(-1)
	if len(q.Peers) > 0 && m.table.pairs != nil {
		p := &q.Peers[0]
		if len(q.Peers) > 1 || !slices.Equal(p.GPUs, q.GPUs) { // pairs alone were measured, on the same GPUs
			return sim.Speed{ComputeFrac: 1}, nil
		}
		if beside, err = m.named.Of(p.Job.Model, p.Job.ID); err != nil {
			return sim.Speed{}, err
		}
	}
	perS, frac, err := m.steps(id, beside, q)
	if err != nil {
		return sim.Speed{}, err
	}
	step, err := m.step(id, q.Job)
	if err != nil {
		return sim.Speed{}, err
	}
	if perS == 0 && beside < 0 && m.opt.Unfit > 0 {
		if perS = float64(m.opt.Unfit * m.reference(id)); perS == 0 {
			return sim.Speed{}, fmt.Errorf("%s: %q (job %q) does not fit, and has no throughput on one GPU of type "+
				"%q of which to take a part", m.table.Dir, m.table.names[id], q.Job.ID, m.opt.Untyped)
		}
	}
	k := q.Knobs
	if beside >= 0 {
		k.ShareMilli = 0 // what was measured beside another job holds whatever the shares
	}
	return k.Scaled(float64(perS*step), frac), nil
}

// Lacks is the error of a job whose model was not measured.
func (m *Model) Lacks(j *sim.Job) error {
	_, err := m.named.Of(j.Model, j.ID)
	return err
}

// steps is the throughput, beside a job of another model if that is >= 0, and the compute fraction:
// of the slowest type.
func (m *Model) steps(id, beside int32, q *sim.Query) (perS, frac float64, err error) {
	t := m.table
	count := t.ofCount(len(q.GPUs))
	if count < 0 {
		return 0, 0, fmt.Errorf("%s: no throughput of %q (job %q) on %d GPUs, expected one of %v", t.Dir, t.names[id],
			q.Job.ID, len(q.GPUs), t.counts)
	}
	perS = math.Inf(1)
	last := int32(-1)
	spans := m.topo.Machine(q.GPUs[0]) != m.topo.Machine(q.GPUs[len(q.GPUs)-1])
	for _, g := range q.GPUs {
		typ := m.typeOf[m.topo.Machine(g)]
		if typ == last {
			continue
		}
		last = typ
		if m.opt.Spread && spans && t.spread[typ] >= 0 {
			typ = t.spread[typ]
		}
		v := t.cell(id, beside, count, typ)
		if math.IsNaN(v) {
			return 0, 0, m.missing(id, beside, typ, q)
		}
		if v < perS {
			perS, frac = v, m.fraction(id, v, len(q.GPUs), last)
		}
	}
	return perS, frac, nil
}

// missing is the error of what was not measured.
func (m *Model) missing(id, beside, typ int32, q *sim.Query) error {
	t, with := m.table, ""
	if beside >= 0 {
		with = fmt.Sprintf(" beside %q", t.names[beside])
	}
	return fmt.Errorf("%s: no throughput of %q (job %q)%s on %d GPUs of type %s", t.Dir, t.names[id], q.Job.ID, with,
		len(q.GPUs), t.types[typ])
}

// fraction is what is left of g times the throughput on one GPU.
func (m *Model) fraction(id int32, perS float64, gpus int, typ int32) float64 {
	one := m.table.ofCount(1)
	if one < 0 || gpus == 1 {
		return 1
	}
	most := m.table.alone[m.table.at(id, one, typ)] * float64(gpus)
	if !(most > perS) || perS == 0 {
		return 1
	}
	return perS / most
}

// step is the seconds of one step on a reference GPU.
func (m *Model) step(id int32, j *sim.Job) (float64, error) {
	switch {
	case j.IterS > 0:
		return j.IterS, nil
	case j.Iterations > 0:
		return j.Work.Seconds() / float64(j.Iterations), nil
	}
	if v := m.reference(id); v > 0 {
		return 1 / v, nil
	}
	return 0, fmt.Errorf("%s: job %q states no iterations, and %q has no throughput on one GPU of type %q", m.table.Dir,
		j.ID, m.table.names[id], m.opt.Untyped)
}

// reference is the throughput on one GPU of the reference type; 0 where it was not measured.
func (m *Model) reference(id int32) float64 {
	one := m.table.ofCount(1)
	if one < 0 || m.untyped < 0 {
		return 0
	}
	return zero(m.table.alone[m.table.at(id, one, m.untyped)])
}
