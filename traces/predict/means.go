package predict

import (
	"maps"

	"tarry/sim"
)

// level is one partition of jobs into groups.
type level uint8

// The levels.
const (
	everyone level = iota
	bySize
	byUser
	byUserSize
)

// group is one group of a level.
type group struct {
	level level
	user  string
	size  int32
}

func groupOf(l level, j *sim.Job) group {
	g := group{level: l}
	if l == bySize || l == byUserSize {
		g.size = j.GPUs
	}
	if l == byUser || l == byUserSize {
		g.user = j.User
	}
	return g
}

// cell is the mean of a group, over the latest jobs.
type cell struct{ n, mean float64 }

// means adds up, level by level, how far a group lies from the levels before it: its mean error,
// drawn towards 0 as if shrink further jobs had none.
type means struct {
	levels []level
	shrink float64
	memory float64 // jobs after which a group forgets; 0 = never
	cells  map[group]cell
}

func newMeans(shrink, memory float64, levels ...level) *means {
	return &means{levels, shrink, memory, map[group]cell{}}
}

func (m *means) point(j *sim.Job) (y float64, ok bool) {
	for _, l := range m.levels {
		c, found := m.cells[groupOf(l, j)]
		if !found {
			continue
		}
		y += m.pull(l, c)
		ok = true
	}
	return y, ok
}

// pull is what a group adds.
func (m *means) pull(l level, c cell) float64 {
	if l == everyone {
		return c.mean
	}
	return c.mean * (c.n / (c.n + m.shrink))
}

func (m *means) add(j *sim.Job, y float64) {
	for _, l := range m.levels {
		g := groupOf(l, j)
		c := m.cells[g]
		before := m.pull(l, c)
		c.n++
		if m.memory > 0 {
			c.n = min(c.n, m.memory)
		}
		c.mean += (y - c.mean) / c.n
		m.cells[g] = c
		y -= before
	}
}

// relearn starts from nothing, since later jobs count for more.
func (m *means) relearn() estimator { return m.empty() }

func (m *means) empty() estimator { return newMeans(m.shrink, m.memory, m.levels...) }

func (m *means) clone() estimator {
	c := *m
	c.cells = maps.Clone(m.cells)
	return &c
}
