package powerflowref

import (
	"context"
	"testing"

	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
	"tarry/internal/sharedata"
)

func setup() reference.Setup { return reference.Setup{Readers: []reference.Reader{Reader()}} }

// one is an instance by hand: a job of 10 s on one GPU at clock 1, 15 s at 2/3, or on two GPUs half as
// long; a GPU draws 27 W at 1 and 8 W at 2/3. It begins with 120 J; its GPUs cost nothing more; its clock
// costs 150 J, for which the second budget is too small.
const one = `[{"gpus": 2, "counts": [1, 2], "clocks": ["2/3", "1"], "budget_j": "300",
	"jobs": [{"a": "1", "b": "0", "p0": 0, "p1": 27, "iterations": 10}],
	"best_choice": [[2, "1"]], "best_sum_s": "5", "best_energy_j": "270", "greedy_feasible": true,
	"greedy_choice": [[2, "1"]], "greedy_sum_s": "5", "greedy_energy_j": "270",
	"greedy_moves": [[0, "count", 2, "2/3"], [0, "clock", 2, "1"]]},
	{"gpus": 2, "counts": [1, 2], "clocks": ["2/3", "1"], "budget_j": "100",
	"jobs": [{"a": "1", "b": "0", "p0": 0, "p1": 27, "iterations": 5}],
	"best_choice": [[2, "2/3"]], "best_sum_s": "15/4", "best_energy_j": "60", "greedy_feasible": true,
	"greedy_choice": [[2, "2/3"]], "greedy_sum_s": "15/4", "greedy_energy_j": "60",
	"greedy_moves": [[0, "count", 2, "2/3"]]}]`

func TestInstancesByHand(t *testing.T) {
	const half = "mine: 1 of 2 agree, "
	reftest.Edits(t, setup(), map[string]string{"budgets.json": one}, map[string]reftest.Edit{
		"right":     {"budgets.json", "", "", "mine: 2 of 2 agree, ", ""},
		"a move":    {"budgets.json", `[0, "clock", 2, "1"]`, `[0, "clock", 1, "1"]`, half, "the moves are "},
		"no move":   {"budgets.json", `, [0, "clock", 2, "1"]]`, `]`, half, "the moves are "},
		"a choice":  {"budgets.json", `"greedy_choice": [[2, "1"]]`, `"greedy_choice": [[2, "2/3"]]`, half, "there [{2 2/3}]"},
		"a sum":     {"budgets.json", `"greedy_sum_s": "5"`, `"greedy_sum_s": "6"`, half, "the sum of times is 5, there 6"},
		"an energy": {"budgets.json", `"best_energy_j": "270"`, `"best_energy_j": "271"`, half, "the energy of the best is 270"},
		"the best":  {"budgets.json", `"best_sum_s": "15/4"`, `"best_sum_s": "4"`, half, "the least sum of times is 3.75"},
		"a budget": {"budgets.json", `"budget_j": "100"`, `"budget_j": "50"`, half,
			"suffice: false, there true"},
		"a clock": {"budgets.json", `"clocks": ["2/3", "1"]`, `"clocks": ["2/3", "x"]`, half, `clock "x"`},
		"nothing": {"budgets.json", `"greedy_feasible": true`, `"of": 1`, half, "greedy_feasible"},
	})
}

// Every instance of the shared data is reached and equal.
func TestShared(t *testing.T) {
	f, err := setup().Folder(sharedata.Path(t, "reference/powerflow"))
	if err != nil {
		t.Fatal(err)
	}
	o, err := Reader().Compare(context.Background(), f)
	if err != nil || o.Agree() != o.Of() || o.Of() < 10 || len(o.Short) > 0 {
		t.Errorf("%d of %d agree, expected all of at least 10: %v %v", o.Agree(), o.Of(), err, o.Short)
	}
}
