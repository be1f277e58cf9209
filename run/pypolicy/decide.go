package pypolicy

import (
	"fmt"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Words of a decision: its kind as in sim, its job, and what it has besides; its GPUs are the list,
// or chosen by a rule. Knobs begin at wordKnobs.
const (
	wordKind, wordJob, wordLease = 2, 3, 4
	wordAt, wordKey              = 5, 6
	wordCounter, wordBound       = 7, 8
	wordMachine, wordRule        = 9, 10
	wordCount                    = 11
	wordKnobs                    = 12
)

// knobs are the knobs of a request.
func knobs(w []int64) sim.Knobs {
	k := w[wordKnobs:]
	return sim.Knobs{ShareMilli: int32(k[0]), FreqFrac: real(k[1]), Batch: real(k[2]), AccumSteps: int32(k[3]),
		CPUMilli: int32(k[4]), MemMiB: int32(k[5]), GPUMiB: int32(k[6]), LinkWeight: real(k[7]),
		CopyFrac: real(k[8]), Instance: uint8(k[9]), Delay: sim.Time(k[10])}
}

// decide appends a decision. The kernel checks it when it is carried out; here it is checked as far
// as the plan needs it.
func (s *Session) decide(w []int64) (int, error) {
	d := sim.Decision{Kind: sim.DecisionKind(w[wordKind]), Job: sim.JobID(w[wordJob]), Lease: sim.Time(w[wordLease]),
		At: sim.Time(w[wordAt]), Key: int32(w[wordKey]), Counter: sim.Counter(w[wordCounter]),
		Bound: sim.Time(w[wordBound]), Machine: int32(w[wordMachine]), Knobs: knobs(w)}
	placed, err := true, error(nil)
	switch d.Kind {
	case sim.WakeAt:
		err = s.wake(&d)
		return s.decided(w, true), err
	case sim.PowerOff, sim.PowerOn:
		err = s.switched(&d)
		return s.decided(w, true), err
	case sim.Cordon, sim.Uncordon:
		if m := s.view.Topology().Machines(); d.Machine < 0 || int(d.Machine) >= m {
			return 0, fmt.Errorf("machine %d, expected 0..%d", d.Machine, m-1)
		}
		s.out = append(s.out, d)
		return s.decided(w, true), nil
	}
	if _, err := s.job(w[wordJob]); err != nil {
		return 0, err
	}
	switch d.Kind {
	case sim.Start, sim.Migrate, sim.Resize:
		if err = s.order.alone(false); err == nil {
			placed, err = s.grant(w, &d)
		}
	case sim.Preempt:
		if err = s.order.alone(false); err == nil {
			s.vacate(d.Job)
		}
	}
	if err != nil {
		return 0, err
	}
	if placed {
		s.out = append(s.out, d)
	}
	return s.decided(w, placed), nil
}

func (s *Session) decided(w []int64, placed bool) int {
	w[1], w[2], w[3] = 0, 0, int64(len(s.out)-s.first)
	if placed {
		w[2] = 1
	}
	return 4
}

// maxKey is the largest key of a timer, as in the kernel.
const maxKey = 1 << 10

// wake asks for a timer, unless it is set so already.
func (s *Session) wake(d *sim.Decision) error {
	if d.Key < 0 || d.Key > maxKey {
		return fmt.Errorf("key %d, expected 0..%d", d.Key, maxKey)
	}
	for int(d.Key) >= len(s.alarms) {
		s.alarms = append(s.alarms, plan.Alarm{Key: int32(len(s.alarms))})
	}
	s.out = s.alarms[d.Key].Set(s.view.Now(), d.At, s.out)
	return nil
}

// vacate plans as if a job had given its GPUs back, unless it writes a checkpoint first.
func (s *Session) vacate(j sim.JobID) {
	run := s.view.Run(j)
	if run.State() == sim.Running && run.CheckpointTime() == 0 {
		d := s.demand(j, 0, nil)
		s.placer().Vacate(s.view, j, &d)
	}
}

// grant gives a decision its GPUs and takes them in the plan. It reports whether there is a place.
func (s *Session) grant(w []int64, d *sim.Decision) (bool, error) {
	count := w[wordCount]
	held := s.view.Run(d.Job).Held()
	if d.Kind == sim.Migrate {
		count = int64(len(held))
	}
	p, of := s.placer(), s.demand(d.Job, count, &d.Knobs)
	if w[wordRule] == named {
		gpus, err := s.gpus(w)
		if err != nil {
			return false, err
		}
		d.GPUs, of.GPUs = gpus, int32(len(gpus))
	}
	own := of
	if d.Kind != sim.Start {
		own = s.demand(d.Job, int64(len(held)), nil)
		p.Give(s.view, held, &own)
	}
	ok := true
	if w[wordRule] == named {
		p.Take(s.view, d.GPUs, &of) // the kernel states what is wrong with them
		return true, nil
	}
	rule, err := put(w[wordRule])
	if err != nil {
		return false, err
	}
	var gpus []cluster.GPU
	if gpus, ok = p.Put(rule, s.view, d.Job, &of); ok && d.Kind != sim.Start && slices.Equal(gpus, held) {
		return false, nil // it has that place already
	}
	if !ok && d.Kind != sim.Start {
		p.Take(s.view, held, &own)
	}
	d.GPUs = gpus
	return ok, nil
}
