package dl2ref

import (
	"maps"
	"testing"

	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup { return reference.Setup{Readers: []reference.Reader{Reader()}} }

// Every number of the results at hand is equal.
func TestReference(t *testing.T) { reftest.References(t, setup(), "dl2") }

// By hand: a node with room for two pairs, and jobs of 3 and 4 epochs, one for a pair and slot. DRF
// gives each a pair, and both to job 2 once job 1 has ended; FIFO both to job 1 first. After the guard
// the node is full, so that any task is a misfit.
const (
	made = `{"types": [{"a": 1, "b": 0, "c": 0, "d": 0, "epoch_size": 1200, "worker": [2, 4], "ps": [2, 0]}],
		"jobs": [{"id": 1, "slot": 0, "type": 1, "epochs": 3}, {"id": 2, "slot": 0, "type": 1, "epochs": 4}],
		"pm": {"CLUSTER_NUM_NODES": 1, "NUM_RESR_SLOTS": 8, "MAX_NUM_WORKERS": 16, "TS_DURATION": 1200,
		"SCHED_WINDOW_SIZE": 2}}`
	means       = "scheduler,jobs,mean_jct_slots,makespan_slots,mean_reward\nDRF,2,3.25,3.5,0.49999999999999994\n"
	rivals      = "rule,jobs,mean_jct_slots,makespan_slots\nTIME4,2,2.75,4\n"
	ends        = "scheduler,job,end_slot,jct_slots\nDRF,1,2,3\nDRF,2,2.5,3.5\nFIFO,1,0.5,1.5\n"
	rewards     = "scheduler,slot,reward\nFIFO,0,0.66666666666666663\nFIFO,2,0.5\n"
	allocations = "scheduler,slot,job,workers,servers,epochs_done_after\nDRF,0,1,1,1,1\nDRF,0,2,1,1,1\nDRF,1,1,1,1,2\n" +
		"DRF,1,2,1,1,2\nDRF,2,1,1,1,3\nDRF,2,2,1,1,3\nDRF,3,2,2,2,4\n"
	demos = `[{"slot": 0, "action": 0, "state": [[1, 1], [0, 0], [1, 1], [0, 0], [0, 0], [0, 0]]},
		{"slot": 0, "action": 1, "state": [[1, 1], [0, 0], [1, 1], [0.5, 0], [1, 0], [0, 0]]},
		{"slot": 0, "action": 3, "state": [[1, 1], [0, 0], [1, 1], [0.5, 0], [1, 0], [1, 0]]}]`
	steps = `[{"slot": 0, "window": [1, 2], "prob": [0.9, 0, 0, 0, 0, 0, 0.1], "masked_zero": [], "action": 0,
		"slot_ended": true, "kept_as_sample": false, "reward": 0.5833333333333333,
		"state": [[1, 1], [0, 0], [1, 1], [0.5, 0.5], [1, 1], [1, 1]]},
		{"slot": 1, "window": [1, 2], "prob": [0.4, 0, 0, 0, 0, 0, 0.6], "masked_zero": [], "action": 6,
		"slot_ended": true, "kept_as_sample": true, "reward": 0.5833333333333333,
		"state": [[1, 1], [1, 1], [0.6666666666666667, 0.75], [0.5, 0.5], [1, 1], [1, 1]]}]`
)

func TestByHand(t *testing.T) {
	set := map[string]string{"input.json": made, "means.csv": means, "fair_rivals.csv": rivals, "jobs_result.csv": ends,
		"slot_reward.csv": rewards, "allocations.csv": allocations, "drf_demonstrations.json": demos,
		"rl_steps.json": steps}
	files := map[string]string{"../other/README.md": "another folder\n"}
	for name, text := range set {
		files["small/"+name] = text
	}
	maps.Copy(files, map[string]string{"b-input.json": made, "b-jobs_result.csv": ends})
	const one = "mine: 21 of 22 agree"
	reftest.Edits(t, setup(), files, map[string]reftest.Edit{
		"right":         {"small/means.csv", "", "", "mine: 22 of 22 agree, worst 0 slots", ""},
		"a mean":        {"small/means.csv", "3.25", "3.26", one, "means.csv: row 1: mean_jct_slots is 3.25, there 3.26"},
		"a reward mean": {"small/means.csv", "0.49999999999999994", "0.5", one, "mean_reward is 0.4"},
		"a makespan":    {"small/fair_rivals.csv", ",4", ",5", one, "makespan_slots is 4, there 5"},
		"a rule":        {"small/fair_rivals.csv", "TIME4", "TIME5", one, "no rule \"TIME5\""},
		"an end":        {"b-jobs_result.csv", "2.5", "2.6", one, "b-jobs_result.csv: row 2: end_slot is 2.5, there 2.6"},
		"a job":         {"b-jobs_result.csv", "DRF,2", "DRF,3", one, "no job 3"},
		"a word":        {"b-jobs_result.csv", "2.5", "two", one, "expected a number"},
		"a slot":        {"small/slot_reward.csv", "FIFO,2", "FIFO,9", one, "slot 9 of 4"},
		"a reward":      {"small/slot_reward.csv", "FIFO,2", "FIFO,1", one, "reward is 0.3"},
		"an allocation": {"small/allocations.csv", "3,2,2,2", "3,2,2,1", one, "servers is 2, there 1"},
		"who has what":  {"small/allocations.csv", "3,2,2,2,4", "3,1,2,2,4", one, "job 1 has nothing in slot 3"},
		"fewer": {"small/allocations.csv", "DRF,3,2,2,2,4\n", "", "mine: 21 of 21 agree",
			"small/allocations.csv: DRF has 7 allocations, there 6"},
		"a task":   {"small/drf_demonstrations.json", `"action": 3`, `"action": 4`, one, "action 3 in slot 0, there 4 in 0"},
		"a state":  {"small/drf_demonstrations.json", "[0.5, 0]", "[0.4, 0]", one, "row 3, column 0 is 0.5, there 0.4"},
		"rows":     {"small/drf_demonstrations.json", "[[1, 1], [0, 0],", "[[0, 0],", one, "5 rows, expected 6"},
		"an act":   {"small/rl_steps.json", `"action": 6`, `"action": 5`, one, "action 6, ended true, kept true"},
		"a misfit": {"small/rl_steps.json", `"kept_as_sample": false`, `"kept_as_sample": true`, one, "kept false"},
		"a window": {"small/rl_steps.json", "[1, 2]", "[1, 0]", "mine: 20 of 22", "slot 0 with [1 2], there 0 with [1 0]"},
		"a mask":   {"small/rl_steps.json", `"masked_zero": []`, `"masked_zero": [1]`, one, "the mask removes [], there [1]"},
		"what is":  {"small/rl_steps.json", "0.75", "0.7", one, "row 2, column 1 is 0.75, there 0.7"},
		"a choice": {"small/rl_steps.json", "[0.9, 0,", "[0.9,", "mine: 20 of 22", "6 probabilities, expected 7"},
		"a speed":  {"b-input.json", `"a": 1`, `"a": 2`, "mine: 19 of 22", "end_slot"},
		"a type":   {"b-input.json", `"type": 1`, `"type": 2`, "mine: could not be compared: b-input.json: job ", ""},
		"no room":  {"b-input.json", "[2, 4]", "[9, 4]", "mine: could not be compared: b-input.json: type 1 is", ""},
	})
	files["small/more.csv"] = "x\n"
	reftest.Edits(t, setup(), files, map[string]reftest.Edit{
		"more files": {"small/more.csv", "", "", "mine: 22 of 22", "small/more.csv is neither compared nor named"}})
}
