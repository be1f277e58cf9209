package evaluate

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	agents "tarry/agents/registry"
	"tarry/catalogue/shipped"
	"tarry/env"
	"tarry/env/trait"
)

// named is what a row is called in each of some rows.
func named(rows []Row) (out []string) {
	for _, r := range rows {
		out = append(out, r.Policy)
	}
	return out
}

// Each agent has a row beside it of what it was before training: where training moves nothing the
// two are the same, else they differ.
func TestUntrainedBesideItsAgent(t *testing.T) {
	for _, still := range []bool{true, false} {
		var more []string
		if still {
			more = []string{"learning_rate=1e-300", "norm_obs=false"}
		}
		r := request(trainedWith(t, "tarry/Preempt-v0", busy, 1, more...),
			trainedWith(t, "tarry/Preempt-v0", busy, 2, more...))
		r.Untrained = true
		rows, err := measure(t, r, 2)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"ppo (2 seeds)", "ppo (seed by validation)", "ppo-1-last", "ppo-2-last",
			"untrained:ppo (2 seeds)", "untrained:ppo-1", "untrained:ppo-2", "dally", "fifo"}
		if names := named(rows); !slices.Equal(names, want) {
			t.Fatalf("rows %v, expected %v", names, want)
		}
		if same := slices.Equal(rows[2].JCT, rows[5].JCT) && slices.Equal(rows[3].JCT, rows[6].JCT); same != still ||
			slices.Equal(rows[5].JCT, rows[6].JCT) {
			t.Errorf("training moves nothing: %v; agents %v and %v, untrained %v and %v", still, rows[2].JCT,
				rows[3].JCT, rows[5].JCT, rows[6].JCT)
		}
		for _, e := range Evals(rows) {
			if untrained := e.Policy == "untrained:ppo-1" || e.Policy == "untrained:ppo-2"; untrained &&
				e.Agent != "" || !untrained && (e.Agent == "") != (e.Policy == "dally" || e.Policy == "fifo") {
				t.Errorf("%s is agent %q in the table evals", e.Policy, e.Agent)
			}
		}
	}
}

// A search begins alike with every seed, where the environment states: one row is for all of them.
func TestUntrainedSearch(t *testing.T) {
	dir := searched(t)
	r := request(dir, searchedWith(t, 4))
	r.Untrained = true
	start := actor("start", "tarry/Order-v0:cluster=2x2x4,features=rank+gpus+age,"+busy, nil)
	start.Policy = func(string, *env.Spec) (agents.Policy, string, error) {
		e, err := shipped.All().Maker().Make(start.Env)
		if err != nil {
			return nil, "", err
		}
		on, _ := env.Find[trait.Searchable](e)
		var x vectorOnly
		for _, p := range on.Parameters() {
			x = append(x, p.Start)
		}
		return x, "", e.Close()
	}
	r.Actors = []Actor{start}
	rows, err := measure(t, r, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"cmaes-policy (2 seeds)", "cmaes-policy (seed by validation)", "cmaes-policy-3-last",
		"cmaes-policy-4-last", "start", "untrained:cmaes-policy-3", "dally", "fifo"}
	if names := named(rows); !slices.Equal(names, want) {
		t.Fatalf("rows %v, expected %v", names, want)
	}
	if !slices.Equal(rows[4].JCT, rows[5].JCT) || slices.Equal(rows[2].JCT, rows[5].JCT) {
		t.Errorf("before the search %v, its start %v, after it %v", rows[5].JCT, rows[4].JCT, rows[2].JCT)
	}
}

// vectorOnly is an agent that is a vector of parameters, which plays by itself.
type vectorOnly []float64

func (x vectorOnly) Act([]float64, []float64, []bool, *rand.Rand) error {
	return errors.New("a vector was asked")
}
func (x vectorOnly) Fork() agents.Policy { return x }
func (x vectorOnly) Vector() []float64   { return x }
