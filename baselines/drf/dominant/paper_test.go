package dominant

import (
	"testing"
)

// fill gives tasks to leaves until none fits, at most many[i] to leaf i, and returns how many each
// has.
func fill(t *Tree, leaves []int32, tasks []Vector, many []int) []int {
	have := make([]int, len(leaves))
	at := map[int32]int{}
	for i, l := range leaves {
		at[l] = i
	}
	for {
		l := t.Pick(func(l int32) bool { return have[at[l]] < many[at[l]] && t.fits(tasks[at[l]]) })
		if l == None {
			return have
		}
		t.Use(l, tasks[at[l]], 1)
		have[at[l]]++
	}
}

func (t *Tree) fits(v Vector) bool {
	for r := range v {
		if t.nodes[Root].used[r]+v[r] > t.total[r] {
			return false
		}
	}
	return true
}

func expect(t *testing.T, what string, got []int, want ...int) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s: %v tasks, expected %v", what, got, want)
		}
	}
}

// NSDI 2011, section 4.1: 9 CPUs, 18 GB; tasks of A need 1 CPU and 4 GB, tasks of B 3 CPUs and 1
// GB. A gets 3 tasks, B 2; both have 2/3 of their dominant resource.
func TestExampleOfThePaper(t *testing.T) {
	tr := New(Vector{9, 18}, HDRF)
	leaves := []int32{tr.Add(Root, 1, true), tr.Add(Root, 1, true)}
	expect(t, "A and B", fill(tr, leaves, []Vector{{1, 4}, {3, 1}}, []int{99, 99}), 3, 2)
	if a, b := tr.Share(leaves[0]), tr.Share(leaves[1]); a != 2.0/3 || b != 2.0/3 {
		t.Errorf("shares %v and %v, expected 2/3", a, b)
	}
}

// Weights: of 12 CPUs weights 2 and 1 give 8 and 4.
func TestWeights(t *testing.T) {
	tr := New(Vector{12}, HDRF)
	leaves := []int32{tr.Add(Root, 2, true), tr.Add(Root, 1, true)}
	expect(t, "2 and 1", fill(tr, leaves, []Vector{{1}, {1}}, []int{99, 99}), 8, 4)
}

// SoCC 2013, why summing up is not enough: n1 wants the first resource, n2 has n2.1, which wants
// the second, and n2.2, which wants the first. All have endless tasks, 10 of each resource. n2.1
// gets all of the second, as no other wants it. Then tasks end one by one, tasks of n1 and n2.2 by
// turns, and what they give back is given out again. The naive rule sees n2 at 100 % and gives all
// to n1: n2.2 starves. H-DRF keeps 5 and 5.
func TestNaiveStarves(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		want []int
	}{{Naive, []int{10, 10, 0}}, {HDRF, []int{5, 10, 5}}, {Rescaled, []int{5, 10, 5}}} {
		tr := New(Vector{10, 10}, c.kind)
		n1, n2 := tr.Add(Root, 1, true), tr.Add(Root, 1, false)
		leaves := []int32{n1, tr.Add(n2, 1, true), tr.Add(n2, 1, true)}
		tasks, endless := []Vector{{1, 0}, {0, 1}, {1, 0}}, []int{99, 99, 99}
		have := fill(tr, leaves, tasks, endless)
		if have[0]-have[2] > 2 || have[1] != 10 { // ties go to n1
			t.Errorf("kind %d begins with %v tasks, expected 5, 10 and 5 within one", c.kind, have)
		}
		for i := range 100 {
			if k := 2 * (i % 2); have[k] > 0 {
				tr.Use(leaves[k], tasks[k], -1)
				have[k]--
			}
			for k, n := range fill(tr, leaves, tasks, endless) {
				have[k] += n
			}
		}
		t.Logf("kind %d: %v", c.kind, have)
		expect(t, "after 100 ends", have, c.want...)
	}
}

// SoCC 2013, why what is blocked must be counted as it is: n1, n2 and n3.1 want the first resource,
// n3.2 and n4 the second. Each of the first three ends with a third of the first. With rescaling
// alone n3 stays at that third and n3.2 takes 2/3 of the second; H-DRF divides it evenly between
// n3.2 and n4.
func TestBlocked(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		want []int
	}{{Rescaled, []int{200, 200, 200, 400, 200}}, {HDRF, []int{200, 200, 200, 300, 300}}} {
		tr := New(Vector{600, 600}, c.kind)
		n1, n2, n3, n4 := tr.Add(Root, 1, true), tr.Add(Root, 1, true), tr.Add(Root, 1, false), tr.Add(Root, 1, true)
		leaves := []int32{n1, n2, tr.Add(n3, 1, true), tr.Add(n3, 1, true), n4}
		got := fill(tr, leaves, []Vector{{1}, {1}, {1}, {0, 1}, {0, 1}}, []int{999, 999, 999, 999, 999})
		for i := range got {
			if d := got[i] - c.want[i]; d < -1 || d > 1 {
				t.Errorf("kind %d: %v tasks, expected %v within one", c.kind, got, c.want)
			}
		}
	}
}

func TestMeet(t *testing.T) {
	tr := New(Vector{1}, HDRF)
	a, b := tr.Add(Root, 1, false), tr.Add(Root, 1, false)
	u, v, w := tr.Add(a, 1, true), tr.Add(a, 1, true), tr.Add(b, 1, true)
	for _, c := range [][4]int32{{u, v, u, v}, {u, w, a, b}, {w, v, b, a}} {
		if x, y := tr.Meet(c[0], c[1]); x != c[2] || y != c[3] {
			t.Errorf("%d and %d meet at %d and %d, expected %d and %d", c[0], c[1], x, y, c[2], c[3])
		}
	}
}
