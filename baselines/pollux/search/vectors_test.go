package search

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim/goodput"
	"tarry/sim/rng"
)

// table reads a file of the reference as rows by column name.
func table(t *testing.T, name string) []map[string]string {
	t.Helper()
	in, err := os.Open(sharedata.Path(t, "reference", "pollux-vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	all, err := csv.NewReader(in).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, cells := range all[1:] {
		r := map[string]string{}
		for i, c := range cells {
			r[all[0][i]] = c
		}
		rows = append(rows, r)
	}
	return rows
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func matrix(t *testing.T, s string) [][]uint8 {
	t.Helper()
	var m [][]uint8
	for _, line := range strings.Split(s, "|") {
		var row []uint8
		for _, c := range strings.Fields(line) {
			row = append(row, uint8(number(t, c)))
		}
		m = append(m, row)
	}
	return m
}

// share is the speed-up of a job without a profile: what it has of its fair share.
type share float64

func (f share) Speedup(_, gpus int) float64 { return float64(gpus) / float64(f) }

// modelled is the model of a job with a profile.
type modelled struct {
	f    goodput.Function
	fair float64
}

func (c *modelled) Speedup(nodes, gpus int) float64 {
	g, _, _ := c.f.Best(nodes, gpus)
	return g / c.fair
}

func curve(t *testing.T, r map[string]string, fair int) Curve {
	if r["unprofiled"] == "1" {
		return share(fair)
	}
	v := func(name string) float64 { return number(t, r[name]) }
	c := &modelled{f: goodput.Function{
		Params: goodput.Params{AlphaC: v("alpha_c"), BetaC: v("beta_c"), AlphaN: v("alpha_n"), BetaN: v("beta_n"),
			AlphaR: v("alpha_r"), BetaR: v("beta_r"), Gamma: v("gamma")},
		Noise: goodput.Noise{Sqr: v("grad_sqr"), Var: v("grad_var")},
		Limits: goodput.Limits{Initial: int(v("init_batch_size")), Max: int(v("max_batch_size")),
			MinLocal: int(v("min_local_bsz")), MaxLocal: int(v("max_local_bsz")), Accumulate: true}}}
	c.fair, _, _ = c.f.Best(1, fair)
	return c
}

// TestFitnessVectors compares fitness, utility and each speed-up with the authors' formulas.
func TestFitnessVectors(t *testing.T) {
	jobs := table(t, "fitness_jobs.csv")
	for _, s := range table(t, "fitness_states.csv") {
		nodes, per := int(number(t, s["nodes"])), int(number(t, s["gpus_per_node"]))
		base, state := matrix(t, s["base_state"]), matrix(t, s["state_matrix"])
		p := Problem{P: -1, MaxNodes: 16, Avoid: true}
		for range nodes {
			p.GPUs = append(p.GPUs, uint8(per))
		}
		fair := (nodes*per + len(base) - 1) / len(base)
		for _, r := range jobs {
			if r["instance"] == s["instance"] {
				age, restarts := number(t, r["age_s"]), number(t, r["num_restarts"])
				p.Jobs = append(p.Jobs, Job{Base: base[len(p.Jobs)], Max: nodes * per, Curve: curve(t, r, fair),
					Factor: max(age-30*restarts, 0) / (age + 30)})
			}
		}
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		near := func(what string, got float64, want string) {
			if w := number(t, want); math.Abs(got-w) > 1e-12*math.Abs(w) {
				t.Errorf("instance %s state %s: %s is %v, expected %v", s["instance"], s["state"], what, got, w)
			}
		}
		f, u := p.Evaluate(state)
		near("fitness", f, s["fitness"])
		near("utility", u, s["utility"])
		for i, want := range strings.Fields(s["speedups"]) {
			n, k := 0, 0
			for _, g := range state[i] {
				n, k = n+min(int(g), 1), k+int(g)
			}
			got := 0.0
			if k > 0 {
				got = p.Jobs[i].Curve.Speedup(n, k)
			}
			near("speed-up", got, want)
		}
	}
}

// TestRepairVectors holds the part of the repair that draws nothing to the authors'.
func TestRepairVectors(t *testing.T) {
	for _, r := range table(t, "repair_states.csv") {
		nodes, per := int(number(t, r["nodes"])), int(number(t, r["gpus_per_node"]))
		p := Problem{P: -1, MaxNodes: 16, Avoid: true}
		for range nodes {
			p.GPUs = append(p.GPUs, uint8(per))
		}
		state, want := matrix(t, r["before"]), matrix(t, r["after"])
		for range state {
			p.Jobs = append(p.Jobs, Job{Max: nodes * per, Curve: share(1), Factor: 1})
		}
		s, err := New(Config{1, 1}, rng.Source{}.Stream("x"))
		if err != nil {
			t.Fatal(err)
		}
		s.Repair(&p, state)
		for i := range want {
			if string(state[i]) != string(want[i]) {
				t.Fatalf("instance %s case %s: row %d is %v, expected %v", r["instance"], r["case"], i, state[i],
					want[i])
			}
		}
	}
}
