//go:build unix

package config

import (
	"slices"
	"testing"
)

// greedy gives GPUs out one step at a time, each to the job that gains most by it. The zero value
// is ready.
type greedy struct{ heap []offer }

// offer is what a job would do with its next step.
type offer struct {
	gain float64
	id   int32
	gpus int32
}

func (a offer) before(b offer) bool { return a.gain > b.gain || a.gain == b.gain && a.id < b.id }

// give gives up to left GPUs to n jobs, numbered from 0: next states how many GPUs the next step of
// a job takes and what is gained by it, and take that the job gets them. A job takes no more part
// when its gain is not above 0, or its step takes more than there is. Of equal gains the smaller
// number comes first. It returns what is left. It costs n and the logarithm of n for each step.
func (g *greedy) give(left int32, n int, next func(i int) (gpus int32, gain float64),
	take func(i int, gpus int32)) int32 {
	g.heap = g.heap[:0]
	for i := range n {
		if gpus, gain := next(i); gain > 0 && gpus > 0 && gpus <= left {
			g.heap = append(g.heap, offer{gain, int32(i), gpus})
		}
	}
	for i := len(g.heap)/2 - 1; i >= 0; i-- {
		g.down(i)
	}
	for len(g.heap) > 0 && left > 0 {
		top := &g.heap[0]
		if top.gpus <= left {
			left -= top.gpus
			take(int(top.id), top.gpus)
			if gpus, gain := next(int(top.id)); gain > 0 && gpus > 0 && gpus <= left {
				top.gpus, top.gain = gpus, gain
				g.down(0)
				continue
			}
		}
		last := len(g.heap) - 1
		g.heap[0] = g.heap[last]
		g.heap = g.heap[:last]
		g.down(0)
	}
	return left
}

func (g *greedy) down(i int) {
	for {
		c := 2*i + 1
		if c >= len(g.heap) {
			return
		}
		if c+1 < len(g.heap) && g.heap[c+1].before(g.heap[c]) {
			c++
		}
		if !g.heap[c].before(g.heap[i]) {
			return
		}
		g.heap[i], g.heap[c] = g.heap[c], g.heap[i]
		i = c
	}
}

// It gives each step to the largest gain, as a search through all jobs at each step does.
func TestGreedy(t *testing.T) {
	curves := [][]float64{{0, 4, 6, 7, 7.5}, {0, 1, 2, 3, 4}, {0, 0, 7, 0, 8}, {0, 3, 2, 9}}
	for left := range int32(14) {
		var g greedy
		got, want := make([]int32, 4), make([]int32, 4)
		next := func(have []int32) func(i int) (int32, float64) {
			return func(i int) (int32, float64) {
				step := int32(1 + i%3/2)
				if int(have[i]+step) >= len(curves[i]) {
					return 0, 0
				}
				return step, (curves[i][have[i]+step] - curves[i][have[i]]) / float64(step)
			}
		}
		rest := g.give(left, 4, next(got), func(i int, gpus int32) { got[i] += gpus })
		spare, out := left, [4]bool{}
		for {
			best, most, step := -1, 0.0, int32(0)
			for i := range want {
				n, gain := next(want)(i)
				if out[i] = out[i] || n > spare || gain <= 0; !out[i] && gain > most {
					best, most, step = i, gain, n
				}
			}
			if best < 0 {
				break
			}
			want[best] += step
			spare -= step
		}
		if !slices.Equal(got, want) || rest != spare {
			t.Errorf("%d GPUs: %v and %d left, expected %v and %d", left, got, rest, want, spare)
		}
	}
}
