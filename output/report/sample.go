package report

import (
	"fmt"
	"math"
	"slices"
)

// finestStep is the shortest step of a sampled timeline, in seconds; steps double from there.
const finestStep = 1.0 / 1024

// sampler keeps a bounded number of blocks. As long as they fit they stay as they are. Beyond, time
// is cut into steps of equal length and one moment of each is looked at: a block that is there at
// the moment has the step. A block is met with a probability in proportion to its length, so that
// the GPU-time of many short blocks is neither lost nor exaggerated, whatever the order in which
// they come. Steps double, and the moment of the longer step is the moment of one of its halves:
// what was passed over is not missed later.
type sampler struct {
	most   int
	every  float64 // length of a step; 0 = none yet
	blocks []block
	// count and area are of all blocks that came.
	count int
	area  float64
}

func (s *sampler) add(b block) {
	s.count++
	s.area += b.area()
	if s.met(&b) {
		s.blocks = append(s.blocks, b)
	}
	if len(s.blocks) > 2*s.most {
		s.thin()
	}
}

// thin lengthens the steps until the blocks fit.
func (s *sampler) thin() {
	for len(s.blocks) > s.most && s.every < math.MaxFloat64/4 {
		s.every = max(finestStep, 2*s.every)
		s.blocks = slices.DeleteFunc(s.blocks, func(b block) bool { return !s.met(&b) })
	}
}

// met reports whether a block is there at the moment of some step.
func (s *sampler) met(b *block) bool {
	if s.every == 0 {
		return true
	}
	first, last := s.steps(b)
	return last >= first
}

// steps gives the first and the last step at whose moment the block is there; last < first = at
// none.
func (s *sampler) steps(b *block) (first, last float64) {
	first, last = math.Floor(b.start/s.every), math.Floor(b.end/s.every)
	if s.moment(first) < b.start {
		first++
	}
	if s.moment(last) >= b.end {
		last--
	}
	return first, last
}

// moment is the time that is looked at in a step: chosen half by half, so that it beats with no
// period of the schedule.
func (s *sampler) moment(step float64) float64 {
	every := s.every
	for every > finestStep {
		x := math.Float64bits(step) ^ math.Float64bits(every)
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9 // the mixing steps of splitmix64
		x = (x ^ x>>27) * 0x94d049bb133111eb
		step *= 2
		if (x^x>>31)&1 == 1 {
			step++
		}
		every /= 2
	}
	return float64((step + 0.5) * every)
}

// drawn gives what is drawn: the blocks themselves, or the steps that they have.
func (s *sampler) drawn() []block {
	s.thin()
	if s.every == 0 {
		return s.blocks
	}
	out := slices.Clone(s.blocks)
	for i := range out {
		first, last := s.steps(&out[i])
		out[i].start, out[i].end = float64(first*s.every), float64((last+1)*s.every)
	}
	return out
}

// note reports what the picture is; "" when all is drawn as it was.
func (s *sampler) note(drawn []block) string {
	if s.every == 0 {
		return ""
	}
	sum := 0.0
	for i := range drawn {
		sum += drawn[i].area()
	}
	return fmt.Sprintf("Sampled: of every %.4g s, who held each GPU at one moment; that meets %d of %d spans, short "+
		"ones in proportion to their length. The GPU-time drawn is %.4g %% of the real. "+
		"A timeline here has at most %d spans; --timelines TEXT chooses fewer timelines, which then have more.",
		s.every, len(drawn), s.count, 100*sum/s.area, s.most)
}
