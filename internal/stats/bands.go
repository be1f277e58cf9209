package stats

import (
	"slices"

	"tarry/sim/rng"
)

// A word of a table has the answers of this many profiles, in lanes of eight bits, which are added at once; the sum of as many words as
// a lane can count does not run over into the next.
const (
	lanes    = 8
	laneBits = 64 / lanes
	laneMax  = 1<<laneBits - 1
)

// bands are profiles of tasks of the same sizes with as many resamples: the same words of a stream draw the same of their values.
type bands struct {
	of    []*band
	sizes []int
	reps  int
	taus  int // of the longest
	left  int // draws

	tau, rep, task, at int        // where the next draw belongs
	tables             [][]uint64 // by task, then value: 1 in the lane of each profile that has it above its tau
	ranges             []rng.Range
	sum                uint64 // of the tables' words since lanes were emptied
	pending            int    // as many
}

func (g *bands) fits(b *band) bool { return g.reps == b.reps && slices.Equal(g.sizes, b.sizes()) }

func (g *bands) start() {
	for _, n := range g.sizes {
		g.tables = append(g.tables, make([]uint64, n))
		g.ranges = append(g.ranges, rng.Below(n))
	}
	for _, b := range g.of {
		g.taus = max(g.taus, len(b.taus))
		b.shares = make([]float64, 0, g.reps)
	}
	g.left = g.taus * g.reps * g.of[0].n
	g.mark()
}

// mark fills the tables for the next tau. A profile that has no more of them has nothing above.
func (g *bands) mark() {
	for task, table := range g.tables {
		clear(table)
		for lane, b := range g.of {
			if g.tau >= len(b.taus) {
				continue
			}
			tau, one := b.taus[g.tau], uint64(1)<<(lane*laneBits)
			for i, v := range b.clean[task] {
				if v > tau {
					table[i] |= one
				}
			}
		}
	}
}

// feed draws with the next words of the stream.
func (g *bands) feed(words []uint64) {
	for len(words) > 0 && g.left > 0 {
		table := g.tables[g.task]
		if g.pending == laneMax {
			g.empty()
		}
		m := min(len(words), len(table)-g.at, laneMax-g.pending)
		sum, drawn := g.ranges[g.task].Sum(table, words[:m])
		words = words[m:]
		g.sum, g.pending, g.left = g.sum+sum, g.pending+drawn, g.left-drawn
		if g.at += drawn; g.at == len(table) {
			g.next()
		}
	}
}

// empty moves what the lanes have counted to the profiles.
func (g *bands) empty() {
	for lane, b := range g.of {
		b.over += int(g.sum >> (lane * laneBits) & laneMax)
	}
	g.sum, g.pending = 0, 0
}

// next goes to the next task, resample, tau.
func (g *bands) next() {
	g.at = 0
	if g.task++; g.task < len(g.tables) {
		return
	}
	g.task = 0
	g.empty()
	g.rep++
	for _, b := range g.of {
		if g.tau >= len(b.taus) {
			continue
		}
		b.shares = append(b.shares, float64(b.over)/float64(b.n))
		if b.over = 0; g.rep == g.reps {
			b.endTau(g.tau)
		}
	}
	if g.rep < g.reps {
		return
	}
	g.rep = 0
	if g.tau++; g.tau < g.taus {
		g.mark()
	}
}
