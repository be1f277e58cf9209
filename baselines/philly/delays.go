package philly

import (
	"slices"
	"sort"

	"tarry/sim"
)

// clock runs while jobs of a kind wait: fair while they wait for fair share, room while they do not
// and enough GPUs for one of them are idle.
type clock struct{ fair, room sim.Time }

// clocks are one for jobs in the queue or backing off, and one for jobs in a try, which their VC
// has in what it uses.
type clocks [2]clock

// span is a time in one state: when it began, and the clocks then.
type span struct {
	since sim.Time
	at    clocks
}

// delays are what jobs waited for. room is the part of frag in which enough GPUs for the job were
// idle, including held ones.
type delays struct{ fair, frag, room sim.Time }

func (d *delays) add(o delays) {
	d.fair += o.fair
	d.frag += o.frag
	d.room += o.room
}

// passed divides the time of a span in one state up to now.
func (s *span) passed(k *kind, in state, now sim.Time) delays {
	i := 0
	if in == trying {
		i = 1
	}
	fair := k.clock[i].fair - s.at[i].fair
	return delays{fair: fair, frag: now - s.since - fair, room: k.clock[i].room - s.at[i].room}
}

// idleness counts the GPUs that are held.
type idleness struct {
	gpus, most int64
	held       sim.Time // GPUs x time, in GPU-microseconds
}

// counts are events of a run.
type counts struct {
	tries, vain int64
	starts      [last + 1]int64 // by level
}

// tick brings the clocks to now.
func (p *Policy) tick(now sim.Time) {
	d := now - p.last
	p.last = now
	p.idle.held += sim.Time(p.idle.gpus) * d
	for i := range p.kinds {
		k := &p.kinds[i]
		if k.waiting == 0 {
			continue
		}
		for c := range k.clock {
			if k.over[c] {
				k.clock[c].fair += d
			} else if k.room {
				k.clock[c].room += d
			}
		}
	}
}

// note looks at what jobs wait for now, and at held GPUs.
func (p *Policy) note(v *sim.View) {
	p.idle.gpus = 0
	for i := range p.holds {
		p.idle.gpus += int64(len(p.holds[i].gpus))
	}
	p.idle.most = max(p.idle.most, p.idle.gpus)
	for i := range p.kinds {
		k := &p.kinds[i]
		if k.waiting == 0 {
			continue
		}
		d := &p.demands[k.demand]
		c := &p.vcs[k.vc]
		k.over = [2]bool{c.used+k.milli > c.quota, c.used > c.quota}
		k.room = p.idleOf(v, d.Type) >= int64(d.GPUs)
	}
}

// idleOf is how many GPUs of a type are unused, including held ones.
func (p *Policy) idleOf(v *sim.View, typ string) int64 {
	f := v.Free().Of(typ)
	if f == nil {
		return 0
	}
	n := int64(f.Total())
	if f == v.Free() {
		return n + p.idle.gpus
	}
	for i := range p.holds {
		for _, g := range p.holds[i].gpus {
			if v.Topology().Type(v.Topology().Machine(g)) == typ {
				n++
			}
		}
	}
	return n
}

// Measures gives the two delays, summed over jobs, up to the last decision, in all and by VC; what
// was held; the tries; the starts by level, and the preemptions by VC.
func (p *Policy) Measures(yield func(name, of, unit string, value float64)) {
	list := slices.Clone(p.vcs)
	for i := range p.jobs {
		if x := &p.jobs[i]; x.state == ready || x.state == trying || x.state == backing {
			k := &p.kinds[x.kind]
			list[k.vc].sum.add(x.wait.passed(k, x.state, p.last))
		}
	}
	// sort.Slice has one code for all types, SortFunc 20 kB for this one.
	sort.Slice(list, func(i, k int) bool { return list[i].name < list[k].name })
	var all vc
	for i := range list {
		all.sum.add(list[i].sum)
		all.lost += list[i].lost
	}
	for _, c := range append([]vc{all}, list...) {
		yield("fair_share_delay_s", c.name, "s", c.sum.fair.Seconds())
		yield("fragmentation_delay_s", c.name, "s", c.sum.frag.Seconds())
		yield("fragmentation_idle_s", c.name, "s", c.sum.room.Seconds())
		yield("quota_preemptions", c.name, "count", float64(c.lost))
	}
	yield("held_gpu_s", "", "gpu_s", p.idle.held.Seconds())
	yield("held_gpus_max", "", "gpus", float64(p.idle.most))
	yield("tries", "", "count", float64(p.counts.tries))
	yield("tries_in_vain", "", "count", float64(p.counts.vain))
	for l, n := range p.counts.starts {
		yield("starts", levelNames[l], "count", float64(n))
	}
}
