// Package sets has the sets of GPUs on which agents start waiting jobs (tarry/Place-v0,
// tarry/Racks-v0).
//
// Reading guide. Starts finds the sets of a demand, takes them and measures them; crossing.go counts the
// jobs over several machines that a machine has, by which one of the sets is found.
package sets

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// N is how many sets a job has.
const N = 4

// The sets, in the order in which they are shown.
const (
	Packed    = iota // the finest level that holds the job, best fit
	Emptiest         // machines with most free GPUs first
	Fragments        // leftovers first
	Quiet            // machines first that the fewest jobs over several machines use
)

// Features describes the flags of a set in observations, in the order of the sets.
const Features = `packed  0, 1  flag  1 for the set at the finest level that holds the job
emptiest  0, 1  flag  1 for the set on machines with most free GPUs
fragments  0, 1  flag  1 for the set of leftovers
quiet  0, 1  flag  1 for the set on machines with the fewest jobs over several machines`

// Starts are the starts of an instant.
type Starts struct {
	// Crossing counts for each machine the jobs over several machines that use it and so meet on its
	// links, with the starts.
	Crossing []int32

	place *plan.Placer
	order []int32 // scratch: machines
	list  []sim.Decision
}

// New has no starts; Begin comes first.
func New() Starts { return Starts{place: plan.NewPlacer(cluster.BestFit)} }

// Begin takes in an instant, in which nothing starts yet.
func (s *Starts) Begin(v *sim.View) {
	s.place.Begin(v)
	s.list = s.list[:0]
	s.count(v)
}

// Find finds one of the sets of GPUs of a demand among the free ones, ascending, and takes none of them;
// false = there is none. Where one machine holds the demand, or it asks for a part of a GPU, Quiet is
// Packed.
func (s *Starts) Find(v *sim.View, d *plan.Demand, set int) (gpus []cluster.GPU, ok bool) {
	switch f := v.Free().Of(d.Type); {
	case set == Emptiest:
		gpus, ok = s.place.Emptiest(v, d)
	case set == Fragments:
		gpus, ok = s.place.Fragments(v, d)
	case set == Quiet && f != nil && d.ShareMilli == 1000 && f.Largest(cluster.LevelMachine) < int(d.GPUs):
		return s.Quietest(v, d)
	default:
		gpus, ok = s.place.Place(v, d)
	}
	return s.back(v, d, gpus, ok)
}

// Quietest finds free GPUs, shared with no job, on the machines with the fewest jobs over several
// machines, as Find does.
func (s *Starts) Quietest(v *sim.View, d *plan.Demand) ([]cluster.GPU, bool) {
	f := v.Free().Of(d.Type)
	if f == nil {
		return nil, false
	}
	gpus, ok := s.place.On(v, d, s.fewest(f)...)
	return s.back(v, d, gpus, ok)
}

// back frees GPUs that were taken.
func (s *Starts) back(v *sim.View, d *plan.Demand, gpus []cluster.GPU, ok bool) ([]cluster.GPU, bool) {
	if !ok {
		return nil, false
	}
	s.place.Return(v, d, gpus)
	return gpus, true
}

// Start starts a job of a demand on GPUs that Find gave.
func (s *Starts) Start(v *sim.View, j sim.JobID, d *plan.Demand, gpus []cluster.GPU) {
	s.place.Take(v, gpus, d)
	s.add(v.Topology(), gpus)
	s.list = append(s.list, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
}

// Idle reports whether no job runs, as things stand: then a job that can start must.
func (s *Starts) Idle(v *sim.View) bool {
	return len(s.list) == 0 && len(v.Running()) == 0 && v.Draining() == 0
}

// Finish gives the starts of the instant.
func (s *Starts) Finish(_ *sim.View, out []sim.Decision) []sim.Decision {
	return append(out, s.list...)
}

// CopyFrom makes s equal to another one between instants, in its own memory.
func (s *Starts) CopyFrom(o *Starts) {
	s.place.CopyFrom(o.place)
	s.list = s.list[:0]
}

// Counts are counts over the machines of a set.
type Counts struct {
	// Machines is how many they are, GPUs how many GPUs they have, Used how many of these are in use.
	Machines, GPUs, Used int
	// Crossing is the sum of Starts.Crossing.
	Crossing int32
}

// Count counts over the machines of GPUs (ascending).
func (s *Starts) Count(v *sim.View, gpus []cluster.GPU) (c Counts) {
	t, last := v.Topology(), -1
	for _, g := range gpus {
		m := t.Machine(g)
		if m == last {
			continue
		}
		lo, hi := t.MachineGPUs(m)
		last, c.Machines, c.GPUs = m, c.Machines+1, c.GPUs+int(hi-lo)
		c.Used += int(hi-lo) - v.Free().InMachine(m)
		c.Crossing += s.Crossing[m]
	}
	return c
}

// Speeds gives the speed that a job would have on GPUs now and without other jobs, as the speed model
// gives it.
func Speeds(v *sim.View, j sim.JobID, gpus []cluster.GPU) (now, alone sim.Speed) {
	return v.Predict(j, sim.Placement{GPUs: gpus, Fresh: true}), v.Predict(j, sim.Placement{GPUs: gpus, Idle: true})
}

// Span is the finest level that holds GPUs (ascending): a machine, a rack or the cluster.
func Span(t *cluster.Topology, gpus []cluster.GPU) cluster.Level {
	return max(t.LevelOf(gpus), cluster.LevelMachine)
}
