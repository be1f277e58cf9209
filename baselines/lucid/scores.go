package lucid

import (
	"math"

	"tarry/sim"
	"tarry/sim/cluster"
)

// kind are jobs that are taken to be alike beside others.
type kind struct {
	model string
	gpus  int32
	usage int32 // utilisation in twentieths
	mib   int32 // memory in GiB
}

// mostKinds bounds the table; further kinds have its last row in common.
const mostKinds = 256

// scores is what jobs of each kind keep of their speed beside each other kind.
type scores struct {
	index map[kind]int32
	keep  [][]float64 // keep[a][b] is what a keeps beside b; NaN = not seen together yet
	sum   []float64   // over the b that are known
	seen  []float64   // how many
}

// score adds up the share scores of a waiting and a running job.
func (p *Policy) score(v *sim.View, j, r sim.JobID, gpus []cluster.GPU) int {
	if p.cfg.usage {
		return p.busy(v, j) + p.busy(v, r)
	}
	a, b := p.kindOf(v, j), p.kindOf(v, r)
	s := &p.scores
	if math.IsNaN(s.keep[a][b]) {
		p.turns.again()
		s.learn(a, b, keepOf(v, j, r, gpus))
		if a != b {
			s.learn(b, a, keepOf(v, r, j, gpus))
		}
	}
	return s.of(a, &p.cfg) + s.of(b, &p.cfg)
}

// tooSlow reports whether the scores of two jobs are known to be too high together.
func (p *Policy) tooSlow(v *sim.View, j, r sim.JobID) bool {
	if p.cfg.usage {
		return p.busy(v, j)+p.busy(v, r) > p.cfg.sum
	}
	a, b := p.kindOf(v, j), p.kindOf(v, r)
	s := &p.scores
	return !math.IsNaN(s.keep[a][b]) && s.of(a, &p.cfg)+s.of(b, &p.cfg) > p.cfg.sum
}

// busy is the score by utilisation, 2 where it is not known.
func (p *Policy) busy(v *sim.View, j sim.JobID) int {
	switch u := v.Job(j).GPUUtilFrac(); {
	case u > 0 && u <= p.cfg.scores[0]:
		return 0
	case u > 0 && u <= p.cfg.scores[1]:
		return 1
	}
	return 2
}

// keepOf is the part of its speed that a job keeps on GPUs beside another, 0 where the speed model
// has no answer.
func keepOf(v *sim.View, j, mate sim.JobID, gpus []cluster.GPU) float64 {
	alone := v.Predict(j, sim.Placement{GPUs: gpus, Alone: true}).Rate
	if !(alone > 0) {
		return 0
	}
	return v.Predict(j, sim.Placement{GPUs: gpus, Knobs: sim.Knobs{ShareMilli: 500},
		Fresh: true, Alone: true, Mate: sim.Peer{ID: mate, GPUs: gpus, Knobs: sim.Knobs{ShareMilli: 500}}}).Rate / alone
}

// kindOf is the row of a job in the table.
func (p *Policy) kindOf(v *sim.View, j sim.JobID) int32 {
	m := &p.jobs[j]
	if m.kind > 0 {
		return m.kind - 1
	}
	k := kind{v.Job(j).Model(), int32(v.Job(j).GPUs()), int32(math.Round(float64(20 * v.Job(j).GPUUtilFrac()))),
		int32(int64(v.Job(j).GPUMiB()) >> 10)}
	m.kind = p.scores.row(k) + 1
	return m.kind - 1
}

func (s *scores) row(k kind) int32 {
	if i, ok := s.index[k]; ok {
		return i
	}
	if s.index == nil {
		s.index = map[kind]int32{}
	}
	n := len(s.keep)
	if n == mostKinds {
		return mostKinds - 1
	}
	s.index[k] = int32(n)
	s.sum, s.seen = append(s.sum, 0), append(s.seen, 0)
	row := make([]float64, n)
	for i := range row {
		row[i] = math.NaN()
	}
	s.keep = append(s.keep, row)
	for i := range s.keep {
		s.keep[i] = append(s.keep[i], math.NaN())
	}
	return int32(n)
}

func (s *scores) learn(a, b int32, keep float64) {
	s.keep[a][b] = keep
	s.sum[a] += keep
	s.seen[a]++
}

// of is a kind's share score by what it keeps on average.
func (s *scores) of(a int32, c *config) int {
	switch mean := s.sum[a] / s.seen[a]; {
	case mean >= c.scores[0]:
		return 0
	case mean >= c.scores[1]:
		return 1
	}
	return 2
}
