package rollout

import (
	"math"

	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/law"
)

// stage is where the plays of a planner are held: a model of the run, the draws of work, and what
// was gained by whom.
type stage struct {
	cfg   Config
	began bool
	came  int      // jobs that came since the last comparison
	last  sim.Time // the last comparison
	plans int64
	spent int64 // instants played

	model    sim.Engine
	jobs     []sim.JobID // in the system
	work     []sim.Time  // by job
	gains    []gain      // by change
	instants int         // that may still be played
}

// gain is what a change gained.
type gain struct {
	// n is the number of samples; sum and square are of the gains in the sum of completion times,
	// microseconds.
	n           int
	sum, square float64
}

// lawOfJob gives the law of a job's run time.
type lawOfJob = func(sim.JobID) law.Law

// base stands for no change.
const base = -1

// compare plays the base and each of n changes on the same draws, and gives the change that is better by
// most and by enough; base where none is. of is the law of a job, play one play of a change.
func (s *stage) compare(v *sim.View, n int, of lawOfJob, play func(i int) (float64, error)) (int, error) {
	if s.work == nil {
		s.work = make([]sim.Time, v.NumJobs())
	}
	s.gains = append(s.gains[:0], make([]gain, n)...)
	s.instants = s.cfg.Instants
	defer func() { s.plans, s.spent = s.plans+1, s.spent+int64(s.cfg.Instants-s.instants) }()
	least := 1
	if !s.cfg.Exact {
		least = 2
	}
	for range max(least, s.cfg.Samples) {
		for _, j := range s.jobs {
			s.work[j] = s.workOf(v, j, of)
		}
		if err := s.sample(v, play); err != nil || v.Cancelled() {
			return base, err
		}
		if s.instants == 0 || s.cfg.Exact {
			break
		}
	}
	return s.best(least), nil
}

// sample plays the base and each change on one draw, as far as the bound of the comparison allows: a
// play that met it does not count, and the changes after it go without the draw.
func (s *stage) sample(v *sim.View, play func(i int) (float64, error)) error {
	was, err := play(base)
	for i := 0; i < len(s.gains) && err == nil && s.instants > 0 && !v.Cancelled(); i++ {
		now := 0.0
		if now, err = play(i); err == nil && s.instants > 0 {
			s.gains[i].gains(was - now)
		}
	}
	return err
}

// gains adds a sample. Where both last for ever it is one of no gain.
func (a *gain) gains(by float64) {
	if a.n++; !math.IsNaN(by) {
		a.sum, a.square = a.sum+by, a.square+float64(by*by)
	}
}

// best is the change with the largest mean gain among these that gained more than so many standard
// errors, on the least number of samples or more; base = none did.
func (s *stage) best(least int) int {
	best, most := base, 0.0
	for i := range s.gains {
		a := &s.gains[i]
		if a.n < least {
			continue
		}
		n := float64(a.n)
		mean, se := a.sum/n, 0.0
		if a.n > 1 {
			se = math.Sqrt(math.Max(0, a.square/n-float64(mean*mean)) / (n - 1))
		}
		if mean > most && mean > s.cfg.Errors*se {
			best, most = i, mean
		}
	}
	return best
}

// due reports whether an epoch has ended while jobs wait, and begins the next.
func (s *stage) due(v *sim.View) bool {
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			s.came++
		}
	}
	due := v.Now()-s.last >= s.cfg.Epoch || s.cfg.Arrivals > 0 && s.came >= s.cfg.Arrivals
	due = due && s.began && v.Waiting() > 0
	if s.began = true; due {
		s.last, s.came = v.Now(), 0
	}
	return due
}

// present lists the jobs in the system, ascending: these wait, run, or write a checkpoint.
func (s *stage) present(v *sim.View) {
	s.jobs = s.jobs[:0]
	for j := range sim.JobID(v.NumJobs()) {
		switch v.Run(j).State() {
		case sim.Waiting, sim.Running, sim.Draining:
			s.jobs = append(s.jobs, j)
		}
	}
}

// follow makes the model what the run is now, with the work that was drawn.
func (s *stage) follow(v *sim.View) error {
	return s.model.Follow(v, func(j sim.JobID) sim.Time { return s.work[j] })
}

// playOut plays a policy in the model to its end.
func (s *stage) playOut(p sim.Policy) (float64, error) {
	sum, took, err := s.model.PlayOut(p, s.instants)
	s.instants -= took
	return sum, err
}

// knows is what the plays read: the progress of jobs, and the speed of placements, which the model
// has; the true work only with Config.Exact.
func (s *stage) knows() know.Set {
	k := s.cfg.Reads | know.Done | know.Speed
	if s.cfg.Exact {
		k |= know.Work
	}
	return k
}

// Planned is the number of comparisons so far, and of the instants that they played.
func (s *stage) Planned() (comparisons, instants int64) { return s.plans, s.spent }

// copied gives a stage for a copy of the planner.
func (s *stage) copied() stage {
	c := stage{cfg: s.cfg, began: s.began, came: s.came, last: s.last, plans: s.plans, spent: s.spent}
	c.cfg.Draws = s.cfg.Draws.Clone()
	return c
}
