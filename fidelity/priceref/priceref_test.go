package priceref

import (
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}

// A day by hand: one node of two GPUs, 100 W on, 10 W a GPU, 50 Wh a switch; prices 3, 1, 2. The
// first job has to run for two slots, the second for one in slots 0 and 1.
//
// Always on: nodes 100 (3 + 1 + 2) = 600. Without pauses the first job runs in 1 and 2 (10 x 3), the
// second in 1 (10): 640; so with pauses. Off when idle: 100 x 3 + 50 x 1 + 40 = 390. Earliest: slots 0, 1
// and 0: 600 + 40 + 30 = 670, and 400 + 150 + 70 = 620.
const someDays = `[{"name": "d", "price": [3, 1, 2], "nodes": 1, "gpus_per_node": 2, "node_w": 100, "gpu_w": 10,
	"switch_on_wh": 50, "jobs": [{"gpus": 1, "slots": 2, "ready": 0, "due": 3}, {"gpus": 1, "slots": 1, "ready": 0,
	"due": 2}], "best": {"always-on": {"cost": 640, "slots": [[1, 2], [1]]}, "off-when-idle-preemptive":
	{"cost": 390, "slots": [[1, 2], [1]]}}, "earliest": {"slots": [[0, 1], [0]], "cost":
	{"always-on": 670, "off-when-idle": 620}}}]`

func TestDayByHand(t *testing.T) {
	const none = "mine: 0 of 1 agree, "
	reftest.Edits(t, setup(), map[string]string{"days.json": someDays}, map[string]reftest.Edit{
		"right":    {"days.json", "", "", "mine: 1 of 1 agree, worst ", ""},
		"a cost":   {"days.json", "640", "641", none, "always-on: the least cost is 640, there 641"},
		"a plan":   {"days.json", "[[1, 2], [1]]}, ", "[[1, 2], [2]]}, ", none, "plan [[1 2] [2]] is none"},
		"a dearer": {"days.json", "[[1, 2], [1]]}, ", "[[1, 2], [0]]}, ", none, "the plan there is 660, there 640"},
		"earliest": {"days.json", "[0, 1]", "[1, 2]", none, "the earliest plan is [[0 1] [0]], there [[1 2] [0]]"},
		"its cost": {"days.json", "620", "600", none, "off-when-idle: the earliest plan's cost is 620, there 600"},
		"a form":   {"days.json", `"always-on": {`, `"sometimes": {`, none, `no form "sometimes" of plans is known`},
		"a due":    {"days.json", `"due": 3`, `"due": 1`, none, "no optimum is found"},
	})
}

// Every day of the results at hand agrees.
func TestReference(t *testing.T) {
	reftest.References(t, setup(), "price-shift")
}
