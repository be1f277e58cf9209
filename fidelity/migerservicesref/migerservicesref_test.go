package migerservicesref

import (
	"testing"

	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup { return reference.Setup{Readers: []reference.Reader{Reader()}} }

// two is two GPUs by hand. The service has 70 requests per second on the whole GPU, c/7 of them in an
// instance: of its 25 a second, 1 - e^-5 are within 1 s at 30 (3g), none are served in time at 20. A job of
// use 4/7 has speed 1 in the 4g beside it. The second service needs the whole GPU.
const two = `[{"online": [{"load": 25, "rate_whole_gpu": 70, "deadline_s": 1, "mem_mib": 2000, "target": 0.99}],
	"offline": [{"util": 0.5714285714285714, "mem_mib": 3000}], "least_profile": ["3g"],
	"optimum": {"offline_speed": 1, "online_in": ["3g"]}},
	{"online": [{"load": 65, "rate_whole_gpu": 70, "deadline_s": 1, "mem_mib": 2000, "target": 0.9},
	{"load": 1, "rate_whole_gpu": 70, "deadline_s": 1, "mem_mib": 50000, "target": 0.9}],
	"offline": [], "least_profile": ["7g", null], "optimum": null}]`

func TestInstancesByHand(t *testing.T) {
	const half = "mine: 1 of 2 agree, "
	reftest.Edits(t, setup(), map[string]string{"a.json": two}, map[string]reftest.Edit{
		"right":  {"a.json", "", "", "mine: 2 of 2 agree, ", ""},
		"least":  {"a.json", `"least_profile": ["3g"]`, `"least_profile": ["2g"]`, half, "is met by 3g, there 2g"},
		"none":   {"a.json", `["7g", null]`, `["7g", "7g"]`, half, "is met by none, there 7g"},
		"memory": {"a.json", `"mem_mib": 3000`, `"mem_mib": 30000`, half, "the sum of speeds is 0, there 1"},
		"speed":  {"a.json", `"offline_speed": 1`, `"offline_speed": 0.75`, half, "the sum of speeds is 1"},
		"met":    {"a.json", `{"offline_speed": 1, "online_in": ["3g"]}`, `null`, half, "met: true, there false"},
		"list":   {"a.json", `["7g", null]`, `["7g"]`, half, "1 least profiles"},
	})
}

// Every instance at hand is equal.
func TestReferences(t *testing.T) { reftest.References(t, setup(), "miger-services") }
