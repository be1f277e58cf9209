package phased

import (
	"math"
	"slices"
)

// form is a group as it is played: the jobs that share links, in an order that does not depend on
// the names of jobs and links, and the links that can become tight.
type form struct {
	n     int
	jobs  [MaxJobs]member
	links []link
	first float64 // offset from which times count
	scale float64 // the longest iteration of a member alone

	all   []member // scratch: by job
	whole []link   // scratch: by link
	on    []int32  // scratch: members by link
}

// member is a job as it is played.
type member struct {
	job             int
	compute, volume float64
	release         float64 // time from the begin of an iteration
	weight          float64
	level           int8
	offset, pace    float64
	most            float64 // rate
	colour          uint64  // hash of all that distinguishes the job

	stage int8
	at    float64 // end of the stage
	start float64 // of the iteration
	send  float64 // left of the transfer
	count int     // iterations begun
}

// link is a link that members share.
type link struct {
	capacity, left float64
	unit           float64 // the largest load
	load           [MaxJobs]float64
	colour         uint64
}

// read fills the form; false = a value is out of its range, or more than MaxJobs jobs share links.
func (f *form) read(jobs []Job, links []float64, round bool) bool {
	f.n, f.links = 0, f.links[:0]
	f.all, f.whole = f.all[:0], f.whole[:0]
	for _, c := range links {
		if !(c >= 0) || math.IsInf(c, 1) {
			return false
		}
		f.whole = append(f.whole, link{capacity: c})
	}
	for i := range jobs {
		m, ok := f.member(&jobs[i])
		if !ok {
			return false
		}
		m.job = i
		f.all = append(f.all, m)
	}
	return f.couple(jobs) && f.order(jobs, round)
}

// member is a job alone.
func (f *form) member(j *Job) (member, bool) {
	m := member{compute: j.ComputeS, volume: j.VolumeS, release: float64(j.Release * j.ComputeS),
		weight: orOne(j.Weight), level: j.Level, offset: j.OffsetS, pace: j.PaceS, most: orOne(j.MaxRate)}
	sum := m.compute + m.volume + m.weight + math.Abs(m.offset) + m.pace + m.most
	ok := m.compute >= 0 && m.volume >= 0 && m.compute+m.volume > 0 && j.Release >= 0 && j.Release <= 1 &&
		m.weight > 0 && m.pace >= 0 && m.most > 0 && sum <= math.MaxFloat64
	for _, x := range j.Links {
		if x.Link < 0 || int(x.Link) >= len(f.whole) || !(x.Load >= 0) {
			return m, false
		}
		m.most = min(m.most, f.whole[x.Link].capacity/orOne(x.Load))
	}
	return m, ok
}

func orOne(x float64) float64 {
	if x == 0 {
		return 1
	}
	return x
}

// couple finds the links that can become tight, and puts the jobs that share one into the form.
func (f *form) couple(jobs []Job) bool {
	f.on = append(f.on[:0], make([]int32, len(f.whole))...)
	for i := range jobs {
		if f.all[i].volume == 0 {
			continue
		}
		for _, x := range jobs[i].Links {
			k := &f.whole[x.Link]
			f.on[x.Link]++
			k.left += float64(f.all[i].most * orOne(x.Load))
			k.unit = max(k.unit, orOne(x.Load))
		}
	}
	for i := range jobs {
		m := &f.all[i]
		for _, x := range jobs[i].Links {
			if !f.shared(x.Link) || m.volume == 0 || m.most == 0 {
				continue
			}
			if f.n == MaxJobs {
				return false
			}
			f.jobs[f.n] = *m
			f.n++
			break
		}
	}
	return true
}

// shared reports whether jobs can be in each other's way on a link.
func (f *form) shared(l int32) bool { return f.on[l] > 1 && f.whole[l].left > f.whole[l].capacity }

// load is the part of its link's largest load that a crossing has.
func (f *form) load(x Crossing) float64 { return orOne(x.Load) / f.whole[x.Link].unit }

// order sorts members and links by what they are, and counts time from the first offset.
func (f *form) order(jobs []Job, round bool) bool {
	f.scale, f.first = 0, math.Inf(1)
	heaviest := 0.0
	for i := range f.n {
		m := &f.jobs[i]
		f.scale = max(f.scale, m.solo(), m.pace)
		f.first = min(f.first, m.offset)
		heaviest = max(heaviest, m.weight)
	}
	for i := range f.n {
		m := &f.jobs[i]
		m.offset -= f.first
		m.weight /= heaviest
		if cell := f.scale / cells; round && m.pace == 0 {
			m.offset = float64(math.Round(m.offset/cell) * cell)
		}
		m.colour = m.hash()
	}
	f.paint(jobs)
	slices.SortFunc(f.jobs[:f.n], func(a, b member) int { return compare(a.colour, b.colour) })
	for l := range f.whole {
		if f.shared(int32(l)) {
			f.links = append(f.links, link{capacity: f.whole[l].capacity / f.whole[l].unit})
			f.on[l] = int32(len(f.links)) // from here on the place + 1
			continue
		}
		f.on[l] = 0
	}
	for i := range f.n {
		for _, x := range jobs[f.jobs[i].job].Links {
			if at := f.on[x.Link]; at > 0 {
				f.links[at-1].load[i] = f.load(x)
			}
		}
	}
	f.merge()
	return true
}

// paint gives members and links that play different parts different colours.
func (f *form) paint(jobs []Job) {
	for range 3 {
		for l := range f.whole {
			f.whole[l].colour = mix(math.Float64bits(f.whole[l].capacity / f.whole[l].unit))
		}
		for i := range f.n {
			for _, x := range jobs[f.jobs[i].job].Links {
				f.whole[x.Link].colour += mix(f.jobs[i].colour ^ math.Float64bits(f.load(x)))
			}
		}
		for i := range f.n {
			sum := f.jobs[i].colour
			for _, x := range jobs[f.jobs[i].job].Links {
				if f.shared(x.Link) {
					sum += mix(f.whole[x.Link].colour ^ math.Float64bits(f.load(x)))
				}
			}
			f.jobs[i].colour = mix(sum)
		}
	}
}

// merge leaves the tightest of links with the same loads, in order of their loads.
func (f *form) merge() {
	for l := range f.links {
		k := &f.links[l]
		k.colour = 0
		for i := range f.n {
			k.colour = mix(k.colour ^ math.Float64bits(k.load[i]))
		}
	}
	slices.SortFunc(f.links, func(a, b link) int {
		if c := compare(a.colour, b.colour); c != 0 || a.capacity == b.capacity {
			return c
		}
		if a.capacity < b.capacity {
			return -1
		}
		return 1
	})
	f.links = slices.CompactFunc(f.links, func(a, b link) bool { return a.load == b.load })
}

// hash is the colour of a member among others with the same links.
func (m *member) hash() uint64 {
	h := mix(uint64(uint8(m.level)))
	for _, x := range [...]float64{m.compute, m.volume, m.release, m.weight, m.offset, m.pace, m.most} {
		h = mix(h ^ math.Float64bits(x))
	}
	return h
}

func compare(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
