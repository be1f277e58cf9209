package books

import (
	"cmp"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/end"
	"tarry/sim/service"
)

// Loans is what became of machines that are lent to training.
type Loans struct {
	// UsedGPUS is the GPU-seconds that jobs held of machines of the services, a share counted as a
	// part; LateGPUS the part of it after the machine was taken back, by checkpoints.
	UsedGPUS, LateGPUS float64
	// Reclaims counts machines that were taken back after they had been lent, Preempted the jobs that
	// were stopped for that.
	Reclaims, Preempted int

	top     *cluster.Topology
	pool    []bool     // machine -> it belongs to the services, or was not lent at some time
	lent    []sim.Time // machine of the pool -> since when it is lent; -1 = it is not
	back    []sim.Time // machine -> when it was last taken back
	ended   []loan     // in the order in which they ended
	stopped []allocation
}

// loan is one machine's.
type loan struct {
	start, end sim.Time
	gpus       int
}

// allocation is one that ended by a preemption, at this instant as far as is known.
type allocation struct {
	job  sim.JobID
	at   sim.Time
	gpus []cluster.GPU
}

func newLoans(m *service.Model, top *cluster.Topology) Loans {
	l := Loans{top: top, pool: make([]bool, top.Machines()), lent: make([]sim.Time, top.Machines()),
		back: make([]sim.Time, top.Machines())}
	if m != nil && m.Own != nil {
		copy(l.pool, m.Own)
	}
	return l
}

func (l *Loans) lend(machine int32, lent bool, at sim.Time) {
	lo, hi := l.top.MachineGPUs(int(machine))
	if lent {
		l.lent[machine] = at
		return
	}
	if l.pool[machine] && l.lent[machine] >= 0 {
		l.ended = append(l.ended, loan{l.lent[machine], at, int(hi - lo)})
	}
	l.pool[machine], l.lent[machine], l.back[machine] = true, -1, at
	if at > 0 {
		l.Reclaims++
	}
	l.stopped = slices.DeleteFunc(l.stopped, func(a allocation) bool {
		hit := a.at == at && slices.ContainsFunc(a.gpus, func(g cluster.GPU) bool { return g >= lo && g < hi })
		if hit {
			l.Preempted++
		}
		return hit || a.at < at
	})
}

// interval takes an allocation of a job.
func (l *Loans) interval(i *sim.Interval) {
	for _, g := range i.GPUs {
		m := l.top.Machine(g)
		if !l.pool[m] {
			continue
		}
		part := float64(i.ShareMilli) / 1000
		l.UsedGPUS += float64((i.End - i.Start).Seconds() * part)
		if at := l.back[m]; l.lent[m] < 0 && i.Start < at && i.End > at {
			l.LateGPUS += float64((i.End - at).Seconds() * part)
		}
	}
	switch {
	case i.Reason != end.Preempt:
	case slices.ContainsFunc(i.GPUs, func(g cluster.GPU) bool { // taken back before at this instant
		m := l.top.Machine(g)
		return i.End > 0 && l.lent[m] < 0 && l.back[m] == i.End
	}):
		l.Preempted++
	default:
		if n := len(l.stopped); n > 0 && l.stopped[n-1].at < i.End {
			l.stopped = l.stopped[:0]
		}
		l.stopped = append(l.stopped, allocation{i.Job, i.End, slices.Clone(i.GPUs)})
	}
}

// LentGPUS is the GPU-seconds for which machines of the services were lent, up to now.
func (l *Loans) LentGPUS(now sim.Time) float64 { return l.between(0, now) / 1e6 }

// MeanLent is the mean number of GPUs that were lent from one time to another, in seconds.
func (l *Loans) MeanLent(fromS, toS float64) float64 {
	from, to := sim.Seconds(fromS), sim.Seconds(toS)
	if to <= from {
		return 0
	}
	return l.between(from, to) / float64(to-from)
}

// between is in GPU-microseconds.
func (l *Loans) between(from, to sim.Time) float64 {
	sum := 0.0
	add := func(start, end sim.Time, gpus int) {
		sum += float64(max(0, min(end, to)-max(start, from))) * float64(gpus)
	}
	for _, x := range l.ended {
		add(x.start, x.end, x.gpus)
	}
	for m, in := range l.pool {
		if lo, hi := l.top.MachineGPUs(m); in && l.lent[m] >= 0 {
			add(l.lent[m], to, int(hi-lo))
		}
	}
	return sum
}

// Any reports whether machines belong to the services, or were not lent at some time.
func (l *Loans) Any() bool { return slices.Contains(l.pool, true) }

// parts are the allocations of parts of GPUs.
type parts struct{ list []part }

type part struct {
	gpu        cluster.GPU
	start, end sim.Time
	share      float64
	replica    bool
}

func (p *parts) add(i *sim.Interval, replica bool) {
	if i.ShareMilli >= 1000 || i.Start == i.End {
		return
	}
	for _, g := range i.GPUs {
		p.list = append(p.list, part{g, i.Start, i.End, float64(i.ShareMilli) / 1000, replica})
	}
}

// harvested sweeps over each GPU: what jobs hold while a replica is there.
func (p *parts) harvested() float64 {
	type edge struct {
		gpu      cluster.GPU
		at       sim.Time
		jobs     float64
		replicas int
	}
	var edges []edge
	for _, x := range p.list {
		e := edge{gpu: x.gpu, at: x.start, replicas: 1}
		if !x.replica {
			e.jobs, e.replicas = x.share, 0
		}
		edges = append(edges, e, edge{x.gpu, x.end, -e.jobs, -e.replicas})
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.gpu, b.gpu), cmp.Compare(a.at, b.at)) })
	sum, jobs, replicas := 0.0, 0.0, 0
	for i, e := range edges {
		if i > 0 && edges[i-1].gpu == e.gpu && replicas > 0 {
			sum += float64((e.at - edges[i-1].at).Seconds() * jobs)
		}
		jobs += e.jobs
		replicas += e.replicas
		if replicas == 0 && i+1 < len(edges) && edges[i+1].gpu != e.gpu {
			jobs = 0
		}
	}
	return sum
}
