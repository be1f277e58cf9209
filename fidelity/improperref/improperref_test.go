package improperref

import (
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}

// Cases by hand. A queue with room for one job, arrivals for sure, discount 1/2: serving the first
// for ever costs 0 + 1/2 (2 + 1/2 (2 + ...)) = 2. Each number wrong.
const (
	someQueues = `[{"arrival_probabilities": [1, 1], "discount": 0.5, "buffer": 1, "rules": ["serve1", "longest"],
		"values": [{"mixture": [1, 0], "cost_from_empty": 2}, {"mixture": [0.5, 0.5], "cost_from_empty": 2}],
		"best": {"mixture": [1, 0], "cost_from_empty": 2}}]`
	someClosed = `{"geo_geo_1": [{"arrival": 0.5, "service": 0.75, "mean_queue": 1}],
		"bandit": [{"rewards": [1, 1], "step_size": 9, "trajectory": [
		{"step": 0, "probabilities": [0.5, 0.5], "value": 1}, {"step": 2, "probabilities": [0.5, 0.5], "value": 1}]}]}`
)

func TestCasesByHand(t *testing.T) {
	const two = "mine: 2 of 3 agree, "
	reftest.Edits(t, setup(), map[string]string{"a.json": someQueues, "b.json": someClosed}, map[string]reftest.Edit{
		"right": {"a.json", "", "", "mine: 3 of 3 agree, worst ", ""},
		"a cost": {"a.json", `0.5], "cost_from_empty": 2`, `0.5], "cost_from_empty": 3`, two,
			"the cost of [0.5 0.5] is 1.99"},
		"the best": {"a.json", `"best": {"mixture": [1, 0]`, `"best": {"mixture": [0, 1]`, two,
			"probability of rule 0 is 1"},
		"least":     {"a.json", `"cost_from_empty": 2}}]`, `"cost_from_empty": 1}}]`, two, "the least cost is 1.99"},
		"a rule":    {"a.json", `"serve1"`, `"serve3"`, two, `rule "serve3", expected one of`},
		"discount":  {"a.json", `"discount": 0.5`, `"discount": 1`, two, "discount 1"},
		"a buffer":  {"a.json", `"buffer": 1`, `"buffer": 0`, two, "a queue holds 0 jobs"},
		"a mixture": {"a.json", `[0.5, 0.5]`, `[0.5]`, two, "mixture [0.5] of 2 rules"},
		"a mean":    {"b.json", `"mean_queue": 1`, `"mean_queue": 2`, two, "the mean queue is 1, there 2"},
		"probability": {"b.json", `2, "probabilities": [0.5`, `2, "probabilities": [0.6`, two,
			"step 2: probability 0 is 0.5, there 0.6"},
		"a value":    {"b.json", `"value": 1}, `, `"value": 2}, `, two, "step 0: value is 1, there 2"},
		"no order":   {"b.json", `"step": 0`, `"step": 3`, two, "step 2 with 2 probabilities after step 3"},
		"no rewards": {"b.json", `[1, 1]`, `[]`, two, "0 rewards"},
		"no cases":   {"b.json", someClosed, "{}", "mine: could not be compared: b.json: no cases", ""},
	})
}

func TestReferences(t *testing.T) { reftest.References(t, setup(), "improper-rl") }
