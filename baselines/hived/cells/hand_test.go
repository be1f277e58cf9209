package cells

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// hand is two nodes of two pairs below one switch: tenant a bought a node, b two pairs.
func hand(t *testing.T) *Cluster {
	t.Helper()
	c, err := New(Config{
		Types: map[string]Type{"pair": {"gpu", 2, false}, "node": {"pair", 2, true}, "switch": {"node", 2, false}},
		Tops:  []Top{{Type: "switch", Nodes: []string{"x", "y"}}},
		VCs: []VC{{"a", []Bought{{[]string{"switch", "node"}, 1}}, nil},
			{"b", []Bought{{[]string{"switch", "node", "pair"}, 2}}, nil}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ask wants one pod of a group of its own, "VC priority GPUs" with an optional "lazy", and gives
// the decision as text.
func ask(t *testing.T, c *Cluster, name, what string, o Options) string {
	t.Helper()
	p := Pod{Name: name, Group: name, Lazy: strings.HasSuffix(what, "lazy")}
	if _, err := fmt.Sscanf(what, "%s %d %d", &p.VC, &p.Priority, &p.GPUs); err != nil {
		t.Fatal(err)
	}
	p.Members = []Member{{1, p.GPUs}}
	d, err := c.Schedule(p, o)
	if err != nil {
		return "refused"
	}
	if err := brute(c); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return [...]string{"wait", fmt.Sprint(d.Node, " ", d.GPUs), fmt.Sprint("preempt ", d.Victims)}[d.Result]
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}

func only(node string) Options { return Options{Suggested: func(n string) bool { return n == node }} }

// TestSafety: b's GPUs never spread over both nodes, so that a's node is there: the case that
// quotas in GPUs get wrong. a's first request ends an opportunistic group, not b's.
func TestSafety(t *testing.T) {
	c := hand(t)
	expect(t, ask(t, c, "b1", "b 0 1", Options{}), "x [0]")
	expect(t, ask(t, c, "b2", "b 0 2", Options{}), "x [2 3]")
	expect(t, ask(t, c, "b3", "b 0 2", only("y")), "wait")
	expect(t, ask(t, c, "o", "b -1 3", Options{}), "y [0 1 2]")
	expect(t, ask(t, c, "filter", "a 0 4", Options{Filtering: true}), "preempt [o]")
	if c.State("filter") != Absent || c.Groups() != 3 {
		t.Error("filtering reserves")
	}
	expect(t, ask(t, c, "a1", "a 0 4", Options{}), "preempt [o]")
	expect(t, ask(t, c, "o2", "a -1 1", Options{}), "x [1]") // y's fourth GPU is reserved
	expect(t, ask(t, c, "a2", "a 0 1", Options{}), "wait")   // and a's quota used
	if err := c.Delete("o"); err != nil {
		t.Fatal(err)
	}
	// The pair and the GPU with fewest opportunistic GPUs came first.
	expect(t, ask(t, c, "a1", "a 0 4", Options{}), "y [3 2 0 1]")
}

// TestWeakerPreemptor: a stronger request takes over what a weaker one reserved, and when it gives
// up the GPUs belong to their user.
func TestWeakerPreemptor(t *testing.T) {
	c := hand(t)
	expect(t, ask(t, c, "low", "a 0 4", Options{}), "x [0 1 2 3]")
	expect(t, ask(t, c, "mid", "a 1 4", Options{}), "preempt [low]")
	expect(t, ask(t, c, "top", "a 2 4", Options{}), "preempt [low]")
	if c.State("mid") != Absent || c.State("top") != Preempting || c.State("low") != Allocated {
		t.Errorf("states %d, %d, %d", c.State("mid"), c.State("top"), c.State("low"))
	}
	if err := c.Delete("top"); err != nil {
		t.Fatal(err)
	}
	if err := brute(c); err != nil || c.Groups() != 1 {
		t.Errorf("%v; %d groups, expected the first", err, c.Groups())
	}
	expect(t, ask(t, c, "same", "a 0 1", Options{}), "wait")
}

// TestLazy: a lazy group loses its virtual cells and keeps its GPUs while others are free; where
// the mapping fails nothing has changed.
func TestLazy(t *testing.T) {
	c := hand(t)
	expect(t, ask(t, c, "low", "a 0 4 lazy", Options{}), "x [0 1 2 3]")
	expect(t, ask(t, c, "no", "a 1 4", Options{Suggested: func(string) bool { return false }}), "wait")
	if c.State("low") != Allocated {
		t.Error("a downgrade is not undone")
	}
	expect(t, ask(t, c, "high", "a 1 4", Options{}), "y [0 1 2 3]")
	if c.State("low") != Downgraded {
		t.Error("the weaker group is not downgraded")
	}
	expect(t, ask(t, c, "b1", "b 0 2", Options{}), "preempt [low]")
}

// TestMovedReservation: a reservation on a node that is bad now is given up and the group placed
// anew.
func TestMovedReservation(t *testing.T) {
	c := hand(t)
	expect(t, ask(t, c, "o1", "a -1 4", Options{}), "x [0 1 2 3]")
	expect(t, ask(t, c, "o2", "a -1 4", Options{}), "y [0 1 2 3]")
	expect(t, ask(t, c, "a1", "a 0 4", Options{}), "preempt [o1]")
	if err := c.SetBad("x", true); err != nil {
		t.Fatal(err)
	}
	expect(t, ask(t, c, "a1", "a 0 4", Options{}), "preempt [o2]")
}

func TestRefusals(t *testing.T) {
	for name, change := range map[string]func(p *Pod){
		"VC": func(p *Pod) { p.VC = "z" }, "priority": func(p *Pod) { p.Priority = MaxPriority + 1 },
		"lower":   func(p *Pod) { p.Priority = -2 },
		"no GPUs": func(p *Pod) { p.GPUs = 0 }, "no name": func(p *Pod) { p.Name = "" },
		"members": func(p *Pod) { p.Members = []Member{{1, 3}} },
		"no pods": func(p *Pod) { p.Members = []Member{{0, 1}} }, "pin": func(p *Pod) { p.Pinned = "nailed" },
		"type": func(p *Pod) { p.GPUType = "h" },
		"runs": func(p *Pod) { p.Name = "first" }, "full": func(p *Pod) { p.Group = "first" },
		"another": func(p *Pod) { p.Group, p.Priority = "first", 1 },
	} {
		c := hand(t)
		expect(t, ask(t, c, "first", "a 0 1", Options{}), "x [0]")
		p := Pod{Name: "p", VC: "a", GPUs: 1, Group: "g", Members: []Member{{1, 1}}}
		change(&p)
		if d, err := c.Schedule(p, Options{}); err == nil {
			t.Errorf("%s: %+v, expected a refusal", name, d)
		}
		if err := brute(c); err != nil || c.Groups() != 1 {
			t.Errorf("%s: %v; %d groups", name, err, c.Groups())
		}
		if c.Delete("nobody") == nil || c.SetBad("nowhere", true) == nil {
			t.Error("an unknown pod or node is accepted")
		}
	}
}

func TestConfigurations(t *testing.T) {
	for want, change := range map[string]func(c *Config){
		"do not fit":         func(c *Config) { c.VCs[0].Bought[0].Cells = 6 },
		"not a way down":     func(c *Config) { c.VCs[0].Bought[0].Path = []string{"row", "node"} },
		"0 or more":          func(c *Config) { c.VCs[0].Bought[0].Cells = -1 },
		"type of a top":      func(c *Config) { c.VCs[0].Bought[0].Path = []string{"rack"} },
		"exists and is free": func(c *Config) { c.VCs[1].Pinned = []string{"nailed"} },
		"its name":           func(c *Config) { c.Tops[0].Pinned = append(c.Tops[0].Pinned, c.Tops[0].Pinned[0]) },
		"nodes, expected":    func(c *Config) { c.Tops[0].Nodes = c.Tops[0].Nodes[1:] },
		"indices":            func(c *Config) { c.Tops[0].GPUs = map[string][]int{"n0.0": {1}} },
		"two VCs":            func(c *Config) { c.VCs[1].Name = "a" },
		"holds itself":       func(c *Config) { c.Types["pair"] = Type{"row", 2, false} },
		"no node":            func(c *Config) { c.Types["node"] = Type{"pair", 2, false} },
		"node within":        func(c *Config) { c.Types["rack"] = Type{"node", 2, true} },
		"expected 1 or mo":   func(c *Config) { c.Types["pair"] = Type{"g", 0, false} },
	} {
		cfg := small()
		cfg.VCs = slices.Clone(cfg.VCs)
		change(&cfg)
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}
