package books

import "tarry/sim"

// Now is the instant up to which the book is kept.
func (b *Book) Now() sim.Time { return b.now }

// Err is what the book could not take in; nil = nothing.
func (b *Book) Err() error { return b.err }

// Total is the energy of the cluster so far.
func (b *Book) Total() Energy { return b.all }

// Of is a part of it.
func (b *Book) Of(p Part) Energy {
	b.total.settle(b.now)
	return b.total.sum[p]
}

// OfMachine is a part of the energy of a machine so far.
func (b *Book) OfMachine(machine int, p Part) Energy {
	m := &b.machines[machine]
	m.settle(b.now)
	return m.sum[p]
}

// OfJob is what the use of GPUs by a job has added so far; 0 for one that has left.
func (b *Book) OfJob(id sim.JobID) Energy {
	k := b.place(id)
	if k < 0 {
		return Energy{}
	}
	j := &b.jobs[k]
	sum := j.sum
	sum.add(j.nw, b.now-j.at)
	return sum
}

// Cost is the energy so far at its price; 0 without one.
func (b *Book) Cost() float64 { return b.meters.price.read(b.all) }

// CarbonKg is the carbon of the energy so far, in kilograms; 0 without its intensity.
func (b *Book) CarbonKg() float64 { return b.meters.carbon.read(b.all) / 1000 }

// OverCap is the time so far for which the cluster drew more than the cap.
func (b *Book) OverCap() sim.Time { return b.meters.over }

// Beyond is the energy so far that the cluster drew beyond the cap.
func (b *Book) Beyond() Energy { return b.meters.overE }

// W is what the cluster draws now.
func (b *Book) W() float64 { return float64(b.nw) / 1e9 }

// MaxW is the most that the cluster drew for a time.
func (b *Book) MaxW() float64 { return float64(max(b.most, b.peak)) / 1e9 }

// TakeMaxW is the most that the cluster drew for a time since the call before.
func (b *Book) TakeMaxW() float64 {
	w := b.peak
	b.most, b.peak = max(b.most, w), 0
	return float64(w) / 1e9
}

// Boots counts boots.
func (b *Book) Boots() int { return b.boots }

// Stops counts how often a machine left service.
func (b *Book) Stops() int { return b.stops }

// LastBoot is when the last boot of a machine began and ended; 0 = it has not booted.
func (b *Book) LastBoot(machine int) (began, ended sim.Time) {
	m := &b.machines[machine]
	return m.bootAt, m.readyAt
}

// CopyFrom makes the book equal to another one of the same run, in its own memory where that is large
// enough: so that a run which continues from a snapshot has its book.
func (b *Book) CopyFrom(o *Book) {
	was := *b
	*b = *o
	b.ended = was.ended
	b.machines = append(was.machines[:0], o.machines...)
	b.vacant, b.slot = append(was.vacant[:0], o.vacant...), append(was.slot[:0], o.slot...)
	b.later = append(was.later[:0], o.later...)
	b.jobs = was.jobs[:0]
	for i := range o.jobs {
		if i < cap(b.jobs) {
			b.jobs = b.jobs[:i+1]
		} else {
			b.jobs = append(b.jobs, job{})
		}
		j := &b.jobs[i]
		draws, next := j.draws, j.next
		*j = o.jobs[i]
		j.draws, j.next = append(draws[:0], o.jobs[i].draws...), append(next[:0], o.jobs[i].next...)
	}
}
