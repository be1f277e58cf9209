package linksref

import (
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}

// Cases by hand, and each of their numbers wrong.
const (
	someRates = `[{"capacity": ["1"], "demand": [null, "1/8"], "weight": ["1", "2"], "links": [[0], [0]],
		"rate": ["7/8", "1/8"]}]`
	somePhases = `[{"capacity": ["1"], "jobs": [{"compute": "2", "volume": "1", "weight": "1", "offset": "0",
		"links": [0], "priority": 0, "release_at": "1"}, {"compute": "2", "volume": "1", "weight": "1", "offset": "0",
		"links": [0], "priority": 0, "release_at": "1"}], "periodic": true, "mean_iteration": ["4", "4"],
		"first_iteration_ends": [["4"], ["4"]], "compute_part": ["1/2", "1/2"], "link_busy": ["1/2"]}]`
	someShifts = `[{"jobs": [{"compute": "2", "volume": "1"}, {"compute": "2", "volume": "1"}], "shifts": ["0", "1"],
		"fair_together": ["4", "4"], "fair_shifted": ["3", "3"], "priority_by_index": ["3", "3"],
		"one_at_a_time": ["3", "3"]}]`
	somePairs = `[{"reference": {"GPUs": 10, "compute": "2", "volume": "2", "release_at": "1"}, "other": {"GPUs": 10,
		"compute": "1", "volume": "1", "release_at": "1"}, "intensity": ["10", "10"], "correction_of_other": "3/2",
		"ref_first": {"mean_iteration": ["4", "4"], "link_part": ["1/2", "1/4"]},
		"other_first": {"mean_iteration": ["6", "2"], "link_part": ["1/3", "1/2"]},
		"ref_first_use": "3/8", "other_first_use": "5/12", "better": "other_first"}]`
	someSequences = `[{"spines": 2, "leaves": 2, "gpus_per_server": 1, "events": [
		{"event": "start", "job": 0, "size": 1, "ok": true, "gpus": [0], "links": [], "exists": {"Leaves": 1}},
		{"event": "start", "job": 1, "size": 2, "ok": true, "gpus": [2, 3], "links": [], "exists": {"Leaves": 1}},
		{"event": "start", "job": 2, "size": 2, "ok": false, "exists": null},
		{"event": "end", "job": 1}, {"event": "start", "job": 2, "size": 2, "ok": true, "gpus": [2, 3], "links": [],
		"exists": {"Leaves": 1}}]}]`
)

func TestCasesByHand(t *testing.T) {
	files := map[string]string{"rates.json": someRates, "phases.json": somePhases, "shifts.json": someShifts,
		"pairs.json": somePairs, "sequences.json": someSequences}
	const four = "mine: 4 of 5 agree, "
	reftest.Edits(t, setup(), files, map[string]reftest.Edit{
		"right":    {"rates.json", "", "", "mine: 5 of 5 agree, worst ", ""},
		"a rate":   {"rates.json", "7/8", "6/8", four, "rates.json: case 0: a rate is 0.875, there 0.75"},
		"rates":    {"rates.json", `"7/8", "1/8"`, `"7/8"`, four, "1 rates of 2 flows"},
		"a number": {"rates.json", "1/8", "x", four, `"x", expected a fraction`},
		"a mean": {"phases.json", `"mean_iteration": ["4", "4"]`, `"mean_iteration": ["4", "5"]`, four,
			"the iteration of job 1 is 4, there 5"},
		"a busy link": {"phases.json", `["1/2"]}`, `["1/3"]}`, four, "the busy part of link 0 is 0.5, there 0.3333"},
		"a compute part": {"phases.json", `["1/2", "1/2"]`, `["1/2", "1"]`, four,
			"the compute part of job 1 is 0.5, there 1"},
		"a shift": {"shifts.json", `"fair_shifted": ["3", "3"]`, `"fair_shifted": ["4", "4"]`, four,
			"shifted: the iteration of job 0 is 3, there 4"},
		"turns": {"shifts.json", `"one_at_a_time": ["3"`, `"one_at_a_time": ["4"`, four,
			"one at a time: the iteration of job 0 is 3, there 4"},
		"a use":    {"pairs.json", "5/12", "6/12", four, "the other first: the use of GPUs is 0.41666"},
		"a factor": {"pairs.json", `"3/2"`, `"4/3"`, four, "pairs.json: case 0: k is 1.4999"},
		"an order": {"pairs.json", `"better": "other_first"`, `"better": "ref_first"`, four, "there ref_first"},
		"a start": {"sequences.json", `"ok": false, "exists": null`, `"ok": true, "exists": null`, four,
			"event 2: 2 GPUs are found"},
		"not a list": {"rates.json", someRates, "{}", "mine: could not be compared: rates.json: ", ""},
		"a size": {"sequences.json", `"size": 1, "ok": true`, `"size": 9, "ok": true`, four,
			"event 0: 9 GPUs are found: false, there true"},
	})
}

// Every case of the results at hand agrees, and folders that have a name of these have a form.
func TestReference(t *testing.T) {
	reftest.References(t, setup(), "maxmin", "link-phases", "interleaving", "cassini", "crux", "vclos")
}
