package plan

import (
	"math/rand/v2"
	"testing"
)

// The node on which a number of GPUs fits best equals the result of a walk over all nodes.
func TestFittestRoom(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var x bins
	for range 100 {
		x.open()
		left := make([]int32, 1+r.IntN(200))
		total := int32(0)
		for k := range left {
			left[k] = int32(1 + r.IntN(8))
			x.put(int32(k), left[k])
			total += left[k]
		}
		for total > 0 {
			need := int32(1 + r.IntN(12))
			best, room := -1, 0
			for k, n := range left {
				if n > 0 && (best < 0 || fitter(int(n), room, int(need))) {
					best, room = k, int(n)
				}
			}
			node, n := x.fittest(need)
			if int(node) != best || int(n) != room {
				t.Fatalf("%d GPUs: node %d with %d left, expected %d with %d", need, node, n, best, room)
			}
			n = min(need, n)
			x.take(node, left[node])
			left[node] -= n
			x.put(node, left[node])
			total -= n
		}
	}
}
