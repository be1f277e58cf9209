package genieref

import (
	"testing"

	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup { return reference.Setup{Readers: []reference.Reader{Reader()}} }

// two is three tasks by hand. By allowances 2, 1 and 3 task 1 goes first and ends in time, task 0 ends
// at 5 after its deadline 4, task 2 at 6 in time; without task 0, task 2 ends at 4.
const two = `[{"gpus": 1, "tasks": [{"id": 0, "duration": 2, "deadline": 4}, {"id": 1, "duration": 3, "deadline": 4},
	{"id": 2, "duration": 1, "deadline": 6}], "results": {
	"least_allowance": {"order": [1, 0, 2], "met": [1, 2], "makespan": 6},
	"least_allowance+reject": {"order": [1, 0, 2], "met": [1, 2], "makespan": 4},
	"shortest": {"order": [2, 0, 1], "met": [0, 2], "makespan": 6},
	"fifo+reject": {"order": [0, 1, 2], "met": [0, 2], "makespan": 3}}, "most_that_can_be_met": 2}]`

func TestInstancesByHand(t *testing.T) {
	const none = "mine: 0 of 1 agree, "
	reftest.Edits(t, setup(), map[string]string{"a.json": two}, map[string]reftest.Edit{
		"right": {"a.json", "", "", "mine: 1 of 1 agree, ", ""},
		"met":   {"a.json", `"met": [0, 2], "makespan": 3`, `"met": [2], "makespan": 3`, none, "fifo+reject meets [0 2]"},
		"span":  {"a.json", `"makespan": 4`, `"makespan": 5`, none, "makespan is 4, there 5"},
		"order": {"a.json", `[2, 0, 1]`, `[0, 2, 1]`, none, "shortest starts its tasks at"},
		"most":  {"a.json", `_met": 2`, `_met": 3`, none, "some order meets 2"},
		"rule":  {"a.json", `"shortest"`, `"longest"`, none, `rule "longest"`},
		"gpus":  {"a.json", `"gpus": 1`, `"gpus": 0`, none, "0 GPUs"},
	})
}

// Every instance at hand is equal.
func TestReferences(t *testing.T) { reftest.References(t, setup(), "genie") }
