package capsref

import (
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

// some is a case by hand: at half the clock the first job takes 20 s and saves 70 W, the second 15 s
// and saves 35 W.
const some = `[{"name": "a", "cap_w": "170", "clocks": ["1/2", "1"], "jobs": [
	{"weight": 1, "compute_part": "1", "work_s": 10, "p0": 20, "p3": 80},
	{"weight": 1, "compute_part": "1/2", "work_s": 10, "p0": 60, "p3": 40}],
	"best_clock_index": [1, 0], "best_weighted_s": "25", "best_w": "165", "dual_bound": "170/7",
	"first_feasible_price": "1/7", "price_clock_index": [0, 0], "price_weighted_s": "35", "price_w": "95",
	"price_loss": 0.4}]`

func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}

func TestCasesByHand(t *testing.T) {
	const none = "mine: 0 of 1 agree, "
	reftest.Edits(t, setup(), map[string]string{"caps.json": some}, map[string]reftest.Edit{
		"right":      {"caps.json", "", "", "mine: 1 of 1 agree, worst ", ""},
		"a price":    {"caps.json", `"1/7"`, `"1/6"`, none, "the price is 0.1428"},
		"a bound":    {"caps.json", `"170/7"`, `"171/7"`, none, "the dual bound is 24.28"},
		"clocks":     {"caps.json", `"price_clock_index": [0, 0]`, `"price_clock_index": [0, 1]`, none, "clocks by a price"},
		"watts":      {"caps.json", `"price_w": "95"`, `"price_w": "96"`, none, "the watts by a price is 95"},
		"the best":   {"caps.json", `"25"`, `"24"`, none, "the least cost is 25, there 24"},
		"best watts": {"caps.json", `"165"`, `"166"`, none, "its watts is 165, there 166"},
		"best index": {"caps.json", `"best_clock_index": [1, 0]`, `"best_clock_index": [1, 9]`, none, "is NaN, there 25"},
		"a loss":     {"caps.json", "0.4", "0.3", none, "the price loses 0.3999"},
		"a number":   {"caps.json", `"170/7"`, `"x"`, none, `"x", expected a fraction`},
		"no clocks":  {"caps.json", `["1/2", "1"]`, "[]", none, "of 2 jobs are expected"},
	})
}

// Every case of the results at hand agrees, and a folder that has a name of these has their form.
func TestReference(t *testing.T) {
	reftest.References(t, setup(), "power-cap")
}
