package antman

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// all gives every opportunistic job its share anew at each look, whatever has changed.
type all struct{ *Policy }

func (a all) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	a.mixed.moved = slices.Clone(a.guests)
	return a.Policy.Decide(v, out)
}

// Shares follow from who came, left and may have more: the decisions equal the decisions of a
// policy that works all shares out anew.
func TestSharesThatMayChange(t *testing.T) {
	tunes := 0
	equal(t, []string{"", "most=1,step=200,period=3", "guaranteed=priority,util=2,most=3"},
		func(p *Policy) sim.Policy { return all{p} }, func(got string) { tunes += strings.Count(got, "tune") })
	if tunes < 1000 {
		t.Errorf("only %d shares were set", tunes)
	}
}

// equal holds the policy to a twin in forty mixtures under each specification; seen has the transcripts.
func equal(t *testing.T, specs []string, twin func(*Policy) sim.Policy, seen func(transcript string)) {
	t.Helper()
	for seed := range uint64(40) {
		cfg := mixture(t, seed)
		for _, spec := range specs {
			want, err := simtest.Transcript(cfg, twin(policy(t, spec)().(*Policy)))
			if err != nil {
				t.Fatal(err)
			}
			got, err := simtest.Transcript(cfg, policy(t, spec)())
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Fatalf("seed %d, %q:\n%s\nexpected\n%s", seed, spec, got, want)
			}
			seen(got)
		}
	}
}

// anew lists the GPUs of low utilisation at each decision, whatever has changed, and counts the lists
// that it forgets.
type anew struct {
	*Policy
	kept *int
}

func (a anew) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if a.calm.known && still(v) {
		*a.kept++
	}
	a.calm.known = false
	return a.Policy.Decide(v, out)
}

// A list of GPUs of low utilisation is kept until what runs changes: the decisions equal the decisions
// of a policy that lists them each time.
func TestLowUtilisationIsKept(t *testing.T) {
	kept := 0
	equal(t, []string{"", "most=1,step=200,period=3", "guaranteed=priority,util=2,most=3", "guaranteed=none"},
		func(p *Policy) sim.Policy { return anew{p, &kept} }, func(string) {})
	if kept < 1000 {
		t.Errorf("only %d lists were kept", kept)
	}
}

// mixture is a small cluster with guaranteed and opportunistic jobs that fill it.
func mixture(t *testing.T, seed uint64) sim.Config {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 21))
	spec := cluster.Uniform(1, 3, 4, 1)
	if seed%2 == 0 {
		spec.Racks[0][0].GPUMiB = 1000
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	var js []sim.Job
	for i := range 50 {
		j := sim.Job{ID: fmt.Sprint(i), GPUs: int32(1 + r.IntN(5)), Priority: r.Int32N(3) - 1,
			Submit: sim.Time(r.IntN(900)) * sim.Second, Work: sim.Time(1+r.IntN(600)) * sim.Second,
			GPUUtilFrac: 0.1 + 0.6*r.Float64(), GPUMiB: int32(100 + r.IntN(600))}
		js = append(js, j)
	}
	w, err := sim.NewWorkload("mixture", js)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true}
}
