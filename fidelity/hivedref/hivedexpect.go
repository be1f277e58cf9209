package hivedref

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	hived "tarry/baselines/hived/cells"
)

// hivedExpect is what a request is to give.
type hivedExpect struct {
	Result  string
	Node    string
	GPUs    []int
	Victims []string
	// states are the groups' states afterwards.
	states []groupState
	// unknown are the fields that are not compared.
	unknown []string
}

// groupState is what a group is to be.
type groupState struct {
	name  string
	state hived.State
}

// readExpect reads what a request is to give; own is its group. Besides the result it may speak of
// states: group_state of the own group or by name, and lists of groups whose name states the state,
// such as groups_still_allocated.
func readExpect(text []byte, own string) hivedExpect {
	var e hivedExpect
	fields := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(text)) == 0 || json.Unmarshal(text, &e.Result) == nil {
		return e
	}
	if json.Unmarshal(text, &fields) != nil || json.Unmarshal(text, &e) != nil {
		e.unknown = []string{oneLine(text)}
		return e
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if slices.Contains([]string{"result", "node", "gpus", "victims", "note"}, key) {
			continue
		}
		list, known := statesOf(key, fields[key], own)
		if !known {
			e.unknown = append(e.unknown, key)
			continue
		}
		e.states = append(e.states, list...)
	}
	return e
}

// statesOf reads a field that speaks of states.
func statesOf(key string, text json.RawMessage, own string) (list []groupState, known bool) {
	var word string
	var groups []string
	if json.Unmarshal(text, &word) == nil {
		st, known := stateOf(word)
		return []groupState{{own, st}}, known && strings.Contains(key, "state")
	}
	if json.Unmarshal(text, &groups) == nil {
		st, known := stateOf(key)
		for _, g := range groups {
			list = append(list, groupState{g, st})
		}
		return list, known
	}
	return statesByName(text)
}

// statesByName reads an object of states by group.
func statesByName(text json.RawMessage) (list []groupState, known bool) {
	byName := map[string]string{}
	if json.Unmarshal(text, &byName) != nil || len(byName) == 0 {
		return nil, false
	}
	for _, g := range slices.Sorted(maps.Keys(byName)) {
		st, known := stateOf(byName[g])
		if !known {
			return nil, false
		}
		list = append(list, groupState{g, st})
	}
	return list, true
}

// agrees compares a decision; compared is false where nothing is stated of it.
func (e *hivedExpect) agrees(d hived.Decision) (good, compared bool) {
	switch e.Result {
	case "":
		return true, len(e.states) > 0
	case "bind":
		return d.Result == hived.Bind && (e.Node == "" || e.Node == d.Node) &&
			(e.GPUs == nil || slices.Equal(e.GPUs, d.GPUs)), true
	case "wait":
		return d.Result == hived.Wait, true
	case "preempt":
		return d.Result == hived.Preempt && len(d.Victims) > 0 &&
			!slices.ContainsFunc(d.Victims, func(v string) bool {
				return e.Victims != nil &&
					!slices.Contains(e.Victims, v)
			}), true
	}
	return false, true
}
