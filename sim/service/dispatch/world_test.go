package dispatch

import (
	"strings"
	"testing"
)

// two is a world of two clusters with a node each; the first has a pod of type 0 alone.
func two() *Setting {
	return &Setting{Nodes: []Node{{CPU: 20, Mem: 4, Pods: []int{0}}, {CPU: 20, Mem: 4, Pods: []int{0, 1}}}, Clusters: 2,
		Coefficients: []float64{1, 2}, PodCPU: 10, PodMem: 1, SlotS: 1, Slots: 3}
}

// Clusters have their turns in order, requests go by deadline, and what cannot be is refused.
func TestTurns(t *testing.T) {
	w, err := New(two(), [][]Request{{{Type: 0, DeadlineS: 9, Work: 5}, {Type: 0, DeadlineS: 4, Work: 5}},
		{{Type: 1, DeadlineS: 9, Work: 20}}})
	if err != nil {
		t.Fatal(err)
	}
	if c, r, ok := w.Next(); c != 0 || r.DeadlineS != 4 || !ok || w.Cloud() != 2 || w.Has(0, 1) {
		t.Errorf("cluster %d, request %+v, cloud %d, expected the one of deadline 4 at cluster 0", c, r, w.Cloud())
	}
	if err := w.Hand(1); err != nil || w.Waits(1) != 1 {
		t.Errorf("error %v, %d wait", err, w.Waits(1))
	}
	if err := w.Hand(0); err == nil || !strings.Contains(err.Error(), "target 0 for a request of type 1") {
		t.Errorf("error %v, expected a refusal", err)
	}
	if err := w.Hand(1); err != nil {
		t.Error(err)
	}
	if err := w.Hand(1); err == nil || !strings.Contains(err.Error(), "no request to hand on") {
		t.Errorf("error %v, expected a refusal: each cluster has one turn", err)
	}
	// both are at node 1: type 0 takes 10 of its 20 CPU, and type 1, which needs 20, waits
	w.Close()
	if cpu, mem := w.Free(1); cpu != 0.5 || mem != 0.25 || w.Waits(1) != 1 {
		t.Errorf("free %v and %v, %d wait, expected 0.5, 0.25 and 1", cpu, mem, w.Waits(1))
	}
	// the CPU is not given back: it waits for ever; the other request goes to the cloud
	if err := w.Hand(2); err != nil {
		t.Error(err)
	}
	if s := w.Close(); s.Done[0] != 1 || w.Waits(1) != 1 {
		t.Errorf("done %v, %d wait, expected one of each", s.Done, w.Waits(1))
	}
	if s := w.Close(); s.Done[0] != 1 || s.Missed[1] != 0 || !w.Ended() {
		t.Errorf("done %v, missed %v, ended %v, expected the one of the cloud at the end", s.Done, s.Missed, w.Ended())
	}
	if _, _, ok := w.Next(); ok {
		t.Error("a cluster is asked after the end")
	}
}

// No request is lost: each is done or missed, waits or runs, under each rule.
func TestConserved(t *testing.T) {
	var all [2][]Request
	for i := range 200 {
		at := float64(i) / 10
		all[i%2] = append(all[i%2], Request{i / 2 % 2, at, at + 1 + float64(i%7), float64(1 + i*i%31)})
	}
	for _, returned := range []bool{false, true} {
		set := two()
		set.Slots, set.CPUReturned = 40, returned
		for _, rule := range Rules() {
			w, err := New(set, all[:])
			if err != nil {
				t.Fatal(err)
			}
			choose, ended := rule.New(w), 0
			for !w.Ended() {
				for _, _, ok := w.Next(); ok; _, _, ok = w.Next() {
					if err := w.Hand(choose()); err != nil {
						t.Fatal(err)
					}
				}
				s := w.Close()
				ended += s.Done[0] + s.Done[1] + s.Missed[0] + s.Missed[1]
				left := len(w.waiting[0]) + len(w.waiting[1])
				for i, n := range w.nodes {
					left += len(n.queue)
					free := 20.0
					for _, p := range n.pods {
						if p.busy {
							left++
							free -= w.takes(p.kind)
						}
					}
					if i < w.Cloud() && (n.cpu < 0 || returned && n.cpu != free) {
						t.Fatalf("%s: node %d has %v CPU, %v is free", rule.Name, i, n.cpu, free)
					}
				}
				// what the next slot's beginning dropped is in the result that is being made
				left += w.result.Missed[0] + w.result.Missed[1]
				if came := w.came[0] + w.came[1]; came != ended+left {
					t.Fatalf("%s: %d came, %d ended, %d are left", rule.Name, came, ended, left)
				}
			}
			if ended == 0 {
				t.Errorf("%s: nothing ended", rule.Name)
			}
		}
	}
}

// What is wrong with a world is named.
func TestFaults(t *testing.T) {
	for want, edit := range map[string]func(*Setting){
		"2 nodes in 3 clusters":         func(s *Setting) { s.Clusters = 3 },
		"0 slots":                       func(s *Setting) { s.Slots = 0 },
		"coefficient 1 is -1":           func(s *Setting) { s.Coefficients[1] = -1 },
		"node 0 has 0 CPU":              func(s *Setting) { s.Nodes[0].CPU = 0 },
		"node 1 has pods of types [1 0": func(s *Setting) { s.Nodes[1].Pods = []int{1, 0} },
		"requests of 2 clusters":        func(s *Setting) { s.Clusters = 1 },
		"cluster 1: request 1 is":       func(*Setting) {},
	} {
		s := two()
		edit(s)
		_, err := New(s, [][]Request{nil, {{ArriveS: 2}, {ArriveS: 1}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %q", err, want)
		}
	}
}
