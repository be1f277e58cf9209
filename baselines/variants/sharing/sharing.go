// Package sharing lets jobs of a contest share GPUs of running jobs where that costs both little.
// The rules are ours.
package sharing

import (
	"slices"

	"tarry/baselines/contest"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// Rules are rules of ours for near GPUs that are not free; Dally's paper has none. A job that found
// no free place may share GPUs of one running job, of one machine, if neither is predicted to lose
// more than Loss of the speed that it has there alone. A GPU has two jobs at most, and a job one
// mate. Of all that it may share the job takes the GPUs where the greater of both losses is least,
// and of equal ones the earliest job's; the kind of interference is the speed model's.
//
// Who asks for CPU or memory of its machine does not join others: the part of a GPU is its
// holder's.
//
// A pair ends with the first of the two. At the end of a lease a job that shares contests for a
// free place as others do, and runs on as it is where it finds none; no other job contests for its
// GPUs.
type Rules struct {
	// Loss is the greatest loss of speed of each, a part in 0..1; 0 = no job shares.
	Loss float64
	// At is when a job may share.
	At From
}

// From is from when on in its wait a job shares.
type From uint8

// The choices: before it waits for anything, or when the timer of a level has run out that opens
// places farther apart.
const (
	// AtOnce: before it waits.
	AtOnce From = iota
	// AfterRack and AfterNet: when its timer for places of a rack, or for any, has run out.
	AfterRack
	AfterNet
)

func froms() []string { return []string{"wait", "rack", "net"} }

// Params describes the settings for the catalogue.
const Params = `share     a job without a free place shares GPUs of one running job, on one machine, if the speed model predicts a loss of at most
          this part for each; 0: never
share_at  wait: before it waits; rack, net: when its timer T_rack, T_net has run out`

// Read reads the settings; Loss is its default.
func (r *Rules) Read(set *param.Set) {
	r.Loss = set.Float("share", r.Loss, 0, 1)
	r.At = From(slices.Index(froms(), set.Enum("share_at", froms()...)))
}

// Sharing is what a contest does by Rules. It is a contest.Sharing; build it with New.
type Sharing struct {
	Rules
	hosts []sim.JobID // joined at this instant
	memo  memo
}

// New is the sharing by rules with a Loss above 0.
func New(r Rules) *Sharing { return &Sharing{Rules: r} }

// Copied gives an independent copy.
func (s *Sharing) Copied(dst contest.Sharing) contest.Sharing {
	c, ok := dst.(*Sharing)
	if !ok {
		c = new(Sharing)
	}
	c.Rules, c.hosts = s.Rules, c.hosts[:0]
	c.memo.forget()
	return c
}

// Shares reports whether a running job has another beside it.
func (*Sharing) Shares(v *sim.View, j sim.JobID) bool {
	return slices.ContainsFunc(v.Run(j).Held(), func(g cluster.GPU) bool { return v.Sharers(g) > 1 })
}

// Share lets contestants that found no free place join running jobs, first in order first. One that
// finds no mate stands for all of its demand.
func (s *Sharing) Share(p *contest.Policy, v *sim.View, out []sim.Decision) []sim.Decision {
	s.hosts = s.hosts[:0]
	for {
		c, best := s.first(p, v)
		if best == nil {
			return out
		}
		j := best.Job
		host, gpus := s.host(p, v, c, j)
		if host == sim.NoJob {
			c.Closed = true
			continue
		}
		c.Remove(j)
		p.Gets(c, len(gpus))
		s.hosts = append(s.hosts, host)
		out = plan.Join(v, out, j, gpus)
		out[len(out)-1].Lease = p.LeaseFor(v, j, gpus)
	}
}

// first is the first in order of the jobs that may share now.
func (s *Sharing) first(p *contest.Policy, v *sim.View) (in *contest.Class, best *contest.Entry) {
	for _, c := range p.Classes() {
		if c.Live == 0 || c.Closed || c.GPUs > p.LargestMachine() {
			continue
		}
		if e := s.mayShare(p, v, c); e != nil && v.Run(e.Job).State() == sim.Waiting &&
			(best == nil || p.Ahead(c, e, in, best)) {
			in, best = c, e
		}
	}
	return in, best
}

// mayShare is the first in order of a class whose timer permits it.
func (s *Sharing) mayShare(p *contest.Policy, v *sim.View, c *contest.Class) *contest.Entry {
	rack, net, _ := p.Source(c).Timers(c.GPUs, v.Now())
	switch s.At {
	case AfterRack:
		return p.Waited(v, c, rack, false)
	case AfterNet:
		return p.Waited(v, c, net, false)
	}
	return c.Best()
}

// Opens is when the timer runs out after which a job of a class may share.
func (s *Sharing) Opens(p *contest.Policy, v *sim.View, c *contest.Class) sim.Time {
	if s.At == AtOnce || c.GPUs > p.LargestMachine() {
		return sim.Never
	}
	rack, net, until := p.Source(c).Timers(c.GPUs, v.Now())
	timer := rack
	if s.At == AfterNet {
		timer = net
	}
	at := c.Next(v.Now(), timer)
	if until > v.Now() {
		at = min(at, until)
	}
	return at
}

// rounding is by how much a loss may be above the greatest.
const rounding = 1e-9

// host chooses the running job beside which a contestant runs, and the GPUs that they share; NoJob
// where there is none.
func (s *Sharing) host(p *contest.Policy, v *sim.View, c *contest.Class, j sim.JobID) (host sim.JobID,
	gpus []cluster.GPU) {
	host = sim.NoJob
	if a := v.Job(j).Public(); a.CPUMilli > 0 || a.MemMiB > 0 {
		return host, nil
	}
	least := s.Loss + rounding
	for _, m := range v.Running() {
		held := v.Run(m).Held()
		if len(held) < c.GPUs || slices.Contains(s.hosts, m) || p.Expired(m) || s.Shares(v, m) {
			continue
		}
		on := near(v, held, c.GPUs)
		if on == nil {
			continue
		}
		b := s.memo.begin(v, m)
		l, known := b.find(v, j, c.GPUs)
		if known && l > least || !plan.Joinable(v, j, on) || !roomFor(v, on, v.Job(j).GPUMiB()) {
			continue
		}
		if !known {
			l = loss(v, j, m, on, s.Loss+rounding)
			b.note(v, j, c.GPUs, l)
		}
		if l < least || l == least && m < host {
			host, gpus, least = m, on, l
		}
	}
	return host, gpus
}

// near gives the first n of a job's GPUs that one machine has; nil where none has so many.
func near(v *sim.View, held []cluster.GPU, n int) []cluster.GPU {
	t := v.Topology()
	for i := 0; i+n <= len(held); i++ {
		if t.Machine(held[i]) == t.Machine(held[i+n-1]) {
			return held[i : i+n : i+n]
		}
	}
	return nil
}

// roomFor reports whether each GPU has so much memory left, where that is constrained.
func roomFor(v *sim.View, gpus []cluster.GPU, mib int32) bool {
	return !slices.ContainsFunc(gpus, func(g cluster.GPU) bool { return v.GPUMiBFree(g) < int64(mib) })
}

// loss is the greater part of its speed that a job, or the holder of the GPUs, is predicted to
// lose beside the other; 1 where the speed model has no answer. Above most it is the job's alone.
func loss(v *sim.View, j, host sim.JobID, gpus []cluster.GPU, most float64) float64 {
	part := func(beside, alone sim.Speed) float64 {
		if !(alone.Rate > 0) {
			return 1
		}
		return 1 - beside.Rate/alone.Rate
	}
	guest := part(v.Predict(j, sim.Placement{GPUs: gpus, Knobs: sim.Knobs{ShareMilli: 500}}),
		v.Predict(j, sim.Placement{GPUs: gpus, Alone: true}))
	if guest >= 1 || guest > most {
		return guest
	}
	return max(guest, part(v.Predict(host, sim.Placement{GPUs: v.Run(host).Held(), Mate: sim.Peer{ID: j, GPUs: gpus}}),
		v.Predict(host, sim.Placement{GPUs: v.Run(host).Held(), Alone: true})))
}
