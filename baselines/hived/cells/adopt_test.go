package cells

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestProposed: a bind that is decided and not committed holds nothing, and the same pod gets the
// same place afterwards.
func TestProposed(t *testing.T) {
	c := hand(t)
	propose := Options{Proposed: true}
	expect(t, ask(t, c, "a1", "a 0 4", propose), "x [0 1 2 3]")
	if c.Groups() != 0 || c.State("a1") != Absent {
		t.Error("a proposal holds GPUs")
	}
	expect(t, ask(t, c, "a1", "a 0 4", Options{}), "x [0 1 2 3]")
	expect(t, ask(t, c, "o", "a -1 4", propose), "y [0 1 2 3]")
	expect(t, ask(t, c, "o", "a -1 4", Options{}), "y [0 1 2 3]")
	expect(t, ask(t, c, "b1", "b 0 2", Options{}), "preempt [o]")
	if err := c.Delete("o"); err != nil {
		t.Fatal(err)
	}
	expect(t, ask(t, c, "b1", "b 0 2", propose), "y [0 1]") // its group waits still
	if c.State("b1") != Preempting {
		t.Error("a proposal ends a preemption")
	}
	expect(t, ask(t, c, "b1", "b 0 2", Options{}), "y [0 1]")
}

// TestAdopt: the pods of one configuration on another, by hand. a has node x, b two GPUs of y's
// first pair.
func TestAdopt(t *testing.T) {
	for name, want := range map[string]struct {
		change func(c *Config)
		a, b   State
	}{
		"same":          {func(*Config) {}, Allocated, Allocated},
		"a has nothing": {func(c *Config) { c.VCs[0].Bought[0].Cells = 0 }, Downgraded, Allocated},
		"x is gone":     {func(c *Config) { c.Tops[0].Nodes = []string{"z", "y"} }, Allocated, Allocated},
		"no pairs": {func(c *Config) { c.Types["node"] = Type{"gpu", 4, true}; c.VCs[1].Bought = nil }, Allocated,
			Downgraded},
		"b has a pair": {func(c *Config) { c.VCs[1].Bought[0].Cells = 1 }, Allocated, Allocated},
		"other levels": {func(c *Config) {
			c.VCs[0].Bought[0] = Bought{[]string{"switch"},
				1}
			c.VCs[1].Bought = nil
		}, Downgraded, Downgraded},
	} {
		old := hand(t)
		expect(t, ask(t, old, "a1", "a 0 4", Options{}), "x [0 1 2 3]")
		expect(t, ask(t, old, "b1", "b 0 2", Options{}), "y [0 1]")
		cfg := Config{
			Types: map[string]Type{"pair": {"gpu", 2, false}, "node": {"pair", 2, true}, "switch": {"node", 2, false}},
			Tops:  []Top{{Type: "switch", Nodes: []string{"x", "y"}}},
			VCs: []VC{{"a", []Bought{{[]string{"switch", "node"}, 1}}, nil},
				{"b", []Bought{{[]string{"switch", "node", "pair"}, 2}}, nil}},
		}
		want.change(&cfg)
		c, err := New(cfg)
		if err != nil {
			t.Fatal(name, err)
		}
		for _, pod := range []string{"a1", "b1"} {
			p, err := old.Placed(pod)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Adopt(p); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if c.Adopt(p) == nil {
				t.Errorf("%s: a pod is adopted twice", name)
			}
		}
		if c.State("a1") != want.a || c.State("b1") != want.b || brute(c) != nil {
			t.Errorf("%s: states %d and %d, expected %d and %d; %v", name, c.State("a1"), c.State("b1"), want.a,
				want.b, brute(c))
		}
		again, err := c.Placed("a1")
		if err != nil || again.At.Node != "x" || !slices.Equal(again.At.GPUs, []int{0, 1, 2, 3}) {
			t.Errorf("%s: a1 is at %v, %v", name, again, err)
		}
		if c.Delete("a1") != nil || c.Delete("b1") != nil || brute(c) != nil || c.Groups() != 0 {
			t.Errorf("%s: groups are left: %v", name, brute(c))
		}
	}
}

// TestAdoptRefusals: what does not hold together changes nothing.
func TestAdoptRefusals(t *testing.T) {
	for name, change := range map[string]func(p *Placed){
		"VC": func(p *Placed) { p.Pod.VC = "z" }, "places": func(p *Placed) { p.Group = nil },
		"size":  func(p *Placed) { p.Group[0].GPUs = []int{1} },
		"place": func(p *Placed) { p.At.Node = "y" }, "taken": func(p *Placed) { p.Pod.Group, p.Pod.Name = "o", "o" },
		"joined": func(p *Placed) { p.Pod.Name = "o" },
	} {
		c := hand(t)
		expect(t, ask(t, c, "a1", "a 0 4", Options{}), "x [0 1 2 3]")
		p, err := c.Placed("a1")
		if err != nil {
			t.Fatal(err)
		}
		change(&p)
		if c.Adopt(p) == nil || brute(c) != nil || c.Groups() != 1 {
			t.Errorf("%s: accepted, or %v", name, brute(c))
		}
		if _, err := c.Placed("nobody"); err == nil {
			t.Error("an unknown pod has a place")
		}
	}
}

// TestReconfigured: pods that run when the configuration changes at random all keep their GPUs, the
// state stays whole, and is empty in the end. With the same configuration no pod is downgraded
// where none was.
func TestReconfigured(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var adopted, lost, gone int
	for round := range max(operations(t)/500, 1) {
		c, err := New(small())
		if err != nil {
			t.Fatal(err)
		}
		var placed []Placed
		for i := range 40 {
			p := request(r, i)
			if got, _ := settled(t, c, p); got == Bind {
				at, err := c.Placed(p.Name)
				if err != nil {
					t.Fatal(err)
				}
				placed = append(placed, at)
			}
		}
		placed = slices.DeleteFunc(placed, func(p Placed) bool { return c.State(p.Pod.Group) == Absent })
		clean := !slices.ContainsFunc(placed, func(p Placed) bool { return c.State(p.Pod.Group) == Downgraded })
		same := round%4 == 0
		cfg := changed(r, same)
		next, err := New(cfg)
		if err != nil {
			continue
		}
		for _, p := range placed {
			if err := next.Adopt(p); err != nil {
				t.Fatalf("round %d: %+v: %v", round, p, err)
			}
			if err := brute(next); err != nil {
				t.Fatalf("round %d: after %+v: %v", round, p, err)
			}
			adopted++
			if st := next.State(p.Pod.Group); st == Downgraded {
				lost++
				if same && clean {
					t.Fatalf("round %d: group %s is downgraded on the same configuration", round, p.Pod.Group)
				}
			}
			if next.nodes[p.At.Node] == nil {
				gone++
			}
		}
		for i := range 40 {
			settled(t, next, request(r, 1000+i))
			if err := brute(next); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
		}
		for pod := range next.pods {
			_ = next.Delete(pod)
		}
		if err := brute(next); err != nil || next.Groups() != 0 {
			t.Fatalf("round %d: %v; %d groups are left", round, err, next.Groups())
		}
	}
	t.Logf("%d pods adopted, %d of groups that were downgraded, %d on nodes that are no more", adopted, lost, gone)
	if adopted == 0 || lost == 0 || gone == 0 {
		t.Error("expected some of each")
	}
}

// changed is a configuration with other purchases, names, trees and chains.
func changed(r *rand.Rand, same bool) Config {
	cfg := small()
	if same {
		return cfg
	}
	for i := range cfg.VCs {
		for k := range cfg.VCs[i].Bought {
			cfg.VCs[i].Bought[k].Cells = max(0, cfg.VCs[i].Bought[k].Cells+r.IntN(3)-1)
		}
	}
	if r.IntN(3) == 0 {
		cfg.Tops[1].Nodes[r.IntN(4)] = "new"
	}
	if r.IntN(3) == 0 { // the second row falls into racks, which are not bought
		row := cfg.Tops[1]
		cfg.Tops[1] = Top{Type: "rack", Nodes: row.Nodes[:2]}
		cfg.Tops = append(cfg.Tops, Top{Type: "rack", Nodes: row.Nodes[2:]})
	}
	if r.IntN(3) == 0 {
		cfg.VCs = cfg.VCs[:3]
		cfg.VCs[2].Bought = nil
	}
	return cfg
}
