package preempt

import (
	"slices"

	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/know"
	"tarry/sim/plan"
	"tarry/sim/plan/victim"
)

// sets is the scheduler of version 2: the agent chooses a set of victims, one by one, which go
// together once their GPUs and the free ones hold the blocked job; or waits for a checkpoint.
type sets struct {
	scheduler
	chosen []int      // places in the list
	lacks  int        // GPUs that the blocked job needs beyond the free, coming and chosen ones
	until  sim.Time   // the checkpoint that the agent waits for
	alarm  plan.Alarm // for it
	rule   victim.Choice
	change sim.Change // scratch, as the job
	job    sim.Job
}

// waitKey is the timer of a wait; base policies have the first ones.
const waitKey = 7

func newSets(c *Config) *sets {
	s := &sets{scheduler: *newScheduler(c), alarm: plan.Alarm{Key: waitKey}}
	if !slices.Contains(c.Hide, "predicted") && c.predicts() {
		s.knows |= c.Declares(know.Estimate)
	}
	return s
}

// predicts reports whether some window has a predictor.
func (c *Config) predicts() bool {
	return c.Predictor != nil || slices.ContainsFunc(c.Regimes, func(r schedenv.Config) bool { return r.Predictor != nil })
}

// Begin takes in an instant.
func (s *sets) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	s.alarm.Rung(v.Now())
	s.chosen = s.chosen[:0]
	return s.scheduler.Begin(v, out)
}

// Ask holds the contest and looks for a blocked job that lacks GPUs, and candidates with enough.
func (s *sets) Ask(v *sim.View) bool {
	if len(s.chosen) > 0 {
		return true
	}
	if !s.held {
		s.policy.Contest(v)
		s.held = true
	}
	if !s.asks || s.gone >= s.victims {
		return false
	}
	j, ok := s.policy.Blocked()
	if !ok {
		return false
	}
	f := v.Free().Of(v.Job(j).GPUType())
	if f == nil {
		return false
	}
	s.blocked, s.lacks = j, v.Job(j).GPUs()-f.Total()-max(0, s.coming)
	if s.lacks <= 0 || s.list.choose(v, &s.scheduler) == 0 {
		return false
	}
	there := 0
	for i := range s.list.jobs {
		there += s.use(v, i)
	}
	if there < s.lacks {
		return false
	}
	s.next = v.Now() + s.every
	return true
}

// use is how many GPUs of a candidate the blocked job can use.
func (s *sets) use(v *sim.View, i int) int {
	held, typ, t := v.Run(s.list.jobs[i].id).Held(), v.Job(s.blocked).GPUType(), v.Topology()
	if typ == "" || len(t.Types()) < 2 {
		return len(held)
	}
	n := 0
	for _, g := range held {
		if t.Type(t.Machine(g)) == typ {
			n++
		}
	}
	return n
}

// Answer adds a candidate to the set, waits for the checkpoint of one, or leaves it at that. nil is
// the base policy, which never evicts.
func (s *sets) Answer(v *sim.View, action []float64) {
	if action == nil || action[0] == 0 {
		s.chosen, s.asks = s.chosen[:0], false
		return
	}
	i := int(action[0]) - 1
	if i >= s.list.most {
		s.until = v.Run(s.list.jobs[i-s.list.most].id).NextCheckpoint()
		s.next, s.asks = s.until, false
		return
	}
	s.chosen = append(s.chosen, i)
	if s.lacks -= s.use(v, i); s.lacks > 0 {
		return
	}
	for _, k := range s.chosen {
		j := s.list.jobs[k].id
		if v.Run(j).CheckpointTime() > 0 {
			s.coming += len(v.Run(j).Held())
		}
		s.policy.Evict(v, j)
	}
	s.gone += len(s.chosen)
	s.chosen, s.held = s.chosen[:0], false
}

// Finish gives the base policy's decisions, and wakes at the checkpoint that is waited for.
func (s *sets) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	at := sim.Never
	if s.until > v.Now() {
		at = s.until
	}
	return s.alarm.Set(v.Now(), at, s.scheduler.Finish(v, out))
}

// Follow names the rule whose choices are demonstrated, or a baseline that never evicts between
// leases.
func (s *sets) Follow(baseline string) error {
	rules := victim.Names()[1:]
	if k := slices.Index(rules, baseline); k >= 0 {
		s.rule = victim.Choice(k + 1)
		return nil
	}
	s.rule = victim.OneByOne
	_, err := s.cfg.CheckBaseline(baseline, rules...)
	return err
}

// Demonstrate adds the candidate that the rule takes next, of the candidates later in the order
// than the blocked job by more than Config.Margin, if these have the GPUs that it lacks; else none.
func (s *sets) Demonstrate(v *sim.View, action []float64) {
	action[0] = 0
	if s.rule == victim.OneByOne {
		return
	}
	own, there, best, least := s.policy.Order(v, s.blocked), 0, -1, 0.0
	for i, c := range s.list.jobs {
		use := s.use(v, i)
		if c.key <= own || c.key <= own+s.cfg.Margin || use == 0 || slices.Contains(s.chosen, i) {
			continue
		}
		there += use
		if x := s.rule.Score(v, c.id, c.key, use, s.lacks); best < 0 || x < least { // listed last in the order first
			best, least = i, x
		}
	}
	if there < s.lacks {
		return
	}
	action[0] = float64(best + 1)
	if len(s.chosen) == 0 && victim.Waits(v, s.list.jobs[best].id, s.cfg.WaitCheckpoint) {
		action[0] += float64(s.list.most)
	}
}

// Clone gives an independent copy.
func (s *sets) Clone() schedenv.Scheduler {
	c := new(sets)
	c.CopyFrom(s)
	return c
}

// CopyFrom makes s equal to another one, in its own memory.
func (s *sets) CopyFrom(other schedenv.Scheduler) {
	o, old, chosen := other.(*sets), s.scheduler, s.chosen
	*s = *o
	s.scheduler = old
	s.scheduler.CopyFrom(&o.scheduler)
	s.chosen = append(chosen[:0], o.chosen...)
}
