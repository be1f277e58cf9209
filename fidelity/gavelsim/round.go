package gavelsim

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// choose picks the round's rows.
func (p *Policy) choose(v *sim.View) {
	p.turns = p.turns[:0]
	p.book.Rounds().Open()
	for _, c := range p.ordered(v.Topology().Types(), p.calls) {
		p.turns, _ = p.book.Rounds().Pick(c, p.book.Usable(c), p.book.Pace().Fill, p.turns)
	}
	p.calls++
}

// run finds out what each does: whole steps, as many as the round has time for.
func (p *Policy) run(v *sim.View) {
	for _, t := range p.turns {
		if !t.Known && p.habits.late {
			continue
		}
		rate, left := p.book.Rate(t.Job, int(t.Type)), p.book.Left(t.Job)
		steps := rate * p.book.Pace().RoundS
		if p.habits.whole {
			steps = math.Trunc(steps)
		}
		s := stint{job: t.Job, col: t.Type, steps: min(steps, left)}
		s.finish = p.now + s.steps/rate
		s.ends = s.steps == left
		if p.habits.split {
			s.fails = s.steps == 0 || t.GPUs > 1 && s.steps < float64(t.GPUs)
			s.ends = s.ends && !s.fails
		}
		p.runs = append(p.runs, s)
	}
	p.wake = sim.Never
	if len(p.runs) > 0 {
		end := p.now + p.book.Pace().RoundS
		if p.habits.last {
			end = 0
			for i := range p.runs {
				end = max(end, p.runs[i].finish)
			}
		}
		p.until, p.wake = end, max(sim.Seconds(end), v.Now()+1)
	}
}

// write gives the round's jobs their GPUs: the GPUs of the last round where they can stay, else the
// widest job first. Each waits at first, so that at the end of the round it has done its
// steps and no more, and one that ends in it ends when it should.
func (p *Policy) write(v *sim.View, out []sim.Decision) []sim.Decision {
	p.place.Begin(v)
	for _, j := range v.Running() {
		if v.Run(j).CheckpointTime() == 0 {
			p.place.Vacate(v, j, p.demandOf(v, j))
		}
		out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
	}
	slices.SortFunc(p.runs, func(a, b stint) int {
		if c := cmp.Compare(p.book.Demand(b.job).GPUs, p.book.Demand(a.job).GPUs); c != 0 {
			return c
		}
		return cmp.Compare(a.job, b.job)
	})
	for i := range p.runs {
		s := &p.runs[i]
		held := v.Run(s.job).Held()
		if s.idle = true; s.fails || v.Run(s.job).State() == sim.Draining ||
			len(held) > 0 && v.Run(s.job).CheckpointTime() > 0 {
			continue
		}
		if len(held) > 0 && p.book.Column(v.Topology(), v.Topology().Machine(held[0])) == int(s.col) &&
			p.place.Stay(v, held, p.book.Demand(s.job)) {
			out = append(out, p.enter(v, s, held))
		}
	}
	types, _ := p.book.Types()
	for i := range p.runs {
		s := &p.runs[i]
		if !s.idle || s.fails || v.Run(s.job).State() == sim.Draining || v.Run(s.job).State() == sim.Running &&
			v.Run(s.job).CheckpointTime() > 0 {
			continue
		}
		if gpus, ok := p.place.OfType(v, types[s.col], p.book.Demand(s.job)); ok {
			out = append(out, p.enter(v, s, gpus))
		}
	}
	return out
}

// enter gives a job GPUs with the pause that makes it do its steps exactly.
func (p *Policy) enter(v *sim.View, s *stint, gpus []cluster.GPU) sim.Decision {
	s.idle = false
	d := sim.Decision{Kind: sim.Start, Job: s.job, GPUs: gpus}
	rate := v.Predict(s.job, sim.Placement{GPUs: gpus, Alone: true}).Rate
	if rate <= 0 {
		return d
	}
	work, end, more := v.Run(s.job).Left(), sim.Seconds(s.finish), sim.Time(0)
	if !s.ends {
		work -= float64(float64((p.book.Left(s.job)-s.steps)*p.book.StepS(s.job)) * 1e6)
		end, more = p.wake, ahead
	}
	if work < float64(float64(sim.Seconds(p.book.Pace().RoundS))*rate)*2 { // else it lags by more than a round
		d.Delay = max(0, end-v.Now()-more-sim.Time(math.Ceil(work/rate-1e-3)))
	}
	return d
}

// demandOf is a running job's demand, which need not be active any more.
func (p *Policy) demandOf(v *sim.View, j sim.JobID) *plan.Demand {
	if p.book.Rounds().Row(j) >= 0 {
		return p.book.Demand(j)
	}
	k := v.Job(j).Public()
	p.gone = plan.Demand{GPUs: k.GPUs, ShareMilli: max(k.ShareMilli, 1), CPUMilli: k.CPUMilli, MemMiB: k.MemMiB}
	if k.ShareMilli == 0 {
		p.gone.ShareMilli = 1000
	}
	return &p.gone
}
