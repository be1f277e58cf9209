package lyraref

import (
	"encoding/json"
	"os"
	"testing"

	"tarry/baselines/operate/reclaim"
	"tarry/fidelity/reference/reftest"
	"tarry/internal/sharedata"
)

// taken is an instance by hand: job 1 on servers 0 and 1, job 2 on 1, and GPUs on 2 that job 3 can do
// without. Server 2 costs nothing, then server 0 costs half a job.
const taken = `[{"servers": 3, "gpus_per_server": 4, "give_back": 2, "jobs": [
	{"id": 1, "servers": [0, 1], "gpus_per_server": 2, "kind": "base", "gpus": 4},
	{"id": 2, "servers": [1], "gpus_per_server": 2, "kind": "base", "gpus": 2},
	{"id": 3, "servers": [2], "gpus_per_server": 4, "kind": "flexible", "gpus": 4}],
	"optimum": {"preempted": 1, "gpus_lost": 4, "servers": [0, 2], "optimal_sets": 1},
	"cost_rule": {"steps": [[2, 0], [0, 0.5]], "servers": [2, 0], "preempted": [1]},
	"count_rule": {"servers": [2, 0], "preempted": [1]}}]`

func TestReclaimsByHand(t *testing.T) {
	const none = "mine: 0 of 1 agree, "
	reftest.Edits(t, setup(), map[string]string{"reclaim.json": taken}, map[string]reftest.Edit{
		"right":   {"reclaim.json", "", "", "mine: 1 of 1 agree, ", ""},
		"a step":  {"reclaim.json", "[0, 0.5]", "[1, 0.5]", none, "the cost of step 1 is 1.5, there 0.5"},
		"a cost":  {"reclaim.json", "[0, 0.5]", "[0, 0.4]", none, "the cost of step 1 is 0.5, there 0.4"},
		"servers": {"reclaim.json", `"servers": [2, 0], "pre`, `"servers": [2, 1], "pre`, none, "the rule of costs takes [2 0], there [2 1]"},
		"a count": {"reclaim.json", `"count_rule": {"servers": [2, 0]`, `"count_rule": {"servers": [0, 2]`, none,
			"the rule of counts takes [2 0]"},
		"a job":     {"reclaim.json", `"preempted": [1]}}`, `"preempted": [2]}}`, none, "preempts [1], there [2]"},
		"the best":  {"reclaim.json", `"gpus_lost": 4`, `"gpus_lost": 5`, none, "the best servers lose {Jobs:1 GPUs:4}"},
		"a set":     {"reclaim.json", `"servers": [0, 2], "opt`, `"servers": [1, 2], "opt`, none, "the servers [1 2] lose {Jobs:2"},
		"sets":      {"reclaim.json", `"optimal_sets": 1`, `"optimal_sets": 2`, none, "1 sets preempt 1, there 2"},
		"no set":    {"reclaim.json", `"servers": [0, 2], "opt`, `"servers": [0, 2, 1], "opt`, none, "the best servers there are"},
		"a kind":    {"reclaim.json", `"flexible"`, `"soft"`, none, `job 3 is "soft"`},
		"a server":  {"reclaim.json", `"servers": [0, 1], "gpus`, `"servers": [0, 3], "gpus`, none, "job 1 is on server 3 of 3"},
		"too many":  {"reclaim.json", `"give_back": 2`, `"give_back": 4`, none, "4 of 3 servers"},
		"fractions": {"reclaim.json", `"give_back": 2`, `"give_back": 1.5`, none, "1.5"},
	})
}

// Jobs preempted over all: by costs within 2 % of the optimum, by counts beyond it.
func TestSharedReclaims(t *testing.T) {
	text, err := os.ReadFile(sharedata.Path(t, "reference/lyra/reclaim.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []reclaims
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	var r reclaim.Chooser
	lost := func(rule reclaim.Rule) (n int) {
		for i := range all {
			jobs, err := all[i].jobs()
			if err != nil {
				t.Fatal(err)
			}
			r.Load(all[i].Servers, jobs)
			n += all[i].loss(&r, jobs, r.Choose(rule, all[i].GiveBack, nil, nil)).Jobs
		}
		return n
	}
	best, cost, count := lost(reclaim.Best), lost(reclaim.Cost), lost(reclaim.Count)
	if best == 0 || float64(cost) > 1.02*float64(best) || count <= cost {
		t.Errorf("preempted: by costs %d, by counts %d, at best %d", cost, count, best)
	}
	t.Logf("preempted: by costs %d, by counts %d, at best %d", cost, count, best)
}
