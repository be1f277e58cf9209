package reference

import (
	"path/filepath"
	"strings"
	"testing"
)

// Two nodes of two pairs below one switch; "a" bought a node, "b" a pair. By hand: a's pod takes n0 (the first node), b's pair comes from n1, its second GPU
// as well; an opportunistic pod finds n1's other pair, and a's second request of a node waits, since its quota is used.
const (
	hivedCells = `{"cell_types": {"P": ["G", 2, false], "N": ["P", 2, true], "S": ["N", 2, false]},
"top_cells": [{"type": "S", "nodes": ["n0", "n1"], "gpu_indices_by_node": {"n1": [3, 2, 1, 0]}}],
"vcs": {"a": {"virtual_cells": [["S.N", 1]], "pinned": []}, "b": {"virtual_cells": [["S.N.P", 1]], "pinned": []}}}`
	hivedSteps = `[{"name": "mine", "config": "x", "steps": [
{"op": "schedule", "spec": {"pod": "p1", "vc": "a", "priority": 1, "gpus": 4, "group": "g1", "group_members": [{"pods": 1, "gpus": 4}]}, "expect": {"result": "bind", "node": "n0", "gpus": [0, 1, 2, 3]}},
{"op": "schedule", "spec": {"pod": "p2", "vc": "b", "priority": 0, "gpus": 1, "group": "g2", "group_members": [{"pods": 2, "gpus": 1}]}, "expect": {"result": "bind", "node": "n1", "gpus": [3]}},
{"op": "schedule", "spec": {"pod": "p3", "vc": "b", "priority": 0, "gpus": 1, "group": "g2", "group_members": [{"pods": 2, "gpus": 1}]}, "expect": {"result": "bind", "node": "n1", "gpus": [2]}},
{"op": "schedule", "spec": {"pod": "p4", "vc": "b", "priority": -1, "gpus": 2, "group": "g4", "group_members": [{"pods": 1, "gpus": 2}]}, "expect": {"result": "bind", "node": "n1", "gpus": [1, 0]}},
{"op": "schedule", "spec": {"pod": "p5", "vc": "a", "priority": 1, "gpus": 4, "group": "g5", "group_members": [{"pods": 1, "gpus": 4}]}, "expect": {"result": "wait"}},
{"op": "schedule", "spec": {"pod": "p6", "vc": "a", "priority": 2, "gpus": 4, "group": "g6", "group_members": [{"pods": 1, "gpus": 4}]}, "expect": {"result": "preempt", "victims": ["p1"]}},
{"op": "schedule_rejected", "specs": [{"pod": "p7", "vc": "c", "priority": 0, "gpus": 1, "group": "g7", "group_members": [{"pods": 1, "gpus": 1}]}], "expect": {"result": "user_error"}},
{"op": "delete_all_allocated_newest_first"}, {"op": "delete_all_preempting_newest_first"}, {"op": "check", "expect": "no group left"}, {"op": "node_bad", "node": "n0"}, {"op": "node_bad", "node": "n1"},
{"op": "check_free_vc_cells", "vc": "a", "chain": "S", "level": 3, "expect": "all bad"}]}]`
)

func TestHivedByHand(t *testing.T) {
	for name, c := range map[string]struct{ file, from, to, out, details string }{
		"right":         {"s.json", "", "", "mine: 13 of 13 agree, worst 0 ", ""},
		"a node":        {"s.json", `"n0", "gpus": [0`, `"n1", "gpus": [0`, "mine: 12 of 13 agree, worst 1 ", "mine: step 1 (schedule): p1: bind n0 [0 1 2 3], there "},
		"an order":      {"s.json", "[1, 0]", "[0, 1]", "mine: 12 of 13 agree, ", "step 4 (schedule): p4: bind n1 [1 0]"},
		"a wait":        {"s.json", `"wait"`, `"bind"`, "mine: 12 of 13 agree, ", "step 5 (schedule): p5: wait"},
		"a victim":      {"s.json", `["p1"]`, `["p2"]`, "mine: 12 of 13 agree, ", "step 6 (schedule): p6: preempt [p1]"},
		"no refusal":    {"s.json", `"vc": "c"`, `"vc": "b"`, "mine: 12 of 13 agree, ", "step 7 (schedule_rejected): p7: wait, there refused"},
		"groups left":   {"s.json", `{"op": "delete_all_preempting_newest_first"}, `, "", "mine: 11 of 12 agree, ", "step 9 (check): 1 groups are left"},
		"health":        {"s.json", `"all bad"`, `"none bad"`, "mine: 12 of 13 agree, ", "1 cells of a: 1 bad"},
		"no such node":  {"s.json", `"node": "n1"},`, `"node": "n7"},`, "mine: 11 of 13 agree, ", `there is no node "n7"`},
		"too much":      {"config_x.json", `["S.N", 1]`, `["S.N", 2]`, "mine: 0 of 1 agree, ", "the cluster cannot be built: VC cells do not fit"},
		"not a path":    {"config_x.json", `"S.N.P"`, `"S.P"`, "mine: 0 of 1 agree, ", "is not a way down"},
		"not a type":    {"config_x.json", `["G", 2, false]`, `["G", 2]`, "mine: could not be compared: ", ""},
		"unknown step":  {"s.json", `"op": "check",`, `"op": "look",`, "mine: 9 of 9 agree, ", "mine: steps 10 to 13 are not compared: the step is not known"},
		"unknown words": {"s.json", `"result": "wait"`, `"outcome": "wait"`, "mine: 4 of 4 agree, ", "mine: steps 5 to 13 are not compared: what it is to give is not known"},
		"not committed": {"s.json", `{"op": "schedule", "spec": {"pod": "p2"`, `{"op": "schedule", "allocate": false, "spec": {"pod": "p2"`, "mine: 1 of 1 agree, ", "steps 2 to 13 are not compared: a bind that"},
		"changes":       {"s.json", `"config": "x"`, `"config": "x", "config_changes": "later"`, "mine: 0 of 0 agree, ", "steps 1 to 13 are not compared: a change of configuration with pods"},
	} {
		files := map[string]string{"reference/mine/config_x.json": hivedCells, "reference/mine/s.json": hivedSteps}
		if c.from != "" && !strings.Contains(files["reference/mine/"+c.file], c.from) {
			t.Fatalf("%s: nothing to replace", name)
		}
		files["reference/mine/"+c.file] = strings.Replace(files["reference/mine/"+c.file], c.from, c.to, 1)
		good, out, details := compare(t, filepath.Join(write(t, files), "reference"))
		beyond := strings.Contains(details, "not compared")
		if good != (name == "right" || beyond) || !strings.HasPrefix(out, c.out) || !strings.Contains(details, c.details) {
			t.Errorf("%s: good %v\n%s%s\nexpected\n%s%s", name, good, out, details, c.out, c.details)
		}
	}
}
