package searchtest

import (
	"bytes"
	"math"
	"reflect"
	"testing"

	"tarry/agents/search"
	"tarry/sim/rng"
)

// Make gives a fresh method.
type Make func(c search.Config) (search.Method, error)

// mixed has a parameter of every kind.
func mixed() search.Space {
	return search.Space{{Name: "a", Lo: -1, Hi: 1}, {Name: "b", Kind: search.Log, Lo: 1, Hi: 1e4},
		{Name: "c", Kind: search.Integer, Lo: 1, Hi: 7},
		{Name: "d", Kind: search.Choice, Choices: []string{"x", "y", "z"}},
		{Name: "e", Kind: search.LogInteger, Lo: 1, Hi: 64}}
}

// rough is a response with jumps, that differs from window to window.
func rough(s search.Space) Cost {
	return func(a search.Ask) []float64 {
		out := make([]float64, a.To-a.From)
		for w := range out {
			for i, p := range s {
				u := math.Floor(20*a.X[i]) / 20
				out[w] += math.Abs(u-p.Snap(0.6)) + 0.1*math.Sin(float64((a.From+w)*(i+1)))
			}
		}
		return out
	}
}

// TestMethod holds a method against the contract: bounds and values kept, the budget kept, the same
// seed gives the same asks and another one others (unless seedless), a saved state continues alike
// from every step, values that are no numbers do no harm, and a state of something else is refused.
func TestMethod(t *testing.T, make Make, seedless bool) {
	t.Helper()
	spaces := map[string]search.Space{"mixed": mixed(), "one": Sphere(1).Space, "bowl": Bowl().Space,
		"choice": mixed()[3:4]}
	for name, s := range spaces {
		t.Run(name, func(t *testing.T) {
			c := search.Config{Space: s, Budget: 26, Windows: 4, Source: rng.Source{Seed: 7}}
			whole := trace(t, make, c, rough(s), false)
			bounds(t, c, whole)
			if again := trace(t, make, c, rough(s), true); !reflect.DeepEqual(whole, again) {
				t.Error("saved and loaded between all steps, it asks something else")
			}
			c.Source.Seed++
			if other := trace(t, make, c, rough(s), false); !seedless && s[0].Count() == 0 &&
				reflect.DeepEqual(whole, other) {
				t.Error("another seed asks the same")
			}
			for what, bad := range map[string]float64{"NaN": math.NaN(), "Inf": math.Inf(1), "-Inf": math.Inf(-1)} {
				for _, all := range []bool{false, true} {
					n := 0
					got := trace(t, make, c, func(a search.Ask) []float64 {
						v := rough(s)(a)
						if n++; all || n%3 == 0 {
							v[0] = bad
						}
						return v
					}, true)
					if bounds(t, c, got); len(got) == 0 {
						t.Errorf("%s: nothing is asked", what)
					}
				}
			}
			equal := trace(t, make, c, func(a search.Ask) []float64 { return fill(a.To-a.From, 3) }, true)
			bounds(t, c, equal)
		})
	}
	foreign(t, make)
}

// open starts or continues an optimiser.
func open(t *testing.T, make Make, c search.Config, saved []byte) *search.Optimiser {
	t.Helper()
	m, err := make(c)
	if err != nil {
		t.Fatal(err)
	}
	o, err := search.New("test", c, m)
	if saved != nil {
		o, err = search.Load("test", c, m, saved)
	}
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// trace lists all asks of a run; with reload the optimiser is saved and loaded before and after
// every ask.
func trace(t *testing.T, make Make, c search.Config, cost Cost, reload bool) []search.Ask {
	t.Helper()
	var out []search.Ask
	o := open(t, make, c, nil)
	again := func() {
		if saved := o.Save(); reload {
			if o = open(t, make, c, saved); !bytes.Equal(saved, o.Save()) {
				t.Error("loading and saving changes the state")
			}
		}
	}
	for {
		again()
		asks := o.Ask()
		again()
		if !reflect.DeepEqual(asks, o.Ask()) {
			t.Error("asked again before it has the values, it asks something else")
		}
		if len(asks) == 0 {
			return out
		}
		out = append(out, asks...)
		if err := o.Tell(values(asks, cost)); err != nil {
			t.Fatal(err)
		}
	}
}

// bounds checks the asks of a run.
func bounds(t *testing.T, c search.Config, asks []search.Ask) {
	t.Helper()
	spent := 0
	for _, a := range asks {
		if spent += a.To - a.From; a.From < 0 || a.To <= a.From {
			t.Fatalf("windows %d to %d", a.From, a.To)
		}
		if len(a.X) != len(c.Space) {
			t.Fatalf("%d coordinates, expected %d", len(a.X), len(c.Space))
		}
		for i, u := range a.X {
			if !(u >= 0 && u <= 1) || c.Space[i].Snap(u) != u {
				t.Fatalf("coordinate %d is %v: outside, or between two values", i, u)
			}
		}
	}
	if spent > c.Budget*c.Windows {
		t.Errorf("%d windows were asked for, the budget is %d", spent, c.Budget*c.Windows)
	}
}

// foreign checks that a state is only loaded where it belongs.
func foreign(t *testing.T, make Make) {
	t.Helper()
	c := search.Config{Space: Bowl().Space, Budget: 20, Windows: 2}
	o := open(t, make, c, nil)
	o.Ask()
	saved := o.Save()
	for what, change := range map[string]func(*search.Config){
		"seed": func(c *search.Config) { c.Source.Seed++ }, "budget": func(c *search.Config) { c.Budget++ },
		"space": func(c *search.Config) { c.Space = Branin().Space },
	} {
		other := c
		change(&other)
		m, err := make(other)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := search.Load("test", other, m, saved); err == nil {
			t.Errorf("the state of another %s is taken", what)
		}
	}
	saved[len(saved)/2] ^= 1
	m, err := make(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := search.Load("test", c, m, saved); err == nil {
		t.Error("a damaged state is taken")
	}
}
