package dally

import (
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
)

// sharing are rules of ours for near GPUs that are not free; Dally's paper has none. A job that
// found no free place may share GPUs of one running job, of one machine, if neither is predicted to
// lose more than Loss of the speed that it has there alone. A GPU has two jobs at most, and a job
// one mate. Of all that it may share the job takes the GPUs where the greater of both losses is
// least, and of equal ones those of the earliest job; the kind of interference is the speed
// model's.
//
// Who asks for CPU or memory of its machine does not join others: the part of a GPU is its
// holder's.
//
// A pair ends with the first of the two. At the end of a lease a job that shares contests for a
// free place as others do, and runs on as it is where it finds none; its GPUs are nobody else's to
// contest for.
type sharing struct {
	// Loss is the greatest loss of speed of each, a part in 0..1; 0 = nobody shares.
	Loss float64
	// At is when a job may share.
	At shareAt
}

// shareAt is from when on in its wait a job shares.
type shareAt uint8

// The choices: before it waits for anything, or when the timer of a level has run out that opens
// places farther apart.
const (
	shareAtOnce shareAt = iota
	shareAfterRack
	shareAfterNet
)

func shareAts() []string { return []string{"wait", "rack", "net"} }

// shareParams describes the settings of sharing for the catalogue.
const shareParams = `
share     a job without a free place shares GPUs of one running job, on one machine, if the speed model predicts a loss of at most
          this part for each; 0: never
share_at  wait: before it waits; rack, net: when its timer T_rack, T_net has run out`

// read reads the settings.
func (s *sharing) read(set *param.Set) {
	s.Loss = set.Float("share", 0, 0, 1)
	s.At = shareAt(slices.Index(shareAts(), set.Enum("share_at", shareAts()...)))
}

// shares reports whether a running job has somebody beside it.
func (p *Policy) shares(v *sim.View, j sim.JobID) bool {
	return p.cfg.Share.Loss > 0 && slices.ContainsFunc(v.Run(j).Held(), func(g cluster.GPU) bool {
		return v.Sharers(g) >
			1
	})
}

// share lets contestants that found no free place join running jobs, first in order first. One that
// finds nobody speaks for all of its demand.
func (p *Policy) share(v *sim.View, out []sim.Decision) []sim.Decision {
	p.hosts = p.hosts[:0]
	for {
		c, best := p.firstToShare(v)
		if best == nil {
			return out
		}
		j := best.job
		host, gpus := p.host(v, c, j)
		if host == sim.NoJob {
			c.closed = true
			continue
		}
		c.remove(j)
		p.gets(c.party, len(gpus))
		p.hosts = append(p.hosts, host)
		out = plan.Join(v, out, j, gpus)
		out[len(out)-1].Lease = p.leaseFor(v, j, gpus)
	}
}

// firstToShare is the first in order of those that may share now.
func (p *Policy) firstToShare(v *sim.View) (in *class, best *entry) {
	for _, c := range p.classes {
		if c.live == 0 || c.closed || c.gpus > p.capMach {
			continue
		}
		if e := p.mayShare(v, c); e != nil && v.Run(e.job).State() == sim.Waiting &&
			(best == nil || p.ahead(c, e, in, best)) {
			in, best = c, e
		}
	}
	return in, best
}

// mayShare is the first in order of a class whose timer permits it.
func (p *Policy) mayShare(v *sim.View, c *class) *entry {
	rack, net, _ := p.source(c).Timers(c.gpus, v.Now())
	switch p.cfg.Share.At {
	case shareAfterRack:
		return p.waited(v, c, rack, false)
	case shareAfterNet:
		return p.waited(v, c, net, false)
	}
	return c.best()
}

// shareTimer is the timer after which a demand may share, Never where it need not wait for one.
func (p *Policy) shareTimer(rack, net sim.Time) sim.Time {
	switch {
	case p.cfg.Share.Loss == 0 || p.cfg.Share.At == shareAtOnce:
		return sim.Never
	case p.cfg.Share.At == shareAfterRack:
		return rack
	}
	return net
}

// host chooses the running job beside which a contestant runs, and the GPUs that they share; NoJob
// where there is none.
func (p *Policy) host(v *sim.View, c *class, j sim.JobID) (host sim.JobID, gpus []cluster.GPU) {
	const rounding = 1e-9
	host = sim.NoJob
	if a := v.Job(j).Public(); a.CPUMilli > 0 || a.MemMiB > 0 {
		return host, nil
	}
	least := p.cfg.Share.Loss + rounding
	for _, m := range v.Running() {
		if slices.Contains(p.hosts, m) || slices.Contains(p.expired, m) || p.shares(v, m) {
			continue
		}
		on := near(v, v.Run(m).Held(), c.gpus)
		if on == nil || !plan.Joinable(v, j, on) || !roomFor(v, on, v.Job(j).GPUMiB()) {
			continue
		}
		if l := loss(v, j, m, on); l < least || l == least && m < host {
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

// loss is the greater part of its speed that a job, or the one that has the GPUs, is predicted to
// lose beside the other; 1 where the speed model has no answer.
func loss(v *sim.View, j, host sim.JobID, gpus []cluster.GPU) float64 {
	part := func(beside, alone sim.Speed) float64 {
		if !(alone.Rate > 0) {
			return 1
		}
		return 1 - beside.Rate/alone.Rate
	}
	guest := part(v.Predict(j, sim.Placement{GPUs: gpus, Knobs: sim.Knobs{ShareMilli: 500}}),
		v.Predict(j, sim.Placement{GPUs: gpus, Alone: true}))
	if guest >= 1 {
		return 1
	}
	return max(guest, part(v.Predict(host, sim.Placement{GPUs: v.Run(host).Held(), Mate: sim.Peer{ID: j, GPUs: gpus}}),
		v.Predict(host, sim.Placement{GPUs: v.Run(host).Held(), Alone: true})))
}
