package lyraref

import (
	"testing"

	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup { return reference.Setup{Readers: []reference.Reader{Reader()}} }

// one is an instance by hand: 4 free GPUs. Job 0 has 1 of up to 2 workers of 3 GPUs, which halves its 90 s:
// 45 s, 15 per GPU. Job 1 takes 60 s on one GPU, 30 on two, 20 on three: 30 s for the first GPU. Together
// they save 75 s.
const one = `[{"free_gpus": 4, "jobs": [
	{"id": 1, "gpus_per_worker": 3, "wmin": 1, "wmax": 2, "work": 90, "kind": "linear", "beta": 0},
	{"id": 2, "gpus_per_worker": 1, "wmin": 1, "wmax": 4, "work": 60, "kind": "linear", "beta": 0}],
	"optimum": {"saved_s": 75, "gpus": 4, "extra_workers": [1, 1]},
	"greedy": {"saved_s": 75, "extra_workers": [1, 1]}},
	{"free_gpus": 1, "jobs": [
	{"id": 1, "gpus_per_worker": 1, "wmin": 1, "wmax": 3, "work": 10, "kind": "amdahl", "beta": 1}],
	"optimum": {"saved_s": 0, "gpus": 0, "extra_workers": [0]}, "greedy": {"saved_s": 0, "extra_workers": [0]}}]`

func TestInstancesByHand(t *testing.T) {
	const half = "mine: 1 of 2 agree, "
	reftest.Edits(t, setup(), map[string]string{"some.json": one}, map[string]reftest.Edit{
		"right":     {"some.json", "", "", "mine: 2 of 2 agree, ", ""},
		"a sum":     {"some.json", `"saved_s": 75, "gpus"`, `"saved_s": 74, "gpus"`, half, "the seconds saved is 75, there 74"},
		"GPUs":      {"some.json", `"gpus": 4, "ex`, `"gpus": 3, "ex`, half, "4 GPUs, there 3"},
		"a choice":  {"some.json", `[1, 1]},`, `[0, 3]},`, half, "the optimum there saves 45 s with 3 of 4"},
		"a number":  {"some.json", `[1, 1]},`, `[2, 1]},`, half, "the optimum there has 2 workers"},
		"greedy":    {"some.json", `"greedy": {"saved_s": 75`, `"greedy": {"saved_s": 70`, half, "one by one save is 75, there 70"},
		"its jobs":  {"some.json", `[1, 1]}}`, `[1, 2]}}`, half, "one by one jobs get [1 1] workers"},
		"a law":     {"some.json", `"linear"`, `"square"`, half, `job 0 is "square"`},
		"its beta":  {"some.json", `"beta": 1`, `"beta": 0.5`, half, "there 0"},
		"workers":   {"some.json", `"wmin": 1`, `"wmin": 3`, half, "job 0 has 3 to 2 workers"},
		"nothing":   {"some.json", `"gpus": 4, "ex`, `"ex`, half, "the answers lack"},
		"fractions": {"some.json", `"free_gpus": 4`, `"free_gpus": 4.5`, half, "4.5"},
	})
}

// Every instance of the shared data is reached and equal, machines that are taken back too.
func TestShared(t *testing.T) { reftest.References(t, setup(), "lyra") }
