package interference

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/stages"
)

// sharer is what laws see of a job. GPUs alone are not compared: laws may not read which they are.
type sharer struct {
	gpus []cluster.GPU
	// count is their number.
	count int32
	// share is the ticket in thousandths, 1..1000.
	share int32
	// util is the busy part of a GPU when alone, 0 = not known.
	util float64
	// name is what a naming law calls its model.
	name int32
	// priority is the owner's own.
	priority int32
	// instance is the GPU's, 0 where it is not cut.
	instance uint8
	// compute and exchange are what a timing law asks for: seconds of an iteration on all GPUs,
	// alone.
	compute, exchange float64
	// stage are the times of its stages, for the law stages.
	stage stages.Times
}

// compare orders sharers by all that laws read of them, so that a sum over them does not depend on
// who is who.
func compare(a, b sharer) int {
	if c := cmp.Compare(a.util, b.util); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.share, b.share), cmp.Compare(a.name, b.name), cmp.Compare(a.count, b.count),
		cmp.Compare(a.priority, b.priority),
		cmp.Compare(a.compute, b.compute), cmp.Compare(a.exchange, b.exchange), cmp.Compare(a.instance, b.instance),
		slices.Compare(a.stage[:], b.stage[:]))
}

// sharer is what laws see of a job, but for its times.
func (l *Layer) sharer(j *sim.Job, gpus []cluster.GPU, k *sim.Knobs) sharer {
	s := sharer{gpus: gpus, count: int32(len(gpus)), share: k.ShareMilli, util: j.GPUUtilFrac, name: l.name(j.Model),
		priority: j.Priority, instance: k.Instance}
	if s.share <= 0 {
		s.share = 1000
	}
	if p := l.instance(gpus, k); p != nil {
		part := of(p)
		s.share = int32(max(1, min(1000, math.Round(float64(s.share)/part))))
		s.util = min(1, s.util/part)
	}
	return s
}

// gather fills l.all with the peers of a query, in their order.
func (l *Layer) gather(q *sim.Query) {
	l.all = l.all[:0]
	for i := range q.Peers {
		p := &q.Peers[i]
		if p.Instance != q.Instance {
			continue // instances do not disturb one another
		}
		s := l.sharer(p.Job, p.GPUs, &p.Knobs)
		if l.timed {
			s.compute, s.exchange = l.timesOf(p)
			s.stage = l.staged(s.compute, s.exchange)
		}
		l.all = append(l.all, s)
	}
	if len(l.all) > 1 {
		slices.SortStableFunc(l.all, compare)
	}
}

// least is the least keep over a job's GPUs, with the peers in l.all.
func (l *Layer) least(me *sharer) float64 {
	if l.everywhere(me.gpus) {
		return l.law.keep(me, l.all)
	}
	l.at = slices.Grow(l.at[:0], len(l.all))[:len(l.all)]
	clear(l.at)
	keep, before := 1.0, -1
	for _, g := range me.gpus {
		l.on = l.on[:0]
		changed := false
		for i := range l.all {
			p := &l.all[i]
			was := l.at[i] > 0 && before >= 0 && int(p.gpus[l.at[i]-1]) == before
			for int(l.at[i]) < len(p.gpus) && p.gpus[l.at[i]] <= g {
				l.at[i]++
			}
			is := l.at[i] > 0 && p.gpus[l.at[i]-1] == g
			changed = changed || is != was
			if is {
				l.on = append(l.on, *p)
			}
		}
		if changed || before < 0 {
			keep = min(keep, l.law.keep(me, l.on))
		}
		before = int(g)
	}
	return keep
}

// everywhere reports whether all peers are on all of these GPUs.
func (l *Layer) everywhere(gpus []cluster.GPU) bool {
	for i := range l.all {
		if !slices.Equal(l.all[i].gpus, gpus) {
			return len(gpus) == 1 // what is a peer on one GPU is on it
		}
	}
	return true
}
