package artist

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
)

// chunk is what a job does between two looks at its lease.
type chunk struct {
	s       float64 // its time in seconds; 0 when iterations are not known
	gangS   float64 // the time of as many iterations of the whole gang; 0 when no lease is given up early
	service float64 // its GPU-time, seconds
}

// chunks are leases of whole chunks. It is a contest.Lengths.
type chunks struct {
	size   float64 // iterations per GPU; 0 = leases end at any time
	leaseS float64 // +Inf: grants are no leases
	when   Early
}

// chunk computes all of a chunk as the original does, to the last bit.
func (k *chunks) chunk(v *sim.View, j sim.JobID, gpus []cluster.GPU) chunk {
	t, s, g := v.Job(j).IterS(), v.Predict(j, sim.Placement{GPUs: gpus}), float64(len(gpus))
	if !(t > 0) || !(s.Rate > 0) {
		return chunk{}
	}
	f := s.Rate / g
	if s.Rate == float64(g*s.ComputeFrac) { // (g f) / g is not always f to the last bit
		f = s.ComputeFrac
	}
	gangS := t * k.size / f / g
	if k.when == EarlyNever {
		gangS = 0
	}
	return chunk{t / f * k.size, gangS, g * (t / f) * k.size}
}

// slack is the part of a chunk by which the work left may exceed a whole number of chunks and still
// be that number. Work is whole chunks, but the kernel's microseconds round it at every lease; one
// chunk too many would put the job's end on the float clock, and with it the next contest, seconds
// late.
const slack = 1e-2

// left is the number of chunks of work that a job has left.
func (k *chunks) left(v *sim.View, j sim.JobID, gpus int) float64 {
	return math.Ceil(v.Run(j).Left()/1e6/v.Job(j).IterS()/(k.size*float64(gpus)) - slack)
}

// Length is the length of a grant in whole chunks, 0 = to the end of the work; a lease when
// iterations are not known. A grant ends at the first point between two chunks at which the lease
// is over, or would be before as many more iterations of the whole gang are done: then it is given
// up early.
func (k *chunks) Length(v *sim.View, j sim.JobID, gpus []cluster.GPU) sim.Time {
	c := k.chunk(v, j, gpus)
	if c.s == 0 {
		return sim.Seconds(k.leaseS)
	}
	left, n := k.left(v, j, len(gpus)), math.Floor(k.leaseS/c.s)
	if rest := k.leaseS - float64(n*c.s); n < 1 || rest > 0 && rest >= c.gangS {
		n++
	}
	if left <= n { // it ends with the work, not with the lease
		return 0
	}
	return sim.Seconds(float64(n * c.s))
}

// Length is the same on the clock.
func (s *Clock) Length(v *sim.View, j sim.JobID, gpus []cluster.GPU) sim.Time {
	if s.size == 0 {
		return sim.Seconds(s.leaseS)
	}
	c := s.chunk(v, j, gpus)
	if c.s == 0 {
		return sim.Seconds(s.leaseS)
	}
	end, ends := s.grant(j, c, s.leaseS, s.left(v, j, len(gpus)))
	if ends {
		s.held[j] = append(s.held[j][:0], gpus...)
		s.ending = append(s.ending, j)
		return 0
	}
	return max(1, sim.Seconds(end)-v.Now())
}

// maxChunks is the number of chunks of a lease that are added one by one at most, which takes a
// millisecond; the others are added at once.
const maxChunks = 1e6

// grant notes when a grant ends on the float clock, and whether with the work, adding chunk by
// chunk as the original does.
func (s *Clock) grant(j sim.JobID, c chunk, leaseS, left float64) (end float64, ends bool) {
	over := s.now + leaseS
	end = s.now
	if n := min(left, math.Floor(leaseS/c.s)) - maxChunks; n > 0 {
		end += float64(n * c.s)
		s.run[j] += float64(n * c.s)
		s.service[j] += float64(n * c.service)
		left -= n
	}
	for ; ; left-- {
		end += c.s
		s.run[j] += c.s
		s.service[j] += c.service
		switch {
		case left <= 1:
			s.end[j] = end
			return end, true
		case end >= over:
			s.end[j] = end
			return end, false
		case end+c.gangS > over:
			s.end[j] = -end
			return end, false
		}
	}
}

// resolution is as in baselines/dally.
const resolution = 1e9

// Key is the key of the orders network and las, as the original computes them.
func (s *Clock) Key(v *sim.View, j sim.JobID) (key float64, ok bool) {
	switch {
	case s.size == 0:
		return 0, false
	case s.order == "las":
		return s.service[j], true
	case s.order == "network" && v.Job(j).IterS() > 0:
		return s.sensitivity(v, j), true
	}
	return 0, false
}

// sensitivity is the order's key as the original computes it, rounding and all: jobs that are
// equal on paper are distinguished by the last bits there too.
func (s *Clock) sensitivity(v *sim.View, j sim.JobID) float64 {
	run := s.run[j]
	if run == 0 {
		return 0
	}
	done := math.Round(v.Run(j).Done() / 1e6 / v.Job(j).IterS())
	if per := s.size * float64(v.Job(j).GPUs()); per > 0 { // microseconds may make it an iteration more or less
		done = math.Round(done/per) * per
	}
	total := float64(v.Job(j).Iterations())
	left := math.Max(0, total-done)
	ideal := v.Job(j).IterS() * total / v.Job(j).Width()
	n := (1 - left/total) / (run / ideal)
	if s.rounded {
		return math.Round(n*resolution) / resolution
	}
	return n
}
