package bounds

import (
	"testing"

	"tarry/catalogue/schedulers"
	"tarry/catalogue/simulation"
	"tarry/env/racks"
	"tarry/run/trial"
	"tarry/sim"
)

// The search begins with the best rule of a window and is never behind it, nor is its placebo; rules that
// differ from job to job pass the best one. The rows name rules of the catalogue, which have the same runs
// as answers that are all by one rule.
func TestAnswers(t *testing.T) {
	const windows = 2
	e, err := racks.Make(simulation.All(), "cluster=4x2x8,forwards=1")
	if err != nil {
		t.Fatal(err)
	}
	own, _ := measured(t, windows)
	list := Own(e, schedulers.All().Build)
	more, err := Trials(own, policy, list...)
	if err != nil {
		t.Fatal(err)
	}
	more = more[len(more)-windows*(len(list[0].candidates)+2):]
	done := run(t, more)
	rows := map[string][]*trial.Result{}
	for _, runs := range Pick(done, windows, 1, list...) {
		rows[runs[0].Row.Keys.Policy] = runs
	}
	if len(rows) != 4 {
		t.Fatalf("%d rows, expected rule and answers, each with a placebo", len(rows))
	}
	gained := 0
	for w := range windows {
		mean := func(name string) float64 { return rows[name][w].Row.JCTMean }
		rule := mean("hindsight:rule")
		if mean("hindsight:answers") > rule || mean("placebo:answers") > rule || mean("placebo:rule") < rule {
			t.Errorf("window %d: the best rule has %v, answers %v, drawn %v, the rule of the other half %v", w, rule,
				mean("hindsight:answers"), mean("placebo:answers"), mean("placebo:rule"))
		}
		if mean("hindsight:answers") < rule {
			gained++
		}
		for i := range list[0].candidates {
			_, alone, err := played(&own[w], func() (sim.Policy, error) {
				return list[1].search.(*byJob).of.ByRules(constant(i, len(own[w].Workload.Jobs)))
			})
			if of := done[i*windows+w].Row; err != nil || alone != of.JCTMean {
				t.Errorf("%s has %v, answers by it %v (%v)", of.Keys.Policy, of.JCTMean, alone, err)
			}
		}
	}
	if gained == 0 {
		t.Error("no answers are better than the best rule in any window")
	}
}
