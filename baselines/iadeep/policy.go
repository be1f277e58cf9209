package iadeep

import (
	"tarry/baselines/colocate"
	"tarry/baselines/iadeep/history"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Policy is one IADeep. Build it with New; it belongs to one run.
type Policy struct {
	cfg     config
	queue   plan.Queue
	board   *colocate.Board
	limits  colocate.Limits
	table   *history.Table
	tunings []tuning
	tuned   []bool  // jobs whose batch is tuned
	closed  []int32 // tunings on each GPU
	wakes   plan.Alarm

	group  []sim.JobID // scratch
	models []string
	here   []string
	solo   []float64 // speed of each running job alone where it is, 0 = not asked yet
}

// New is IADeep. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{cfg: settings(s), board: colocate.NewBoard(rule), table: history.New()}
	p.table.Enough = p.cfg.enough
	return p, s.Err()
}

// Knows declares speeds and profiles.
func (p *Policy) Knows() know.Set { return know.Speed | know.Profile }

// Decide ends and continues trials, then starts what fits, in order of arrival.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if p.tuned == nil {
		p.tuned, p.closed, p.solo = make([]bool, v.NumJobs()), make([]int32, v.Topology().GPUs()),
			make([]float64, v.NumJobs())
	}
	p.follow(v)
	out = p.try(v, out)
	p.board.Begin(v)
	left := p.fill(v)
	out = p.board.Write(v, out)
	p.open(v)
	return p.wake(v, left && p.board.Again(), out)
}

// follow takes note of what happened.
func (p *Policy) follow(v *sim.View) {
	for _, ev := range v.Events() {
		if j := colocate.Waits(v, &ev); j != sim.NoJob && !p.queue.Has(j) {
			p.tuned[j], p.solo[j] = false, 0
			p.queue.Add(v, j, 0, float64(p.need(v, j)))
		}
	}
}

// need is the memory that a job asks for on each GPU.
func (p *Policy) need(v *sim.View, j sim.JobID) int32 {
	if n := v.Job(j).GPUMiB(); n > 0 || !p.cfg.alone {
		return n
	}
	return colocate.Unknown
}

// fill plans the starts and reports whether a job is left.
func (p *Policy) fill(v *sim.View) (left bool) {
	p.queue.Open()
	p.limits.Open()
	for p.queue.Len() > 0 {
		j := p.queue.Within(p.limits.Within)
		if j == sim.NoJob {
			break
		}
		d := p.queue.Demand(j)
		gpus, ok := p.place(v, j, d)
		if !ok {
			p.limits.Close(d, float64(p.need(v, j)))
			continue
		}
		p.board.Start(v, j, d, gpus, sim.Knobs{})
		p.queue.Remove(j)
	}
	return p.queue.Len() > 0
}

// wake asks for the end of the next trial, or for the next instant where GPUs given out now may get
// one more.
func (p *Policy) wake(v *sim.View, again bool, out []sim.Decision) []sim.Decision {
	at := sim.Never
	for i := range p.tunings {
		at = min(at, p.tunings[i].due)
	}
	if again && p.cfg.most > 1 {
		at = v.Now() + 1
	}
	return p.wakes.Set(v.Now(), at, out)
}
