package horus

import (
	"slices"

	"tarry/internal/fixmath"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/rng"
)

// guess is what is predicted of a job.
type guess struct {
	drawn    bool
	mib, use float64 // factors of its memory and utilisation
}

// Policy is Horus.
type Policy struct {
	cfg     config
	draws   *rng.Stream // of prediction errors; nil where there are none
	place   *plan.Placer
	demand  plan.Queue  // only for demands
	line    []sim.JobID // jobs that wait, by submission
	guesses []guess
	gpus    gpus
	plans   plans
}

// New gives Horus, Yeung et al., IEEE TPDS 33, 2022. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p := &Policy{cfg: settings(s), place: plan.NewPlacer(rule)}
	if p.cfg.err > 0 {
		p.draws = rng.Source{Seed: p.cfg.seed, Experiment: "horus"}.Stream("predictions")
	}
	return p, s.Err()
}

// Knows implements sim.Policy.
func (p *Policy) Knows() know.Set { return know.Profile }

// Decide implements sim.Policy.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for len(p.guesses) < v.NumJobs() {
		p.guesses = append(p.guesses, guess{mib: 1, use: 1})
	}
	p.follow(v)
	out = plan.RaiseShares(v, out)
	if len(p.line) == 0 {
		return out
	}
	p.place.Begin(v)
	p.look(v)
	for {
		at := p.first(v)
		if at < 0 {
			return out
		}
		j := p.line[at]
		p.line = slices.Delete(p.line, at, at+1)
		p.book(v, j, p.plans.best)
		out = plan.Join(v, out, j, p.place.Given(v, p.demand.Demand(j), p.plans.best))
	}
}

// follow takes in the jobs that wait.
func (p *Policy) follow(v *sim.View) {
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Arrive, sim.Drained, sim.Fail, sim.OutOfMemory:
			if ev.Job == sim.NoJob || v.Run(ev.Job).State() != sim.Waiting {
				continue
			}
			at, found := slices.BinarySearch(p.line, ev.Job)
			if found {
				continue
			}
			p.demand.Note(v, ev.Job)
			p.line = slices.Insert(p.line, at, ev.Job)
			if g := &p.guesses[ev.Job]; p.draws != nil && !g.drawn {
				*g = guess{true, fixmath.Exp(p.cfg.err * p.draws.NormFloat64()),
					fixmath.Exp(p.cfg.err * p.draws.NormFloat64())}
			}
		}
	}
}

// first is the place in the queue of the first of the next jobs for which there are GPUs, which are
// then in plans.best; -1 = of none.
func (p *Policy) first(v *sim.View) int {
	for i, j := range p.line[:min(len(p.line), p.cfg.ahead)] {
		if p.find(v, j) {
			return i
		}
	}
	return -1
}

// memory is what a job is taken to need of each GPU, in MiB; once it has run it is known.
func (p *Policy) memory(v *sim.View, j sim.JobID) float64 {
	if v.Run(j).Started() != sim.Never {
		return float64(v.Job(j).GPUMiB())
	}
	return float64(float64(v.Job(j).GPUMiB()) * p.guesses[j].mib)
}

// busy is the part of a GPU that a job is taken to keep busy.
func (p *Policy) busy(v *sim.View, j sim.JobID) float64 {
	u := v.Job(j).GPUUtilFrac()
	if u == 0 {
		return p.cfg.util
	}
	if v.Run(j).Started() == sim.Never {
		u = min(1, float64(u*p.guesses[j].use))
	}
	return u
}
