package ats

import (
	"math"
	"slices"
	"testing"

	"tarry/sim/rng"
)

// brute is the largest sum of all choices.
func brute(values [][]float64, gpus int) float64 {
	if len(values) == 0 {
		return 0
	}
	last := len(values) - 1
	best := brute(values[:last], gpus)
	for w := 1; w <= min(gpus, len(values[last])); w++ {
		best = max(best, brute(values[:last], gpus-w)+values[last][w-1])
	}
	return best
}

// The counts fit, reach the largest sum of all choices, and are the fewest that do, from the last job on.
func TestCounts(t *testing.T) {
	r := rng.Source{Seed: 1}.Stream("knapsack")
	var k Knapsack
	for range 300 {
		values := make([][]float64, r.IntN(5))
		for i := range values {
			for range r.IntN(5) {
				values[i] = append(values[i], float64(r.IntN(6)))
			}
		}
		gpus := r.IntN(9)
		counts := k.Counts(values, gpus)
		room, want := gpus, brute(values, gpus)
		for i := len(values) - 1; i >= 0; i-- {
			c, rest := 0, 0.0
			for w := 1; w <= min(room, len(values[i])); w++ {
				if rest = brute(values[:i], room-w); rest+values[i][w-1] == want {
					c = w
					break
				}
			}
			if c == 0 {
				rest = brute(values[:i], room)
			}
			if counts[i] != c {
				t.Fatalf("job %d of %v has %d of %d GPUs, expected %d", i, values, counts[i], gpus, c)
			}
			room, want = room-c, rest
		}
	}
}

// A job of no value gets a GPU where one is left, and none where another has value; counts that a job cannot
// have are not given.
func TestCountsByHand(t *testing.T) {
	no := math.Inf(-1)
	for _, c := range []struct {
		values [][]float64
		gpus   int
		want   []int
	}{
		{[][]float64{{1}, {0}}, 2, []int{1, 1}},
		{[][]float64{{1}, {0}}, 1, []int{1, 0}},
		{[][]float64{{1, 1.5, 1.7}, {1, 1.9}}, 3, []int{1, 2}},
		{[][]float64{{no, 3}, {2}}, 2, []int{2, 0}},
		{[][]float64{{no, 3}, {2}}, 1, []int{0, 1}},
		{[][]float64{{1}}, 0, []int{0}},
		{nil, 3, []int{}},
	} {
		var k Knapsack
		if got := k.Counts(c.values, c.gpus); !slices.Equal(got, c.want) {
			t.Errorf("%v on %d GPUs gives %v, expected %v", c.values, c.gpus, got, c.want)
		}
	}
}

func TestNode(t *testing.T) {
	for _, c := range []struct {
		free []int
		need int
		want int
	}{
		{[]int{4, 2, 3, 2}, 2, 1},
		{[]int{4, 2, 3, 2}, 3, 2},
		{[]int{4, 2, 4}, 6, 0},
		{[]int{0, 1}, 1, 1},
		{[]int{0, 0}, 1, -1},
	} {
		if got := Node(c.free, c.need); got != c.want {
			t.Errorf("%d GPUs of %v go to node %d, expected %d", c.need, c.free, got, c.want)
		}
	}
}

// The GPU goes whose loss costs least: a machine's last, where machines cost, else the slowest job's.
func TestLoser(t *testing.T) {
	curve := func(job, nodes, gpus int) float64 {
		return float64(gpus)/float64(1+job) - 0.3*float64(max(nodes-1, 0))
	}
	for _, c := range []struct {
		held      [][]int
		job, node int
	}{
		{[][]int{{2, 0}, {0, 2}}, 1, 1},
		{[][]int{{2, 0}, {1, 1}}, 1, 0},
		{[][]int{{2, 1}, {0, 1}}, 1, 1},
		{[][]int{{0, 3}, {0, 0}}, 0, 1},
		{[][]int{{0, 0}}, -1, -1},
		{nil, -1, -1},
	} {
		if job, node := Loser(c.held, curve); job != c.job || node != c.node {
			t.Errorf("of %v job %d loses a GPU on node %d, expected %d on %d", c.held, job, node, c.job, c.node)
		}
	}
}
