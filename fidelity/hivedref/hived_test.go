package hivedref

import (
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

// Two nodes of two pairs below one switch; "a" bought a node, "b" a pair. By hand: a's pod takes n0
// (the first node), b's pair comes from n1, its second GPU as well; an opportunistic pod finds n1's
// other pair, and a's second request of a node waits, since its quota is used.
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
		"right": {"s.json", "", "", "mine: 13 of 13 agree, worst 0 ", ""},
		"a node": {"s.json", `"n0", "gpus": [0`, `"n1", "gpus": [0`, "mine: 12 of 13 agree, worst 1 ",
			"mine: step 1 (schedule): p1: bind n0 [0 1 2 3], there "},
		"an order": {"s.json", "[1, 0]", "[0, 1]", "mine: 12 of 13 agree, ",
			"step 4 (schedule): p4: bind n1 [1 0]"},
		"a wait": {"s.json", `"wait"`, `"bind"`, "mine: 12 of 13 agree, ", "step 5 (schedule): p5: wait"},
		"a victim": {"s.json", `["p1"]`, `["p2"]`, "mine: 12 of 13 agree, ",
			"step 6 (schedule): p6: preempt [p1]"},
		"no refusal": {"s.json", `"vc": "c"`, `"vc": "b"`, "mine: 12 of 13 agree, ",
			"step 7 (schedule_rejected): p7: wait, there refused"},
		"groups left": {"s.json", `{"op": "delete_all_preempting_newest_first"}, `, "", "mine: 11 of 12 agree, ",
			"step 9 (check): 1 groups are left"},
		"health": {"s.json", `"all bad"`, `"none bad"`, "mine: 12 of 13 agree, ", "1 cells of a: 1 bad"},
		"no such node": {"s.json", `"node": "n1"},`, `"node": "n7"},`, "mine: 11 of 13 agree, ",
			`there is no node "n7"`},
		"too much": {"config_x.json", `["S.N", 1]`, `["S.N", 2]`, "mine: 0 of 1 agree, ",
			"the cluster cannot be built: VC cells do not fit"},
		"not a path": {"config_x.json", `"S.N.P"`, `"S.P"`, "mine: 0 of 1 agree, ", "is not a way down"},
		"not a type": {"config_x.json", `["G", 2, false]`, `["G", 2]`, "mine: could not be compared: ", ""},
		"unknown step": {"s.json", `"op": "check", "expect": "no group left"`, `"op": "wait", "for": "it"`,
			"mine: 9 of 9 agree, ", "mine: steps 10 to 13 are not compared: the step is not known"},
		"unknown words": {"s.json", `"result": "wait"`, `"outcome": "wait"`, "mine: 12 of 12 agree, ",
			"mine: step 5: not compared: outcome"},
		"unknown check": {"s.json", `"no group left"`, `"all is well"`, "mine: 12 of 12 agree, ",
			"mine: step 10 (check) is not compared: what it checks is not known"},
		"not committed": {"s.json", `{"op": "schedule", "spec": {"pod": "p2"`,
			`{"op": "schedule", "allocate": false, "spec": {"pod": "p2"`, "mine: 12 of 13 agree, ",
			"step 3 (schedule): p3: bind n1 [3]"},
		"changes": {"s.json", `"config": "x"`, `"config": "x", "config_changes": "later"`,
			"mine: 0 of 0 agree, ", "steps 1 to 13 are not compared: the change names no scenario"},
	} {
		files := map[string]string{"reference/mine/config_x.json": hivedCells, "reference/mine/s.json": hivedSteps}
		if c.from != "" && !strings.Contains(files["reference/mine/"+c.file], c.from) {
			t.Fatalf("%s: nothing to replace", name)
		}
		files["reference/mine/"+c.file] = strings.Replace(files["reference/mine/"+c.file], c.from, c.to, 1)
		good, out, details := reftest.Play(t, setup(), files)
		beyond := strings.Contains(out, "not compared")
		if good != (name == "right" || beyond) || !strings.HasPrefix(out, c.out) ||
			!strings.Contains(out+details, c.details) {
			t.Errorf("%s: good %v\n%s%s\nexpected\n%s%s", name, good, out, details, c.out, c.details)
		}
	}
}

// The steps that look at groups and GPUs: p2 takes what p1 has and gives up; then the cluster
// changes below the pods that run. By hand: a has n0, b the pair with n1's GPUs 3 and 2. b bought
// nothing any more: its group is downgraded. n0 is renamed: a's pod runs on, on a node that is
// nowhere.
const hivedLooks = `[{"name": "mine", "config": "x", "steps": [
{"op": "schedule", "spec": {"pod": "p1", "vc": "a", "priority": 1, "gpus": 4, "group": "g1", "group_members": [{"pods": 1, "gpus": 4}]}, "expect": {"result": "bind", "group_state": "allocated"}},
{"op": "schedule", "spec": {"pod": "p2", "vc": "a", "priority": 2, "gpus": 4, "group": "g2", "group_members": [{"pods": 1, "gpus": 4}]}, "phase": "filtering", "expect": {"result": "preempt", "victims": ["p1"], "groups_absent": ["g2"]}},
{"op": "schedule", "spec": {"pod": "p2", "vc": "a", "priority": 2, "gpus": 4, "group": "g2", "group_members": [{"pods": 1, "gpus": 4}]}, "expect": {"result": "preempt", "victims": ["p1"]}},
{"op": "group_state", "group": "g2", "expect": "preempting"},
{"op": "delete_unallocated", "pod": "p2"},
{"op": "check_groups_deleted", "groups": ["g2"]},
{"op": "check_cells", "nodes": ["n0"], "expect": "used ones have priority 1, others are free"},
{"op": "schedule", "spec": {"pod": "p3", "vc": "b", "priority": 0, "gpus": 2, "group": "g3", "group_members": [{"pods": 1, "gpus": 2}]}, "expect": {"result": "bind", "node": "n1", "gpus": [3, 2]}}]},
{"name": "again", "config": "x", "config_changes": "after mine on the old config: node n0 is renamed n9; b's first virtual cell count falls to 0", "steps": [
{"op": "replay_allocated_pods_on_new_config"}, {"op": "check_groups_lazy_preempted", "groups": ["g3"]}, {"op": "group_state", "group": "g1", "state": "allocated"},
{"op": "check_cells", "node": "n9", "expect": "free or as p1"}, {"op": "delete_all_allocated_newest_first"}, {"op": "check", "expect": "no group left"}]}]`

func TestHivedLooks(t *testing.T) {
	for name, c := range map[string]struct{ from, to, out, details string }{
		"right": {"", "", "mine: 14 of 14 agree, worst 0 ", ""},
		"by name": {`"group": "g2", "expect": "preempting"`, `"expect": {"g2": "preempting", "g1": "allocated"}`,
			"mine: 14 of 14 agree, ", ""},
		"a waiting pod": {`{"op": "delete_unallocated", "pod": "p2"}`,
			`{"op": "delete_unallocated", "pod": "p2"}, {"op": "delete_unallocated", "pod": "p2"}`,
			"mine: 15 of 15 agree, ", ""},
		"in words": {`{"result": "preempt", "victims": ["p1"]}},
{"op": "group_state"`, `"preempt"},
{"op": "group_state"`, "mine: 14 of 14 agree, ", ""},
		"own state": {`"group_state": "allocated"`, `"group_state": {"g1": "preempting"}`, "mine: 13 of 14 agree, ",
			"group g1 is allocated"},
		"no state": {`"group_state": "allocated"`, `"group_state": "elsewhere"`, "mine: 14 of 14 agree, ",
			"mine: step 1: not compared: group_state"},
		"a state": {`"expect": "preempting"`, `"expect": "absent"`, "mine: 13 of 14 agree, ",
			"group g2 is preempting, there absent"},
		"a priority": {`priority 1, others`, `priority 2, others`, "mine: 13 of 14 agree, ",
			"priority 1, used true, reserved false; there used at 2 or free"},
		"no node": {`"nodes": ["n0"]`, `"nodes": ["n5"]`, "mine: 13 of 14 agree, ", "there is no node n5"},
		"no clause": {"node n0 is renamed n9", "node n0 is no more", "mine: 8 of 8 agree, ",
			"a change of the configuration is not known: node n0 is no more"},
		"no such node": {"node n0 is", "node n7 is", "mine: 8 of 8 agree, ", "there is no node n7 to rename"},
		"no such VC":   {"b's first", "c's first", "mine: 8 of 8 agree, ", "there is no first virtual cell of c"},
		"flat": {"node n0 is", "N becomes 4 GPUs directly (flat); node n0 is", "mine: 8 of 9 agree, ",
			"the cluster cannot be built: VC b buys"},
		"no such type": {"node n0 is", "Q becomes 4 GPUs directly; node n0 is", "mine: 8 of 8 agree, ",
			"there is no cell type Q"},
		"no such top": {"node n0 is", "the second S is split into two single-node top cells; node n0 is",
			"mine: 8 of 8 agree, ", "there is no second S to split"},
		"a split": {"node n0 is", "a new 2-node cell has nodes m.1-m.2; the second S is split into two " +
			"single-node top cells; node n0 is", "mine: 14 of 14 agree, ", ""},
	} {
		if c.from != "" && !strings.Contains(hivedLooks, c.from) {
			t.Fatalf("%s: nothing to replace", name)
		}
		files := map[string]string{"reference/mine/config_x.json": hivedCells,
			"reference/mine/s.json": strings.Replace(hivedLooks, c.from, c.to, 1)}
		_, out, details := reftest.Play(t, setup(), files)
		if !strings.HasPrefix(out, c.out) || !strings.Contains(out+details, c.details) {
			t.Errorf("%s:\n%s%s\nexpected\n%s%s", name, out, details, c.out, c.details)
		}
	}
}

// setup compares with this program alone.
func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}
