package plan

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The treap does what a sorted slice does, whatever the operations.
func TestForestIsASortedSlice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + r.IntN(60)
		f, root, in := make(forest, n), none, []int32{}
		for range 150 {
			j := r.Int32N(int32(n))
			if i := slices.Index(in, j); i >= 0 {
				root = f.remove(root, j)
				in = slices.Delete(in, i, i+1)
			} else {
				f[j].key, f[j].weight = float64(r.IntN(8)), float64(r.IntN(10))
				root = f.insert(root, j)
				in = append(in, j)
			}
			slices.SortFunc(in, func(a, b int32) int {
				if f.before(a, b) {
					return -1
				}
				return 1
			})
			if got := walk(f, root, nil); !slices.Equal(got, in) {
				t.Fatalf("in order %v, want %v", got, in)
			}
			want := none
			if len(in) > 0 {
				want = in[0]
			}
			if got := f.first(root); got != want {
				t.Fatalf("first %d, want %d", got, want)
			}
			for _, bound := range []float64{-1, 0, float64(r.IntN(10)), math.Inf(1)} {
				want := none
				if i := slices.IndexFunc(in, func(j int32) bool { return f[j].weight <= bound }); i >= 0 {
					want = in[i]
				}
				if got := f.within(root, bound); got != want {
					t.Fatalf("first within %v is %d, want %d", bound, got, want)
				}
			}
		}
	}
}

func walk(f forest, root int32, out []int32) []int32 {
	if root == none {
		return out
	}
	out = append(walk(f, f[root].left, out), root)
	return walk(f, f[root].right, out)
}

// Jobs come in order of arrival: the tree must not degenerate.
func TestForestStaysShallow(t *testing.T) {
	const n = 1 << 16
	f, root := make(forest, n), none
	for j := range int32(n) {
		root = f.insert(root, j)
	}
	var depth func(i int32) int
	depth = func(i int32) int {
		if i == none {
			return 0
		}
		return 1 + max(depth(f[i].left), depth(f[i].right))
	}
	if d := depth(root); d > 60 {
		t.Errorf("depth %d of %d jobs in order, expected at most 60", d, n)
	}
}
