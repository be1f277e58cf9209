package parallelqueuesref

import (
	"testing"

	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup { return reference.Setup{Readers: []reference.Reader{Reader()}} }

// Every rule of the shared cases is reached and equal.
func TestShared(t *testing.T) { reftest.References(t, setup(), "parallel-queues") }

// By hand: the second job waits for the first, the third finds the queue full. With the fourth come
// the acknowledgements of both, of which the second arrives.
const cases = `[{"queues": 1, "buffer": 2, "rates": [0.5], "ack_probability": 0.5, "inter_arrival_s": [1, 1, 1, 5],
	"service_s": [[3, 3, 2]], "draws": [0.5, 0.4], "draws_used_jsq": 2,
	"rules": {"jsq": {"actions": [0, 0, 0, 0], "dropped": [0, 0, 1, 0], "queue_lengths": [[1], [2], [2], [1]],
	"acknowledged": [[0], [0], [0], [1]], "reward": [-1, -102, -102, -1], "mean_response_s": 3.3333333333333335,
	"drop_part": 0.25, "sum_reward": -206}}}]`

func TestByHand(t *testing.T) {
	const bad = "mine: 0 of 1"
	reftest.Edits(t, setup(), map[string]string{"q.json": cases}, map[string]reftest.Edit{
		"right":     {"q.json", "", "", "mine: 1 of 1", ""},
		"an action": {"q.json", `"actions": [0`, `"actions": [1`, bad, "job 0: queue 0, lost false"},
		"dropped":   {"q.json", "[0, 0, 1, 0]", "[0, 0, 0, 0]", bad, "job 2: queue 0, lost true"},
		"a length":  {"q.json", "[2], [1]", "[2], [0]", bad, "lengths [1]"},
		"an ack":    {"q.json", "[0], [1]]", "[0], [2]]", bad, "acknowledged [1]"},
		"a reward":  {"q.json", "-102, -1]", "-102, -2]", bad, "reward -1; there"},
		"a mean":    {"q.json", "3.33", "3.34", bad, "mean_response_s is 3.33"},
		"a part":    {"q.json", "0.25", "0.5", bad, "drop_part is 0.25, there 0.5"},
		"a sum":     {"q.json", "-206", "-205", bad, "sum_reward is -206, there -205"},
		"used":      {"q.json", "_jsq\": 2", "_jsq\": 3", bad, "2 draws are used, there 3"},
		"few draws": {"q.json", "0.5, 0.4]", "0.5]", bad, "too few draws"},
		"few times": {"q.json", "3, 3, 2", "3, 3", bad, "too few draws"},
		"a draw":    {"q.json", "0.5, 0.4]", "0.4, 0.4]", bad, "acknowledged [2]"},
		"a rule":    {"q.json", `"jsq": {`, `"lifo": {`, bad, "lifo: no such rule"},
		"chance":    {"q.json", `"jsq": {`, `"jsq2": {`, bad, "jsq2: a rule of chance"},
		"a list":    {"q.json", "-102, -1]", "-102]", bad, "not all as long"},
		"rates":     {"q.json", "[0.5],", "[0.5, 1],", bad, "2 rates and 1 service times of 1 queues"},
		"no buffer": {"q.json", `"buffer": 2`, `"buffer": 0`, bad, "a buffer of 0"},
		"a word":    {"q.json", `"buffer": 2`, `"buffer": "x"`, bad, "cannot unmarshal"},
	})
}
