package schedtune

import (
	"slices"

	"tarry/baselines/colocate"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/rng"
)

// Policy is one SchedTune. Build it with New; it belongs to one run.
type Policy struct {
	cfg   config
	draws *rng.Stream // errors of predictions
	queue plan.Queue
	board *colocate.Board
	need  []int32 // predicted memory by job
	outs  []uint8 // how often a job ran out of memory, up to 5
	later []due   // jobs that wait to be started again
	wakes plan.Alarm

	limits colocate.Limits // of a decision
	sizes  []size
	chosen choice
	one    [1]cluster.GPU
}

// due is a job that joins the queue again at some time.
type due struct {
	job sim.JobID
	at  sim.Time
}

// New is SchedTune. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	c := settings(s)
	return &Policy{cfg: c, draws: rng.Source{Seed: c.seed, Experiment: "schedtune"}.Stream("memory"),
		board: colocate.NewBoard(rule)}, s.Err()
}

// Knows declares speeds and profiles.
func (p *Policy) Knows() know.Set { return know.Speed | know.Profile }

// Decide starts what fits, in order of arrival.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.need == nil {
		p.need, p.outs = make([]int32, v.NumJobs()), make([]uint8, v.NumJobs())
	}
	p.follow(v)
	p.board.Begin(v)
	left := p.fill(v)
	out = p.board.Write(v, out)
	return p.wake(v, left && p.board.Again(), out)
}

// follow takes note of what happened.
func (p *Policy) follow(v *sim.View) {
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive, sim.Fail, sim.Drained:
			if j := colocate.Waits(v, &ev); j != sim.NoJob && !p.queue.Has(j) {
				if ev.Kind == sim.Arrive {
					p.need[j] = p.predict(v, j)
				}
				p.join(v, j)
			}
		case sim.OutOfMemory:
			p.need[ev.Job] = v.Job(ev.Job).GPUMiB()
			p.later = append(p.later, due{ev.Job, v.Now() + p.cfg.backoff*sim.Time(min(30, 1<<p.outs[ev.Job]))})
			p.outs[ev.Job] = min(p.outs[ev.Job]+1, 5)
		}
	}
	p.later = slices.DeleteFunc(p.later, func(x due) bool {
		ready := x.at <= v.Now()
		if ready {
			p.join(v, x.job)
		}
		return ready
	})
}

func (p *Policy) join(v *sim.View, j sim.JobID) {
	p.queue.Add(v, j, 0, p.weight(j))
}

// weight is the memory of a job where that counts.
func (p *Policy) weight(j sim.JobID) float64 {
	if !p.cfg.avoid {
		return 0
	}
	return float64(p.need[j])
}

// fill plans the starts and reports whether a job is left.
func (p *Policy) fill(v *sim.View) (left bool) {
	p.limits.Open()
	p.queue.Open()
	for p.queue.Len() > 0 {
		j := p.queue.Within(p.limits.Within)
		if j == sim.NoJob {
			break
		}
		if gpus, ok := p.place(v, j); ok {
			p.board.Start(v, j, p.queue.Demand(j), gpus, sim.Knobs{})
			p.queue.Remove(j)
			continue
		}
		p.limits.Close(p.queue.Demand(j), p.weight(j))
		if p.cfg.block {
			break
		}
	}
	return p.queue.Len() > 0
}

// wake asks for the next instant at which a job joins the queue again, or at which GPUs given out
// now may get one more.
func (p *Policy) wake(v *sim.View, again bool, out []sim.Decision) []sim.Decision {
	at := sim.Never
	for _, x := range p.later {
		at = min(at, x.at)
	}
	if again && p.cfg.most > 1 {
		at = v.Now() + 1
	}
	return p.wakes.Set(v.Now(), at, out)
}
