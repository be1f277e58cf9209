package deepshare

import (
	"fmt"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/speed/byname"
)

// Floor is the least ratio of the authors' simulator.
const Floor = 0.35

// Options set how a table is read as speeds.
type Options struct {
	// Floor is the least ratio, in (0, 1]; 0 = Floor.
	Floor float64
	// Sticky keeps the least ratio of a job while it stays where it is.
	Sticky bool
	// Model stands in for the models of jobs that the table does not have; "" = they are errors.
	Model string
}

// Model is the sim.Coupled. It belongs to one run.
type Model struct {
	table *Table
	opt   Options
	topo  *cluster.Topology
	named *byname.Finder

	jobs    []placed      // by JobID
	on      [][]sim.JobID // machine -> jobs on several machines
	dirty   []sim.JobID   // whose neighbours changed
	scratch []int32       // machines of a query
}

// New makes a model of a cluster.
func New(t *Table, topo *cluster.Topology, opt Options) (*Model, error) {
	m := &Model{table: t, opt: opt, topo: topo, named: byname.New(t.Dir, "model", t.names, t.models),
		on: make([][]sim.JobID, topo.Machines())}
	if m.opt.Floor == 0 {
		m.opt.Floor = Floor
	}
	return m, m.named.StandIn(opt.Model)
}

// Speed implements sim.SpeedModel. A job that is not placed is asked as if it joined the jobs that
// are; one without an ID has the network to itself.
func (m *Model) Speed(q *sim.Query) (sim.Speed, error) {
	if len(q.GPUs) == 0 {
		return sim.Speed{ComputeFrac: 1}, nil
	}
	m.scratch = m.machines(m.scratch[:0], q.GPUs)
	id, err := m.shape(q, len(m.scratch))
	if err != nil {
		return sim.Speed{}, err
	}
	ratio := 1.0
	if q.ID >= 0 {
		var with int32
		if ratio, with = m.ratio(id, q.ID, m.scratch); with >= 0 {
			return sim.Speed{}, fmt.Errorf("%s: no ratio of %s beside %s (job %q)", m.table.Dir,
				m.table.text(m.table.shapes[id]), m.table.text(m.table.shapes[with]), q.Job.ID)
		}
		if p := m.placed(q.ID); m.opt.Sticky && p != nil && slices.Equal(p.machines, m.scratch) {
			ratio = min(ratio, p.least)
		}
	}
	perS, model := m.table.perS[id], m.table.shapes[id].model
	frac := min(1, perS/float64(m.table.one[model]*float64(len(q.GPUs))))
	return q.Scaled(float64(float64(perS*ratio)*m.step(model, q.Job)), float64(frac*ratio)), nil
}

// machines lists the machines of GPUs (ascending).
func (m *Model) machines(dst []int32, gpus []cluster.GPU) []int32 {
	for _, g := range gpus {
		if at := int32(m.topo.Machine(g)); len(dst) == 0 || dst[len(dst)-1] != at {
			dst = append(dst, at)
		}
	}
	return dst
}

// Lacks is the error of a job whose model was not measured.
func (m *Model) Lacks(j *sim.Job) error {
	_, err := m.named.Of(j.Model, j.ID)
	return err
}

// shape is what was measured of a job on so many machines.
func (m *Model) shape(q *sim.Query, machines int) (int32, error) {
	model, err := m.named.Of(q.Job.Model, q.Job.ID)
	if err != nil {
		return 0, err
	}
	id := m.table.shape(model, len(q.GPUs), machines)
	if id < 0 {
		return 0, fmt.Errorf("%s: no throughput of %q (job %q) on %d GPUs", m.table.Dir, m.table.names[model],
			q.Job.ID, len(q.GPUs))
	}
	return id, nil
}

// ratio is what a job keeps beside those on the same machines; with is the shape beside which
// nothing was measured, -1 = none.
func (m *Model) ratio(me int32, id sim.JobID, machines []int32) (ratio float64, with int32) {
	if len(machines) < 2 {
		return 1, -1
	}
	least := math.Inf(1)
	n := int32(len(m.table.shapes))
	for _, at := range machines {
		for _, x := range m.on[at] {
			if x == id {
				continue
			}
			r := m.table.ratio[me*n+m.jobs[x].shape]
			if math.IsNaN(r) {
				return r, m.jobs[x].shape
			}
			least = min(least, r)
		}
	}
	if math.IsInf(least, 1) {
		return 1, -1
	}
	return max(least, m.opt.Floor), -1
}

// step is the seconds of a sample on a reference GPU.
func (m *Model) step(model int32, j *sim.Job) float64 {
	switch {
	case j.IterS > 0:
		return j.IterS
	case j.Iterations > 0:
		return j.Work.Seconds() / float64(j.Iterations)
	}
	return 1 / m.table.one[model]
}
