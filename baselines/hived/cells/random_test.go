package cells

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"tarry/internal/effort"
)

// small is a cluster of 2 kinds of GPUs and 3 tenants that bought most of it, in cells of all
// levels.
func small() Config {
	types := map[string]Type{
		"pair": {"g", 2, false}, "node": {"pair", 2, true}, "rack": {"node", 2, false}, "row": {"rack", 2, false},
		"hnode": {"h", 4, true}, "hrack": {"hnode", 3, false},
	}
	cfg := Config{Types: types}
	for i, t := range []string{"row", "row", "hrack", "hrack"} {
		top := Top{Type: t}
		for k := range map[string]int{"row": 4, "hrack": 3}[t] {
			top.Nodes = append(top.Nodes, fmt.Sprintf("n%d.%d", i, k))
		}
		if i == 0 {
			top.Pinned = []Pin{{"nailed", []string{"n0.1"}, -1}}
		}
		cfg.Tops = append(cfg.Tops, top)
	}
	cfg.VCs = []VC{
		{"a", []Bought{{[]string{"row", "rack"}, 1}, {[]string{"row", "rack", "node", "pair"}, 2},
			{[]string{"hrack", "hnode"}, 2}}, []string{"nailed"}},
		{"b", []Bought{{[]string{"row", "rack", "node"}, 2}, {[]string{"row", "rack", "node", "pair", "g"}, 2},
			{[]string{"hrack"}, 1}}, nil},
		{"c", []Bought{{[]string{"row", "rack", "node", "pair"}, 1}, {[]string{"row", "rack", "node"}, 1}}, nil},
	}
	return cfg
}

// private is the cluster with one tenant alone and no more top cells than it needs.
func private(t *testing.T, cfg Config, vc int) *Cluster {
	t.Helper()
	own := cfg
	own.VCs = []VC{cfg.VCs[vc]}
	own.Tops = slices.Clone(cfg.Tops)
	for i := len(own.Tops) - 1; i >= 0; i-- {
		less := own
		less.Tops = slices.Delete(slices.Clone(own.Tops), i, i+1)
		if _, err := New(less); err == nil {
			own = less
		}
	}
	c, err := New(own)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// whole collects the largest cells without a bound cell in, above or below them.
func whole(c *cell, out map[*cell]bool) (unbound bool) {
	if c.peer != nil {
		return false
	}
	var free []*cell
	for _, k := range c.children {
		if whole(k, out) {
			free = append(free, k)
		}
	}
	if len(free) == len(c.children) {
		return true
	}
	for _, k := range free {
		out[k] = true
	}
	return false
}

// brute compares what is kept with what a count from the ground gives.
func brute(c *Cluster) error {
	for _, ch := range c.chains {
		want, n := map[*cell]bool{}, 0
		for _, top := range ch.tops {
			if whole(top, want) {
				want[top] = true
			}
			if err := counted(top); err != nil {
				return err
			}
		}
		for l, f := range ch.free {
			n += len(f)
			for _, x := range f {
				if !want[x] || x.level != l {
					return fmt.Errorf(
						"chain %s: a cell of level %d is in the free list of level %d, by count free: %v", ch.name,
						x.level, l, want[x])
				}
			}
		}
		if n != len(want) {
			return fmt.Errorf("chain %s: %d free cells, by count %d", ch.name, n, len(want))
		}
		promised := make([]int, len(ch.promised))
		for _, t := range c.vcs {
			for _, q := range t.quotas {
				free := make([]int, len(q.free))
				for _, r := range q.roots {
					if r.peer == nil {
						free[r.level]++
					}
					if err := counted(r); err != nil {
						return err
					}
				}
				if !slices.Equal(free, q.free) {
					return fmt.Errorf("VC %s: free cells %v, by count %v", t.name, q.free, free)
				}
				if q.chain == ch {
					for l, k := range free {
						promised[l] += k
					}
				}
			}
		}
		if l := unsafe(ch.counts(), promised, ch.kids); l > 0 || !slices.Equal(promised, ch.promised) {
			return fmt.Errorf("chain %s: promised %v, by count %v; level %d short", ch.name, ch.promised, promised, l)
		}
	}
	return held(c)
}

// counted checks the tallies of a tree and that peers are each other's, of one level and with bound
// parents.
func counted(c *cell) error {
	n := 0
	for _, x := range c.at(1, nil) {
		if x.prio != idle {
			n++
		}
		if c.level == 1 && c.usedAt(x.prio) != n {
			return fmt.Errorf("a GPU of priority %d has tallies %v", x.prio, c.used)
		}
	}
	if c.usedFrom(Opportunistic) != n {
		return fmt.Errorf("a cell of level %d counts %v, by count %d", c.level, c.used, n)
	}
	if p := c.peer; p != nil && (p.peer != c || p.level != c.level || c.parent != nil && p.parent != nil &&
		(c.parent.peer == nil) != (p.parent.peer == nil) ||
		c.parent != nil && c.parent.peer != nil && c.parent.peer != p.parent && p.quota == nil && c.quota == nil) {
		return fmt.Errorf("a cell of level %d is bound across parents", c.level)
	}
	for _, k := range c.children {
		if err := counted(k); err != nil {
			return err
		}
	}
	return nil
}

// held checks that each GPU has at most one user, one claim, and the priority of who holds it.
func held(c *Cluster) error {
	for name, g := range c.groups {
		var err error
		g.each(func(s *slot) {
			switch owner := s.p.claim; {
			case g.state == Preempting && owner != g, g.state != Preempting && s.p.group != g:
				err = fmt.Errorf("group %s has lost a GPU", name)
			case owner != nil && owner != g:
			case s.v == nil && s.p.prio != Opportunistic, s.v != nil &&
				(s.p.prio != g.prio || s.v.group != g || s.v.peer != s.p):
				err = fmt.Errorf("group %s, state %d, has a GPU of priority %d", name, g.state, s.p.prio)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// request draws a pod of a new group.
func request(r *rand.Rand, i int) Pod {
	p := Pod{Name: "p" + strconv.Itoa(i), Group: "g" + strconv.Itoa(i), VC: []string{"a", "b", "c"}[r.IntN(3)],
		Priority: r.IntN(4) - 1, Lazy: r.IntN(2) == 0}
	p.GPUs = []int{1, 1, 2, 3, 4}[r.IntN(5)]
	p.Members = []Member{{Pods: 1 + r.IntN(2)*r.IntN(4), GPUs: p.GPUs}}
	if r.IntN(4) == 0 {
		p.Members = append(p.Members, Member{1, 1 + r.IntN(4)})
	}
	if r.IntN(3) == 0 && p.VC != "c" {
		p.GPUType = []string{"g", "h"}[r.IntN(2)]
	}
	if p.VC == "a" && p.Priority >= 0 && r.IntN(5) == 0 {
		p.Pinned, p.GPUType = "nailed", ""
	}
	return p
}

// operations is how many a random test does.
func operations(t *testing.T) int { return effort.Of(t, 100_000, 10_000_000) }

// looks reports whether the state is counted after an operation: always at first, else now and
// then.
func looks(i int) bool { return i < 3000 || i%23 == 0 }

// TestPrivate: guaranteed requests of a tenant are met in the shared cluster exactly when they are
// met in its private one, among opportunistic pods and other tenants. Groups to be ended are ended
// at once, and then the request is met.
func TestPrivate(t *testing.T) {
	cfg := small()
	shared, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	alone := map[string]*Cluster{}
	for i, v := range cfg.VCs {
		alone[v.Name] = private(t, cfg, i)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var pods []Pod
	var binds, preempts, waits int
	for i := range operations(t) {
		if len(pods) > 0 && r.IntN(100) < 48 {
			k := r.IntN(len(pods))
			p := pods[k]
			pods = slices.Delete(pods, k, k+1)
			// A downgraded group may have ended in one of the clusters; its virtual cells are free
			// in both.
			here, there := shared.State(p.Group), Allocated
			if p.Priority >= 0 {
				there = alone[p.VC].State(p.Group)
				_ = alone[p.VC].Delete(p.Name)
			}
			if p.Priority >= 0 && (here == Allocated) != (there == Allocated) {
				t.Fatalf("operation %d: group %s has state %d, in the private cluster %d", i, p.Group, here, there)
			}
			_ = shared.Delete(p.Name)
			continue
		}
		p := request(r, i)
		got, victims := settled(t, shared, p)
		if p.Priority >= 0 {
			want, _ := settled(t, alone[p.VC], p)
			if got != want {
				t.Fatalf("operation %d: %+v: result %d, in the private cluster %d", i, p, got, want)
			}
		} else if victims > 0 {
			t.Fatalf("operation %d: an opportunistic pod has victims", i)
		}
		switch {
		case got == Wait:
			waits++
		case victims > 0:
			preempts++
			fallthrough
		default:
			binds++
			pods = append(pods, p)
		}
		if looks(i) {
			if err := brute(shared); err != nil {
				t.Fatalf("operation %d: %v", i, err)
			}
		}
	}
	t.Logf("%d groups placed, %d of them after preemption, %d waited", binds, preempts, waits)
	if binds == 0 || preempts == 0 || waits == 0 {
		t.Error("expected some of each")
	}
}

// settled asks and ends victims until there is an answer.
func settled(t *testing.T, c *Cluster, p Pod) (Result, int) {
	t.Helper()
	n := 0
	for range 3 {
		d, err := c.Schedule(p, Options{})
		if err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		if d.Result != Preempt {
			return d.Result, n
		}
		n += len(d.Victims)
		for _, v := range d.Victims {
			if err := c.Delete(v); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Fatalf("%+v: still waits for others after its victims ended", p)
	return Wait, 0
}

// TestDisorder: requests that stay half done, bad nodes and suggested nodes, among all else; the
// state stays whole, and empty in the end.
func TestDisorder(t *testing.T) {
	c, err := New(small())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	var pods []Pod
	var results [3]int
	for i := range operations(t) {
		switch k := r.IntN(100); {
		case k < 40 && len(pods) > 0:
			k := r.IntN(len(pods))
			_ = c.Delete(pods[k].Name) // a preemptor that was canceled is gone already
			pods = slices.Delete(pods, k, k+1)
		case k < 45:
			if err := c.SetBad(c.names[r.IntN(len(c.names))], r.IntN(3) == 0); err != nil {
				t.Fatal(err)
			}
		case k < 60 && len(pods) > 0 && c.State(pods[len(pods)-1].Group) == Preempting:
			if _, err := c.Schedule(pods[len(pods)-1], Options{}); err != nil {
				t.Fatal(err)
			}
		default:
			p, o := request(r, i), Options{Filtering: r.IntN(4) == 0}
			if r.IntN(3) == 0 {
				not := c.names[r.IntN(len(c.names))]
				o.Suggested = func(n string) bool { return n != not }
			}
			d, err := c.Schedule(p, o)
			if err != nil {
				t.Fatalf("operation %d: %+v: %v", i, p, err)
			}
			results[d.Result]++
			if d.Result != Wait {
				pods = append(pods, p)
			}
			if d.Result == Preempt && o.Filtering && c.State(p.Group) != Absent {
				t.Fatalf("operation %d: filtering reserves", i)
			}
		}
		if looks(i) {
			if err := brute(c); err != nil {
				t.Fatalf("operation %d: %v", i, err)
			}
		}
	}
	for _, p := range pods {
		_ = c.Delete(p.Name)
	}
	for _, n := range c.names {
		if err := c.SetBad(n, false); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("waits, binds, preemptions: %v", results)
	if err := brute(c); err != nil || c.Groups() != 0 || len(c.pods) != 0 || slices.Min(results[:]) == 0 {
		t.Errorf("%v; %d groups and %d pods are left; results %v", err, c.Groups(), len(c.pods), results)
	}
}

// TestUnsafe: whether promises fit free cells is what cutting cells down in every possible way
// states, over drawn counts on trees of three and four levels.
func TestUnsafe(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 21))
	var fits, not int
	for range max(operations(t)/10, 1) {
		kids := [][]int{{0, 0, 2, 2}, {0, 0, 3, 2}, {0, 0, 2, 2, 2}, {0, 0, 4, 1, 2}}[r.IntN(4)]
		free, promised := make([]int, len(kids)), make([]int, len(kids))
		for l := 1; l < len(kids); l++ {
			free[l], promised[l] = r.IntN(3), r.IntN(4-l/2)
		}
		want := cut(slices.Clone(free), slices.Clone(promised), kids)
		if got := unsafe(free, promised, kids) == 0; got != want {
			t.Fatalf("free %v, promised %v, children %v: %v, by trying %v", free, promised, kids, got, want)
		}
		if want {
			fits++
		} else {
			not++
		}
	}
	if fits == 0 || not == 0 {
		t.Errorf("%d fit, %d do not", fits, not)
	}
}

// cut tries everything: a promise is met by a free cell of its level, or any larger cell is cut
// first.
func cut(free, promised, kids []int) bool {
	top := len(kids) - 1
	for top > 0 && promised[top] == 0 {
		top--
	}
	if top == 0 {
		return true
	}
	if free[top] > 0 {
		free[top]--
		promised[top]--
		if cut(free, promised, kids) {
			return true
		}
		free[top]++
		promised[top]++
	}
	for l := top + 1; l < len(kids); l++ {
		if free[l] > 0 {
			free[l]--
			free[l-1] += kids[l]
			ok := cut(free, promised, kids)
			free[l]++
			free[l-1] -= kids[l]
			if ok {
				return true
			}
		}
	}
	return false
}
