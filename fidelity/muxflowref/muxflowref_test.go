package muxflowref

import (
	"testing"

	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup { return reference.Setup{Readers: []reference.Reader{Reader()}} }

// one is two jobs and two GPUs by hand, and an unhealthy one: half of GPU 0 and .2 of GPU 1 are in use, so
// that shares are .5 and .8. Job 0 uses all of a GPU, job 1 half. Job 1 fits on neither beside 10 000 MiB.
const one = `[{"online": [{"sm_activity": 0.5, "gpu_mem_used_mib": 2000, "healthy": true},
	{"sm_activity": 0.2, "gpu_mem_used_mib": 2000, "healthy": true},
	{"sm_activity": 0, "gpu_mem_used_mib": 2000, "healthy": false}],
	"offline": [{"sm_need": 1, "sensitivity": 0, "mem_mib": 2000}, {"sm_need": 0.5, "sensitivity": 0.2, "mem_mib": 9000}],
	"weights": [[0.5, 0.8, 0], [0.9, 0.96, 0]], "optimum": 1.7, "greedy": 1.46}]`

func TestInstancesByHand(t *testing.T) {
	const none = "mine: 0 of 1 agree, "
	reftest.Edits(t, setup(), map[string]string{"a.json": one}, map[string]reftest.Edit{
		"right":   {"a.json", "", "", "mine: 1 of 1 agree, ", ""},
		"weight":  {"a.json", `[0.5, 0.8, 0]`, `[0.5, 0.7, 0]`, none, "a weight is 0.8, there 0.7"},
		"health":  {"a.json", `"healthy": false`, `"healthy": true`, none, "a weight is 1, there 0"},
		"memory":  {"a.json", `"mem_mib": 9000`, `"mem_mib": 15000`, none, "a weight is 0, there 0.9"},
		"best":    {"a.json", `"optimum": 1.7`, `"optimum": 1.6`, none, "the best sum is 1.7"},
		"greedy":  {"a.json", `"greedy": 1.46`, `"greedy": 1.5`, none, "the greedy sum is 1.46, there 1.5"},
		"rows":    {"a.json", `, [0.9, 0.96, 0]]`, `]`, none, "weights of 1 jobs"},
		"columns": {"a.json", `[0.5, 0.8, 0]`, `[0.5, 0.8]`, none, "has 2 weights"},
	})
}

// Every instance at hand is equal.
func TestReferences(t *testing.T) { reftest.References(t, setup(), "muxflow") }
