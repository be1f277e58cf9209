package themis

import (
	"cmp"
	"slices"

	"tarry/baselines/themis/auction"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/rng"
)

// Policy is one Themis scheduler. Build it with New; it belongs to one run.
type Policy struct {
	cfg     config
	book    book
	sizer   *plan.Sizer
	curves  plan.Curves
	classes classes
	market  auction.Auction
	draws   *rng.Stream
	won     []int32 // by job: what it is to have, 0 outside Decide
	// Of a decision:
	offer   offer
	order   []ranked
	apps    []bidder
	parts   []part
	able    []int32
	outside []int32
	bids    [][]float64
	values  []float64
	ends    []int
	speeds  []float64
	choice  []int32
	gains   []gain
	counts  []plan.Count
}

// New is Themis. Parameters: Params.
func New(s *param.Set, rule cluster.Rule) (sim.Policy, error) { return NewBy(Bids{})(s, rule) }

// NewBy gives the maker of Themis in which apps bid in another way.
func NewBy(bids Bids) func(*param.Set, cluster.Rule) (sim.Policy, error) {
	return func(s *param.Set, rule cluster.Rule) (sim.Policy, error) { return build(s, rule, bids) }
}

func build(s *param.Set, rule cluster.Rule, bids Bids) (sim.Policy, error) {
	p := &Policy{cfg: newConfig(s, bids), sizer: plan.NewSizer(rule), book: book{byName: map[string]int32{}}}
	if p.cfg.packed {
		p.sizer.Moves = plan.MovePacked
	}
	p.draws = rng.Source{Seed: p.cfg.seed, Experiment: "themis"}.Stream("left-overs")
	return p, s.Err()
}

// Knows declares speeds, and the work that is left or its estimate.
func (p *Policy) Knows() know.Set {
	if p.cfg.known {
		return know.Speed | know.Work
	}
	return know.Speed | know.Estimate | know.Done
}

// keeps is how many GPUs a job keeps whatever is decided: those under a lease.
func (p *Policy) keeps(v *sim.View, j sim.JobID) int {
	if v.Run(j).State() != sim.Running || v.Run(j).Expired() {
		return 0
	}
	return len(v.Run(j).Held())
}

// Decide offers the GPUs that are free or whose lease has ended.
func (p *Policy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.follow(v)
	if !p.release(v) {
		return out
	}
	if p.gather(v); len(p.parts) > 0 {
		left := 0
		for typ := range v.Topology().Types() {
			p.divide(v, typ)
			p.close()
			left += p.offer.gpus
		}
		p.spread(left)
	}
	v.Free().Rollback(0)
	return p.settle(v, out)
}

// release plans as if GPUs whose lease has ended were free. It reports whether there is an offer.
func (p *Policy) release(v *sim.View) bool {
	v.Free().Rollback(0)
	for _, j := range v.Running() {
		if !v.Run(j).Expired() {
			continue
		}
		share := int(v.Run(j).Knobs().ShareMilli)
		for _, g := range v.Run(j).Held() {
			if v.Up(g) && v.Share(g) == share {
				v.Free().Release(g)
			}
		}
	}
	return v.Free().Total() > 0
}

// settle finds the decisions that lead to what each job is to have.
func (p *Policy) settle(v *sim.View, out []sim.Decision) []sim.Decision {
	lease := p.cfg.until(v.Now())
	p.counts = p.counts[:0]
	for i := range p.parts {
		p.won[p.of(&p.parts[i]).job] = p.parts[i].won
	}
	for _, j := range v.Running() {
		held := p.keeps(v, j)
		c := plan.Count{Job: j, GPUs: p.won[j], Stays: held > 0}
		switch {
		case held > 0 && int(p.won[j]) <= held:
			c.GPUs = int32(held)
		case held > 0 && v.Run(j).LeaseEnd() != sim.Never: // what it gains is leased as long as what it holds
			c.Lease = v.Run(j).LeaseEnd() - v.Now()
		case held == 0:
			c.Lease = lease
		}
		p.counts = append(p.counts, c)
	}
	stay := len(p.counts)
	for i := range p.parts {
		if x := &p.parts[i]; x.won > 0 && v.Run(p.of(x).job).State() == sim.Waiting {
			p.counts = append(p.counts, plan.Count{Job: p.of(x).job, GPUs: x.won, Lease: lease})
		}
		p.won[p.of(&p.parts[i]).job] = 0
	}
	// the largest are placed first
	slices.SortStableFunc(p.counts[stay:], func(a, b plan.Count) int { return cmp.Compare(b.GPUs, a.GPUs) })
	from := len(out)
	out = p.sizer.Decide(v, p.counts, out)
	if len(p.sizer.Late()) > 0 && !p.writes(v, out[from:]) {
		out = p.again(v, out[:from], lease)
	}
	return out
}

// writes reports whether decisions leave checkpoints to be written: what waits for those GPUs is
// asked again then.
func (p *Policy) writes(v *sim.View, decided []sim.Decision) bool {
	return slices.ContainsFunc(decided, func(d sim.Decision) bool {
		return d.Kind == sim.Preempt &&
			v.Run(d.Job).CheckpointTime() > 0
	})
}

// again is for jobs that were to have GPUs of which a machine's CPU, memory or a share on it leaves
// too few: they keep what they have, and the others that want some get what they can use at least.
func (p *Policy) again(v *sim.View, out []sim.Decision, lease sim.Time) []sim.Decision {
	for _, j := range p.sizer.Late() {
		i := slices.IndexFunc(p.counts, func(c plan.Count) bool { return c.Job == j })
		p.counts[i].GPUs = int32(len(v.Run(j).Held()))
		if p.keeps(v, j) > 0 {
			p.counts[i].Lease = 0
		}
	}
	for i := range p.counts { // whose lease has ended, and who was to stop
		if c := &p.counts[i]; c.GPUs == 0 && v.Run(c.Job).State() == sim.Running {
			c.GPUs = int32(len(v.Run(c.Job).Held()))
		}
	}
	for i := range p.parts {
		x := &p.parts[i]
		if m := p.of(x); x.won == 0 && v.Run(m.job).State() == sim.Waiting {
			p.counts = append(p.counts, plan.Count{Job: m.job, GPUs: int32(m.lo), Lease: lease})
		}
	}
	return p.sizer.Decide(v, p.counts, out)
}
