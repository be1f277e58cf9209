package hivedref

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	hived "tarry/baselines/hived/cells"
)

// stateWords are the states of groups, by their number.
var stateWords = [...]string{hived.Absent: "absent", hived.Preempting: "preempting", hived.Allocated: "allocated",
	hived.Downgraded: "downgraded"}

// stateOf gives the state that a text speaks of.
func stateOf(text string) (hived.State, bool) {
	for _, w := range []struct {
		word  string
		state hived.State
	}{
		{"lazy", hived.Downgraded}, {"downgrade", hived.Downgraded}, {"absent", hived.Absent}, {"delete", hived.Absent},
		{"not exist", hived.Absent}, {"gone", hived.Absent}, {"preempting", hived.Preempting},
		{"allocated", hived.Allocated},
	} {
		if strings.Contains(strings.ToLower(text), w.word) {
			return w.state, true
		}
	}
	return 0, false
}

// look does a step that looks at the state: of groups, or of the GPUs of nodes.
func (r *hivedRun) look(i int, s *hivedStep) string {
	if bytes.Equal(bytes.TrimSpace(s.Expect), []byte(`"no group left"`)) {
		r.say(i, r.c.Groups() == 0, fmt.Sprintf("%d groups are left", r.c.Groups()))
		return ""
	}
	if byName, known := statesByName(s.Expect); known {
		r.states(i, byName)
		return ""
	}
	groups := s.Groups
	if s.Group != "" {
		groups = append(slices.Clone(groups), s.Group)
	}
	text := string(s.Expect) + " " + s.Op
	looks := strings.HasPrefix(s.Op, "check") || strings.HasPrefix(s.Op, "group")
	if want, known := stateOf(s.State + " " + text); looks && known && len(groups) > 0 {
		var list []groupState
		for _, g := range groups {
			list = append(list, groupState{g, want})
		}
		r.states(i, list)
		return ""
	}
	if looks {
		if prio, known := r.priority(s, text); known && strings.Contains(text, "free") {
			r.gpus(i, s, prio)
			return ""
		}
		return "what it checks is not known"
	}
	return "the step is not known"
}

// states compares the states of groups.
func (r *hivedRun) states(i int, list []groupState) {
	for _, g := range list {
		if st := r.c.State(g.name); st != g.state {
			r.say(i, false, fmt.Sprintf("group %s is %s, there %s", g.name, stateWords[st], stateWords[g.state]))
			return
		}
	}
	r.say(i, true, "")
}

// priority is the priority that a check of GPUs names, by number or by a pod.
func (r *hivedRun) priority(s *hivedStep, text string) (int, bool) {
	if s.Priority != nil {
		return *s.Priority, true
	}
	if m := regexp.MustCompile(`priority[^0-9a-z-]*(?:[a-z ]*[^0-9a-z-])?(-?[0-9]+)`).FindStringSubmatch(
		text); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return n, true
		}
	}
	names := func(pod string) bool {
		return pod != "" && regexp.MustCompile(`\b`+regexp.QuoteMeta(pod)+`\b`).MatchString(text+" "+s.Pod)
	}
	for k := range r.s.Steps {
		if p := &r.s.Steps[k].Spec; names(p.Pod) {
			return p.Priority, true
		}
	}
	for k := range r.placed {
		if p := &r.placed[k].Pod; names(p.Name) {
			return p.Priority, true
		}
	}
	return 0, false
}

// gpus checks that each GPU of the nodes (or of all) is free or used at a priority, and not
// reserved.
func (r *hivedRun) gpus(i int, s *hivedStep, prio int) {
	nodes := s.Nodes
	if s.Node != "" {
		nodes = append(slices.Clone(nodes), s.Node)
	}
	if len(nodes) == 0 {
		nodes = r.c.Nodes()
	}
	for _, n := range nodes {
		list := r.c.GPUs(n)
		for _, g := range list {
			if g.Reserved || g.Used != (g.Priority >= hived.Opportunistic) || g.Used && g.Priority != prio {
				r.say(i, false, fmt.Sprintf("GPU %d of node %s: priority %d, used %v, reserved %v; there used at "+
					"%d or free", g.Index, n, g.Priority, g.Used, g.Reserved, prio))
				return
			}
		}
		if len(list) == 0 {
			r.say(i, false, "there is no node "+n)
			return
		}
	}
	r.say(i, true, "")
}
