package deepshareref

import (
	"fmt"
	"strings"
	"testing"

	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
	"tarry/internal/sharedata"
)

func setup() reference.Setup { return reference.Setup{Readers: []reference.Reader{Reader()}} }

// Every job, mean, placement and decision of the shared data is reached and equal.
func TestShared(t *testing.T) {
	with := setup()
	with.Beside = []string{sharedata.Path(t, ".")}
	reftest.References(t, with, "deepshare")
}

// By hand: a model of 10 samples/s on 2 GPUs that keeps 0.8 beside another. Both jobs gain 2400 in round
// 0. In round 1 the first ends, so that the second gains nothing; it continues at 0.8, or after a
// preemption at 1.
const (
	jobs = "rule,job,model,gpus,samples,last_round,trained_s,samples_done\nrl-first,0,M,2,4500,1,600,4800\n" +
		"rl-first,1,M,2,6000,3,900,7200\nlas,0,M,2,4500,1,600,4800\nlas,1,M,2,6000,3,900,8400\n"
	means = "rule,jobs_done,rounds,mean_trained_s,mean_gpu_share_used,mean_relative_throughput\n" +
		"rl-first,2,4,750,0.09375,0.8\nlas,2,4,750,0.09375,0.88\n"
	rounds = "rule,round,job,nodes,gpus_per_node,ratio\nrl-first,2,1,0+1,1,0.8\nlas,2,1,0+1,1,1\n"
	seen   = `[{"rule": "rl-first", "round": 0, "obs": [[0,0,0,0,0,0,0,0, 0,1,0,0,0,0,0,0], [0,0,0,0,0,0,0,0, 1,0,0,0,0,0,0,0],
		[0,0,0,0,0,0,0,0, 0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0, 0,0,0,0,0,0,0,0]], "candidates": [0, null, null],
		"action": 0}]`
)

// tables are the tables of the hand-made model.
func tables() (isolated, ratio string) {
	isolated = "model,num_gpus,num_nodes,samples_per_s\n"
	ratio = "model,num_gpus,num_nodes,other_model,other_num_gpus,other_num_nodes,ratio\n"
	shapes := []string{"M,2,2", "M,4,2", "M,4,4", "M,8,2", "M,8,4"}
	for _, a := range shapes {
		isolated += a + ",10\n"
		for _, b := range shapes {
			ratio += fmt.Sprintf("%s,%s,0.8\n", a, b)
		}
	}
	return isolated, ratio
}

func TestByHand(t *testing.T) {
	isolated, ratio := tables()
	files := map[string]string{"a-job_results.csv": jobs, "a-means.csv": means, "a-rounds.csv": rounds,
		"a-observations.json": seen, "job_results.csv": jobs, "means.csv": means, "isolated.csv": isolated,
		"pair_ratio.csv": ratio}
	const all, one = "mine: 15 of 15", "mine: 14 of 15"
	reftest.Edits(t, setup(), files, map[string]reftest.Edit{
		"right":      {"means.csv", "", "", all, ""},
		"an end":     {"job_results.csv", "6000,3,900,7", "6000,2,900,7", one, "row 2: last_round is 3, there 2"},
		"a time":     {"job_results.csv", "3,900,8", "3,600,8", one, "row 4: trained_s is 900, there 600"},
		"samples":    {"a-job_results.csv", "8400", "8401", one, "samples_done is 8400, there 8401"},
		"a job":      {"a-job_results.csv", "4500,1", "45000,1", "mine: ", "row 1: last_round is"},
		"a mean":     {"a-means.csv", "0.88", "0.89", one, "mean_relative_throughput is 0.88"},
		"a use":      {"means.csv", "0.09375,0.8\n", "0.09,0.8\n", one, "mean_gpu_share_used is 0.09375, there 0.09"},
		"all rounds": {"means.csv", "2,4,750", "2,5,750", one, "rounds is 4, there 5"},
		"a rule":     {"means.csv", "las", "lasso", one, `no jobs of rule "lasso"`},
		"nodes":      {"a-rounds.csv", "0+1", "0+2", one, "nodes 0+1, there 0+2"},
		"a width":    {"a-rounds.csv", "0+1,1", "0+1,2", one, "gpus_per_node is 1, there 2"},
		"a ratio":    {"a-rounds.csv", "1,0.8", "1,0.9", one, "ratio is 0.8, there 0.9"},
		"a round":    {"a-rounds.csv", "first,2,1", "first,4,1", one, "job 1 has no GPUs in round 4"},
		"more": {"a-rounds.csv", "rl-first,2,1,0+1,1,0.8", "rl-first,0,1,0+1,1,0.8", all,
			"has 2 jobs on GPUs in round 0"},
		"a cell":       {"a-observations.json", "0,1,0", "1,0,0", one, "the observation is"},
		"an action":    {"a-observations.json", `"action": 0`, `"action": 1`, one, "action 0, there 1"},
		"candidates":   {"a-observations.json", "[0, null, null]", "[0, 1, null]", one, "other candidates"},
		"its round":    {"a-observations.json", `"round": 0`, `"round": 1`, one, "round 0, there 1"},
		"its rule":     {"a-observations.json", `"rl-first"`, `"las"`, one, `rule "las" has no decision 0`},
		"a speed":      {"isolated.csv", "M,2,2,10", "M,2,2,20", "mine: ", "row 2: last_round is 2, there 3"},
		"a pair ratio": {"pair_ratio.csv", "M,2,2,M,2,2,0.8", "M,2,2,M,2,2,0.9", "mine: ", "samples_done"},
	})
}

// What a set must not be is an error.
func TestFaults(t *testing.T) {
	isolated, ratio := tables()
	files := map[string]string{"job_results.csv": jobs, "means.csv": means, "isolated.csv": isolated,
		"pair_ratio.csv": ratio}
	reftest.Refused(t, setup(), files, map[string][3]string{
		"expected the next job, a model of": {"job_results.csv", "0,M,2", "0,N,2"},
		"expected a number":                 {"job_results.csv", "4500", "many"},
		"no ratio of \"M\" on 2 GPUs":       {"pair_ratio.csv", "M,2,2,M,4,4,0.8\n", ""},
	})
	files["pair_ratio.csv"] = ""
	for line := range strings.Lines(ratio) { // no row has what has no throughput
		if !strings.Contains(line, "M,4,4") {
			files["pair_ratio.csv"] += line
		}
	}
	reftest.Refused(t, setup(), files, map[string][3]string{
		"no throughput of \"M\" on 4 GPUs": {"isolated.csv", "M,4,4,10\n", ""},
	})
}
