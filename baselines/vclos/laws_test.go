package vclos

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestOwnSequences: jobs that come and go in any sizes never share a link, and one that is refused
// finds no equal division by enumeration; a refused size that none could serve finds an uneven one
// when nothing runs.
func TestOwnSequences(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range 60 {
		leaves, spines := 2+r.IntN(7), 1+r.IntN(8)
		size := spines
		if trial%3 == 0 {
			size = 1 + r.IntN(9)
		}
		var c state
		c.Open(leaves, spines, size)
		c.used = make([]bool, leaves*size)
		whole := c.free()
		type job struct {
			part Part
			gpus []int
		}
		var jobs []job
		for range 200 {
			if k := len(jobs); k > 0 && r.IntN(5) < 2 {
				at := r.IntN(k)
				c.Give(&jobs[at].part)
				c.set(jobs[at].gpus, false)
				jobs = slices.Delete(jobs, at, at+1)
				continue
			}
			n := 1 + r.IntN(leaves*size)
			var p Part
			if !c.Find(&p, n, c.free(), whole) {
				if k := enumerate(&c, n); k > 0 {
					t.Fatalf("%d leaves, %d spines, %d GPUs: a job of %d is refused, expected one of %d parts", leaves, spines,
						size, n, k)
				}
				if len(jobs) == 0 {
					t.Fatalf("%d leaves of %d: a job of %d is refused though nothing runs", leaves, size, n)
				}
				continue
			}
			sum, widest := 0, 0
			for i, l := range p.Leaves {
				sum, widest = sum+int(p.GPUs[i]), max(widest, int(p.GPUs[i]))
				if c.Links[l]&p.Spines != p.Spines {
					t.Fatalf("%+v takes links of leaf %d, of which %b are free", p, l, c.Links[l])
				}
			}
			if sum != n || len(p.Leaves) > 1 && bits.OnesCount64(p.Spines) < c.Width(widest) {
				t.Fatalf("%+v for a job of %d on leaves of %d GPUs and %d spines", p, n, size, spines)
			}
			gpus := c.gpus(&p, 1)
			c.set(gpus, true)
			c.Take(&p)
			jobs = append(jobs, job{p, gpus})
		}
	}
}

// enumerate counts the sets of leaves that give a job equal parts.
func enumerate(c *state, n int) (k int) {
	free := c.free()
	for set := 1; set < 1<<len(free); set++ {
		m, common, fits := bits.OnesCount(uint(set)), ^uint64(0), true
		if n%m != 0 {
			continue
		}
		for l, f := range free {
			if set>>l&1 == 1 {
				fits, common = fits && int(f) >= n/m, common&c.Links[l]
			}
		}
		if fits && (m == 1 || bits.OnesCount64(common) >= c.Width(n/m)) {
			k++
		}
	}
	return k
}

// TestFullerLeavesGo: of the leaves with room and links the ones with fewest GPUs free are taken, and
// the lowest spines.
func TestFullerLeavesGo(t *testing.T) {
	var n Network
	n.Open(4, 4, 4)
	n.Links[1] = 0b1010 // one job has spines 0 and 2
	var p Part
	if !n.Find(&p, 4, []int32{3, 2, 3, 2}, []int32{4, 4, 4, 4}) || !slices.Equal(p.Leaves, []int32{1, 3}) ||
		p.Spines != 0b1010 {
		t.Errorf("%+v, expected leaves 1 and 3 by spines 1 and 3", p)
	}
	n.Links[3] = 0b0101 // no common spine with leaf 1
	if !n.Find(&p, 4, []int32{3, 2, 3, 2}, []int32{4, 4, 4, 4}) || !slices.Equal(p.Leaves, []int32{0, 1}) ||
		p.Spines != 0b1010 {
		t.Errorf("%+v, expected leaves 0 and 1 by spines 1 and 3", p)
	}
}

// TestSpread: equal parts of 1, 2, 4 machines, emptiest first; else what there is.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		room []int32
		n    int
		want []int32
	}{
		{[]int32{2, 4, 3}, 3, []int32{0, 3, 0}},
		{[]int32{2, 3, 3}, 4, []int32{0, 2, 2}},
		{[]int32{1, 2, 2, 1}, 4, []int32{0, 2, 2, 0}},
		{[]int32{1, 1, 1, 1}, 4, []int32{1, 1, 1, 1}},
		{[]int32{3, 1, 1}, 5, []int32{3, 1, 1}},
	} {
		if got, _ := spread(nil, c.room, c.n, nil); !slices.Equal(got, c.want) {
			t.Errorf("%d of %v: %v, expected %v", c.n, c.room, got, c.want)
		}
	}
}
