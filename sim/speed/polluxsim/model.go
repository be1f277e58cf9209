package polluxsim

import (
	"errors"
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/speed/byname"
)

// Options set how a table is read as speeds.
type Options struct {
	// ByMachine passes a job's machines in their order in the cluster; else machines with most of
	// its GPUs come first.
	ByMachine bool
	// Types gives GPU types a speed relative to the measured types; a type that is not listed
	// has 1.
	Types map[string]float64
	// Model stands in for the models of jobs that the table does not have; "" = they are errors.
	Model string
}

// Model is the sim.SpeedModel, a sim.Progressive. It belongs to one run.
type Model struct {
	table *Table
	opt   Options
	topo  *cluster.Topology
	clock []float64 // of each machine; nil = all 1
	named *byname.Finder
}

// New makes a model of a cluster.
func New(t *Table, topo *cluster.Topology, opt Options) (*Model, error) {
	m := &Model{table: t, opt: opt, topo: topo, named: byname.New(t.Dir, "application", t.Applications(), t.named)}
	if err := m.named.StandIn(opt.Model); err != nil {
		return nil, err
	}
	for i := 0; len(opt.Types) > 0 && i < topo.Machines(); i++ {
		v, ok := opt.Types[topo.Type(i)]
		if !ok {
			v = 1
		}
		m.clock = append(m.clock, v)
	}
	return m, nil
}

// Table is what the model reads.
func (m *Model) Table() *Table { return m.table }

// Lacks is the error of a job whose model was not measured.
func (m *Model) Lacks(j *sim.Job) error {
	_, err := m.named.Of(j.Model, j.ID)
	return err
}

// app is what was measured of a job's model.
func (m *Model) app(j *sim.Job) (*app, error) {
	at, err := m.named.Of(j.Model, j.ID)
	if err != nil {
		return nil, err
	}
	return &m.table.apps[at], nil
}

// state is a job on an allocation: how its batch is split, how long a micro-step takes, and which
// epoch it is in.
type state struct {
	app        *app
	split      split
	step, sync float64 // s
	epoch      int
	unit       float64 // s of a reference GPU that a unit of progress is
}

// state looks a job up.
func (m *Model) state(q *sim.Query, s *state) error {
	a, err := m.app(q.Job)
	if err != nil {
		return err
	}
	if len(q.GPUs) == 0 {
		return errors.New("no GPUs, expected at least one")
	}
	p, clock := m.place(q.GPUs)
	c, err := m.table.curve(a, &p)
	if err != nil {
		return err
	}
	s.app, s.unit = a, unit(a, q.Job)
	s.split = a.split(batch(a, q), min(p.gpus, gridGPUs), int(q.AccumSteps))
	s.step, s.sync = c.at(float64(s.split.local))
	if q.FreqFrac > 0 {
		clock *= q.FreqFrac
	}
	if clock != 1 {
		s.step = s.sync + (s.step-s.sync)/clock
	}
	s.epoch = a.epoch(q.Done / 1e6 / s.unit)
	return nil
}

// place gives the machines of an allocation in the order of its ring, and the speed of the slowest
// GPU's type.
func (m *Model) place(gpus []cluster.GPU) (p place, clock float64) {
	clock = 1
	for i := 0; i < len(gpus); {
		lo, at := i, m.topo.Machine(gpus[i])
		for ; i < len(gpus) && m.topo.Machine(gpus[i]) == at; i++ {
		}
		p.add(i - lo)
		if m.clock != nil && (lo == 0 || m.clock[at] < clock) {
			clock = m.clock[at]
		}
	}
	if !m.opt.ByMachine {
		p.sort()
	}
	return p, clock
}

// batch is the samples of an update that a job asks for.
func batch(a *app, q *sim.Query) float64 {
	b := float64(q.Job.BatchSize)
	if b == 0 {
		b = float64(a.initial)
	}
	if q.Batch > 0 && q.Batch != 1 {
		b = max(1, math.Round(b*q.Batch))
	}
	return b
}

// unit is the seconds of a step at the initial batch size on one GPU, as the trace has it or as it
// was measured.
func unit(a *app, j *sim.Job) float64 {
	switch {
	case j.IterS > 0:
		return j.IterS
	case j.Iterations > 0:
		return j.Work.Seconds() / float64(j.Iterations)
	}
	step, _ := a.rings[1].at(float64(min(a.initial, a.maxLocal)))
	return step
}

// Speed implements sim.SpeedModel.
func (m *Model) Speed(q *sim.Query) (sim.Speed, error) {
	var s state
	if err := m.state(q, &s); err != nil {
		return sim.Speed{}, err
	}
	b := float64(s.split.batch)
	sqr, variance := s.app.noise(b, s.epoch)
	total := s.step + float64(float64(s.split.accum)*(s.step-s.sync))
	goodput := gain(sqr, variance, float64(s.app.initial), b) / total
	if q.ShareMilli > 0 && q.ShareMilli < 1000 {
		goodput *= float64(q.ShareMilli) / 1000
	}
	return sim.Speed{Rate: goodput * s.unit, ComputeFrac: 1 - s.sync/total}, nil
}

// Mark implements sim.Progressive: the end of the present epoch. The last epoch ends with the job.
func (m *Model) Mark(q *sim.Query) float64 {
	a, err := m.app(q.Job)
	if err != nil {
		return math.Inf(1)
	}
	u := unit(a, q.Job)
	if e := a.epoch(q.Done / 1e6 / u); e < a.epochs-1 {
		return a.ends[e] * u * 1e6
	}
	return math.Inf(1)
}

// Telemetry implements sim.Progressive. ItersLeft counts from the end of the present epoch on, and
// is 1 in the last.
func (m *Model) Telemetry(q *sim.Query, t *sim.Telemetry) bool {
	var s state
	if m.state(q, &s) != nil {
		return false
	}
	a := s.app
	*t = sim.Telemetry{StepS: s.step, SyncS: s.sync, LocalBatch: int32(s.split.local),
		AccumSteps: int32(s.split.accum + 1), Batch: int32(s.split.batch),
		Epoch: int32(min(s.epoch, a.epochs)), Epochs: int32(a.epochs), ItersLeft: 1, Loss: math.NaN()}
	t.GradSqr, t.GradVar = a.noise(float64(s.split.batch), s.epoch)
	if s.epoch < a.epochs-1 {
		own := float64(q.Job.BatchSize)
		if own == 0 {
			own = float64(a.initial)
		}
		t.ItersLeft = a.iterations(own, a.epochs-1) - a.iterations(own, s.epoch)
	}
	return true
}

// Batches implements sim.Progressive. An application whose step times on several machines are not
// in the grid keeps its batch.
func (m *Model) Batches(j *sim.Job) sim.BatchLimits {
	a, err := m.app(j)
	if err != nil {
		return sim.BatchLimits{}
	}
	if a.grid == nil {
		return sim.BatchLimits{Initial: a.most, Max: a.most, MinLocal: a.most, MaxLocal: a.most}
	}
	return sim.BatchLimits{Initial: a.initial, Max: a.most, MinLocal: a.minLocal, MaxLocal: a.maxLocal}
}
