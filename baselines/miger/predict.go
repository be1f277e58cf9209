package miger

import (
	"tarry/sim"
	"tarry/sim/mig"
)

// member is a job with its kind.
type member struct {
	job  sim.JobID
	kind int32
}

// table gives what a job has alone in the instances of a class.
func (p *Policy) table(v *sim.View, c int8, m member) *table {
	t := &p.kinds[m.kind].tables[c]
	if t.known {
		return t
	}
	x, cl := &p.kinds[m.kind], &p.classes[c]
	t.known = true
	if x.service > 0 { // an instance meets the load or not
		for i := range t.alone {
			t.alone[i] = 1
			if i < int(x.least) {
				t.alone[i] = -1
			}
		}
		return t
	}
	t.whole = v.Predict(m.job, sim.Placement{GPUs: cl.gpu[:], Knobs: sim.Knobs{ShareMilli: 1000},
		Fresh: true, Alone: true}).Rate
	for i := range cl.dev.Profiles {
		o := &cl.dev.Profiles[i]
		switch {
		case x.gpuMiB > o.MiB:
			t.alone[i] = -1
		case t.whole <= 0:
			t.alone[i] = float64(o.Compute) / mig.ComputeSlices
		default:
			t.alone[i] = v.Predict(m.job, sim.Placement{GPUs: cl.gpu[:], Knobs: sim.Knobs{ShareMilli: o.Milli(),
				Instance: uint8(cl.first[i] + 1)},
				Fresh: true, Alone: true}).Rate / t.whole
		}
	}
	return t
}

// value is the value of a job at a part of its speed; -1 for an online job that is too slow, and for
// a replica whose load is not met.
func (p *Policy) value(k int32, speed float64) float64 {
	switch {
	case p.kinds[k].service > 0: // more than it needs has no value
		return min(speed, 0)
	case !p.kinds[k].online || speed < 0:
		return speed
	case speed < p.floor:
		return -1
	}
	return 1
}

// worth is the value of a job alone in an instance, -1 where it cannot be.
func (p *Policy) worth(v *sim.View, c int8, m member, profile int) float64 {
	return p.value(m.kind, p.table(v, c, m).alone[profile])
}

// match is two kinds in an instance, the lower first.
type match struct {
	class, profile int8
	a, b           int32
}

// pairing is what two jobs have in an instance. worth is -1 where they cannot share it.
type pairing struct {
	worth  float64
	share  [2]int32 // thousandths of the GPU: of the lower kind, and of the other
	speeds [2]float64
}

// of gives the place of a job in a pairing with another: the lower kind is first, and of one kind
// the earlier job.
func (a member) before(b member) bool { return a.kind < b.kind || a.kind == b.kind && a.job < b.job }

// pair is what two jobs have together in an instance; a is before b.
func (p *Policy) pair(v *sim.View, c int8, a, b member, profile int) pairing {
	key := match{c, int8(profile), a.kind, b.kind}
	x, ok := p.matches[key]
	if !ok {
		x = p.ask(v, c, a, b, profile)
		p.matches[key] = x
	}
	return x
}

// ask predicts a pairing: halves for two jobs of one sort; else the least tenths with which the
// online one keeps its speed.
func (p *Policy) ask(v *sim.View, c int8, a, b member, profile int) pairing {
	x, y := &p.kinds[a.kind], &p.kinds[b.kind]
	o := &p.classes[c].dev.Profiles[profile]
	if !p.pairs || x.service > 0 || y.service > 0 || int64(x.gpuMiB)+int64(y.gpuMiB) > int64(o.MiB) {
		return pairing{worth: -1}
	}
	if x.online == y.online {
		return p.split(v, c, a, b, profile, o.Milli()/2)
	}
	for k := int32(1); k < 10; k++ {
		s := o.Milli() * k / 10
		if y.online {
			s = o.Milli() - s
		}
		if r := p.split(v, c, a, b, profile, s); r.worth >= 0 {
			return r
		}
	}
	return pairing{worth: -1}
}

// split predicts a pairing in which a has a share.
func (p *Policy) split(v *sim.View, c int8, a, b member, profile int, share int32) pairing {
	cl := &p.classes[c]
	in := uint8(cl.first[profile] + 1)
	mine := sim.Knobs{Instance: in, ShareMilli: share}
	yours := sim.Knobs{Instance: in, ShareMilli: cl.dev.Profiles[profile].Milli() - share}
	r := pairing{share: [2]int32{mine.ShareMilli, yours.ShareMilli}}
	r.speeds[0] = p.part(v.Predict(a.job, sim.Placement{GPUs: cl.gpu[:], Knobs: mine,
		Fresh: true, Alone: true,
		Mate: sim.Peer{ID: b.job, GPUs: cl.gpu[:], Knobs: yours}}).Rate, p.table(v, c, a).whole)
	r.speeds[1] = p.part(v.Predict(b.job, sim.Placement{GPUs: cl.gpu[:], Knobs: yours,
		Fresh: true, Alone: true,
		Mate: sim.Peer{ID: a.job, GPUs: cl.gpu[:], Knobs: mine}}).Rate, p.table(v, c, b).whole)
	first, second := p.value(a.kind, r.speeds[0]), p.value(b.kind, r.speeds[1])
	if r.worth = first + second; first < 0 || second < 0 {
		r.worth = -1
	}
	return r
}

// part is a speed relative to that on a complete GPU.
func (p *Policy) part(rate, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return rate / whole
}
