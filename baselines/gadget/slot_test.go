package gadget

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"tarry/internal/fixmath"
	"tarry/internal/fraction"
	"tarry/internal/sharedata"
)

// number is a number of the reference.
type number = fraction.Number

// given is a slot of the reference set.
type given struct {
	Name    string   `json:"name"`
	Servers int      `json:"servers"`
	GPUs    int      `json:"gpus"`
	Uplink  []number `json:"uplink"`
	Slot    number   `json:"slot_s"`
	Jobs    []asked  `json:"jobs"`
	Best    float64  `json:"best"`
	Relaxed float64  `json:"relaxed"`
	Greedy  float64  `json:"greedy"`
	Options int      `json:"options"`
}

// asked is a job of it.
type asked struct {
	Max      int     `json:"max_workers"`
	Gradient number  `json:"gradient"`
	Forward  number  `json:"forward_s"`
	Ring     number  `json:"ring_bandwidth"`
	Done     float64 `json:"done"`
	Weight   float64 `json:"weight"`
}

// utility is what a ring of w workers gains: a ln(1 + x/100) after the slot minus before.
func (a *asked) utility(w, machines int, slotS float64) float64 {
	b := 30.0
	if machines > 1 {
		b = float64(a.Ring)
	}
	n := float64(w)
	iteration := float64(a.Gradient)/n*(n-1)*(2/b+1.0/40) + 8*float64(a.Forward)/n
	return a.Weight * fixmath.Log1p(slotS/iteration/(100+a.Done))
}

// programme builds the slot: rows are the servers' GPUs and their uplinks, options all rings.
func (c *given) programme(s *slot) (options int) {
	var caps []float64
	for range c.Servers {
		caps = append(caps, float64(c.GPUs))
	}
	for _, u := range c.Uplink {
		caps = append(caps, float64(u))
	}
	s.open(caps)
	on := make([]int, c.Servers)
	for i := range c.Jobs {
		a := &c.Jobs[i]
		for w := 1; w <= a.Max; w++ {
			c.each(on, 0, w, func() {
				machines := 0
				for m, n := range on {
					if n > 0 {
						machines++
					}
					if n > 0 && n < w && c.Uplink[m] < a.Ring {
						return
					}
				}
				options++
				use := s.ring(ring{workers: int32(w), machines: int32(machines)},
					a.utility(w, machines, float64(c.Slot)))
				for m, n := range on {
					use[m] = float64(n)
					if n > 0 && machines > 1 {
						use[c.Servers+m] = float64(a.Ring)
					}
				}
			})
		}
		s.shut()
	}
	s.seal()
	return options
}

// each calls f with each distribution of w workers over the servers from m on, the smallest first.
func (c *given) each(on []int, m, w int, f func()) {
	if m == len(on)-1 {
		if on[m] = w; w <= c.GPUs {
			f()
		}
		return
	}
	for on[m] = 0; on[m] <= min(w, c.GPUs); on[m]++ {
		c.each(on, m+1, w-on[m], f)
	}
	on[m] = 0
}

// The integer optimum, the linear relaxation and the greedy rule have the reference's objectives.
func TestSlotsOfTheReference(t *testing.T) {
	for _, file := range sharedata.References(t, "gadget/slots*.json") {
		text, err := os.ReadFile(file)
		var cases []given
		if err == nil {
			err = json.Unmarshal(text, &cases)
		}
		if err != nil || len(cases) == 0 {
			t.Fatalf("%s: %d slots, %v", file, len(cases), err)
		}
		for i := range cases {
			c := &cases[i]
			var s slot
			if n := c.programme(&s); n != c.Options {
				t.Errorf("%s: %d rings, expected %d", c.Name, n, c.Options)
			}
			if err := s.problem.Validate(); err != nil {
				t.Fatal(err)
			}
			greedy := s.greedy()
			relaxed, err := s.relaxed()
			best, proved := s.solve(100000)
			if err != nil || !proved {
				t.Errorf("%s: relaxation %v, optimum proved: %v", c.Name, err, proved)
			}
			for _, x := range [...][2]float64{{greedy, c.Greedy}, {best, c.Best}, {relaxed, c.Relaxed}} {
				if math.Abs(x[0]-x[1]) > 1e-6 {
					t.Errorf("%s: greedy %v, best %v, relaxed %v, expected %v, %v, %v", c.Name, greedy, best, relaxed,
						c.Greedy, c.Best, c.Relaxed)
				}
			}
			if greedy > best+1e-9 || best > relaxed+1e-9 {
				t.Errorf("%s: greedy %v, best %v, relaxed %v", c.Name, greedy, best, relaxed)
			}
			sum := 0.0
			for g, o := range s.pick {
				if sum += s.gain(o); o < s.problem.First[g] || o >= s.problem.First[g+1] {
					t.Errorf("%s: job %d has option %d", c.Name, g, o)
				}
			}
			if math.Abs(sum-best) > 1e-9 {
				t.Errorf("%s: the picks have %v, expected %v", c.Name, sum, best)
			}
		}
	}
}

// drawn draws a slot of few jobs and rows, without order in what its rings use.
func drawn(r *rand.Rand, s *slot) {
	rows := 1 + r.IntN(3)
	var caps []float64
	for range rows {
		caps = append(caps, float64(r.IntN(9)))
	}
	s.open(caps)
	for range r.IntN(5) {
		gain := 0.0
		for w := int32(1); w <= int32(r.IntN(4)); w++ {
			gain += r.Float64() - 0.2
			for range 1 + r.IntN(2) {
				use := s.ring(ring{workers: w, machines: 1 + int32(r.IntN(2))}, gain)
				for i := range use {
					use[i] = float64(r.IntN(int(w) + 2))
				}
			}
		}
		s.shut()
	}
	s.seal()
}

// all is the most that any choice of rings gains.
func (s *slot) all(g int, left []float64) float64 {
	if g == s.problem.Groups() {
		return 0
	}
	best := math.Inf(-1)
	for o := s.problem.First[g]; o < s.problem.First[g+1]; o++ {
		fits := true
		for i, u := range s.use(o) {
			left[i] -= u
			fits = fits && left[i] >= 0
		}
		if fits {
			best = max(best, s.gain(o)+s.all(g+1, left))
		}
		for i, u := range s.use(o) {
			left[i] += u
		}
	}
	return best
}

// On drawn slots the branch and bound finds the most of all choices; the greedy rule, and a bound of
// one linear problem, find what the rows hold and no more than that; the relaxation is no less.
func TestSolveAgainstAllChoices(t *testing.T) {
	short := 0
	for seed := range uint64(500) {
		var s slot
		drawn(rand.New(rand.NewPCG(seed, 4)), &s)
		want := s.all(0, slices.Clone(s.problem.Cap))
		greedy := s.greedy()
		held(t, seed, &s)
		if greedy < want-1e-9 {
			short++
		}
		one, _ := s.solve(1)
		held(t, seed, &s)
		got, proved := s.solve(1000)
		held(t, seed, &s)
		relaxed, err := 0.0, error(nil)
		if s.problem.Groups() > 0 {
			relaxed, err = s.relaxed()
		}
		if proved != (s.problem.Groups() > 0) || err != nil || math.Abs(got-want) > 1e-8 || one > want+1e-8 ||
			one < greedy || greedy > want+1e-8 || relaxed < want-1e-8 {
			t.Errorf("seed %d: greedy %v, one problem %v, best %v, relaxed %v, expected %v", seed, greedy, one, got,
				relaxed, want)
		}
	}
	if short == 0 {
		t.Error("the greedy rule is best in all cases, expected some in which it is not")
	}
}

// held fails where the picks use more than the rows have.
func held(t *testing.T, seed uint64, s *slot) {
	t.Helper()
	left := slices.Clone(s.problem.Cap)
	for _, o := range s.pick {
		for i, u := range s.use(o) {
			if left[i] -= u; left[i] < -1e-6 {
				t.Errorf("seed %d: row %d is used beyond %v", seed, i, s.problem.Cap[i])
			}
		}
	}
}
