package hivedref

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	hived "tarry/baselines/hived/cells"
)

// pod is a request in the words of the cells.
func (p *hivedPod) pod() hived.Pod {
	return hived.Pod{Name: p.Pod, VC: p.VC, Priority: p.Priority, Lazy: p.LazyPreemption, Pinned: p.PinnedCell,
		GPUType: p.GPUType,
		GPUs:    p.GPUs, Group: p.Group, Members: p.GroupMembers}
}

// step does and compares one step; the reason when it cannot.
func (r *hivedRun) step(i int, s *hivedStep) string {
	switch s.Op {
	case "schedule":
		return r.schedule(i, s)
	case "schedule_rejected":
		for k := range s.Specs {
			d, err := r.c.Schedule(s.Specs[k].pod(), hived.Options{})
			if err == nil {
				r.say(i, false, s.Specs[k].Pod+": "+decision(d, err)+", there refused")
				return ""
			}
		}
		r.say(i, len(s.Specs) > 0, "there is no request")
	case "delete_all_allocated_newest_first", "delete_all_preempting_newest_first":
		r.deleteAll(i, s.Op == "delete_all_preempting_newest_first")
	case "delete_allocated", "delete_unallocated":
		err := r.c.Delete(s.Pod)
		// its group waits, or was canceled: nothing to do
		idle := s.Op == "delete_unallocated" && r.c.State(r.group[s.Pod]) == hived.Absent
		r.say(i, err == nil || idle, fmt.Sprint(err))
		r.done = slices.DeleteFunc(r.done, func(p string) bool { return p == s.Pod })
	case "node_bad", "node_healthy":
		err := r.c.SetBad(s.Node, s.Op == "node_bad")
		r.say(i, err == nil, fmt.Sprint(err))
	case "check_free_vc_cells":
		return r.virtual(i, s)
	case "replay_allocated_pods_on_new_config":
		r.replay(i)
	default:
		return r.look(i, s)
	}
	return ""
}

// schedule asks for a pod.
func (r *hivedRun) schedule(i int, s *hivedStep) string {
	o := hived.Options{Proposed: s.Allocate != nil && !*s.Allocate}
	switch strings.ToLower(s.Phase) {
	case "", "preempting":
	case "filtering":
		o.Filtering = true
	default:
		return "phase " + s.Phase + " is not known"
	}
	var nodes []string
	if len(s.Suggested) > 0 && !bytes.Equal(s.Suggested, []byte(`"all"`)) {
		if json.Unmarshal(s.Suggested, &nodes) != nil {
			return "its suggested nodes are not known"
		}
		o.Suggested = func(n string) bool { return slices.Contains(nodes, n) }
	} else if len(s.Except) > 0 {
		o.Suggested = func(n string) bool { return !slices.Contains(s.Except, n) }
	}
	d, err := r.c.Schedule(s.Spec.pod(), o)
	r.compare(i, s, d, err)
	if err != nil || d.Result == hived.Wait || o.Proposed && d.Result == hived.Bind || o.Filtering &&
		d.Result == hived.Preempt {
		return ""
	}
	if !slices.Contains(r.done, s.Spec.Pod) {
		r.done = append(r.done, s.Spec.Pod)
	}
	r.group[s.Spec.Pod] = s.Spec.Group
	if p, err := r.c.Placed(s.Spec.Pod); err == nil {
		r.placed = append(r.placed, p)
	}
	return ""
}

// compare reports whether a decision, and what it leaves, is as expected.
func (r *hivedRun) compare(i int, s *hivedStep, d hived.Decision, err error) {
	want := readExpect(s.Expect, s.Spec.Group)
	if len(want.unknown) > 0 && !r.old {
		r.o.Leave("parts of a step", r.file, len(want.unknown),
			fmt.Sprintf("%s: step %d: not compared: %s", r.s.Name, i+1, strings.Join(want.unknown, ", ")))
	}
	good, compared := want.agrees(d)
	good = good && err == nil
	got := s.Spec.Pod + ": " + decision(d, err) + ", there " + oneLine(s.Expect)
	for _, g := range want.states {
		if st := r.c.State(g.name); st != g.state {
			good, got = false, fmt.Sprintf("%s; group %s is %s", got, g.name, stateWords[st])
		}
	}
	if compared || err != nil {
		r.say(i, good, got)
	}
}

// oneLine is a JSON text without its line ends.
func oneLine(text []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return string(text)
	}
	return b.String()
}

// deleteAll ends all pods whose groups have their GPUs, or reserved them, the newest first.
func (r *hivedRun) deleteAll(i int, preempting bool) {
	var left []string
	var failed error
	for k := len(r.done) - 1; k >= 0; k-- {
		pod := r.done[k]
		if st := r.c.State(r.group[pod]); st == hived.Absent { // canceled by a stronger one
			continue
		} else if (st == hived.Preempting) != preempting {
			left = append(left, pod)
		} else if err := r.c.Delete(pod); err != nil {
			failed = err
		}
	}
	slices.Reverse(left)
	r.done = left
	r.say(i, failed == nil, fmt.Sprint(failed))
}

// virtual checks the health of a tenant's cells.
func (r *hivedRun) virtual(i int, s *hivedStep) string {
	list := r.c.VirtualCells(s.VC, s.Chain, s.Level)
	free, freeBad, bad := 0, 0, 0
	for _, v := range list {
		if v.Bad {
			bad++
		}
		if !v.Used {
			free++
			if v.Bad {
				freeBad++
			}
		}
	}
	var want string
	if err := json.Unmarshal(s.Expect, &want); err != nil {
		return "what it checks is not known"
	}
	good := len(list) > 0
	switch want {
	case "all healthy", "none bad":
		good = good && bad == 0
	case "free ones all bad":
		good = good && free > 0 && freeBad == free
	case "all bad":
		good = good && bad == len(list)
	default:
		return "what it checks is not known"
	}
	r.say(i, good, fmt.Sprintf("%d cells of %s: %d bad; %d free, %d of them bad; there %s", len(list), s.VC, bad, free,
		freeBad, want))
	return ""
}
