package nodes

import (
	"fmt"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/entry"
)

// Machines keep their names in the order of the racks, in which the list does not have them.
func TestNames(t *testing.T) {
	l := New("f", entry.ClusterOptions{PerRack: 2})
	for i, n := range []Node{
		{Name: "loose1", GPUs: []GPUs{{Type: "p", Count: 2}}},
		{Name: "a1", Rack: "a", GPUs: []GPUs{{Type: "p", Count: 1}}},
		{Name: "b1", Rack: "b", GPUs: []GPUs{{Type: "p", Count: 3}, {Type: "q", Count: 5}}},
		{Name: "none"},
		{Name: "a2", Rack: "a", GPUs: []GPUs{{Type: "p", Count: 1}}},
		{Name: "loose2", GPUs: []GPUs{{Type: "q", Count: 7}}},
		{Name: "loose3", GPUs: []GPUs{{Type: "p", Count: 6}}},
	} {
		n.Line = i + 1
		if err := l.Add(n); err != nil {
			t.Fatal(err)
		}
	}
	c, _, err := l.Cluster()
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(c.Spec)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for m := range top.Machines() {
		lo, hi := top.MachineGPUs(m)
		got += fmt.Sprint(top.Name(m), " ", hi-lo, " ")
	}
	if want := "a1 1 a2 1 b1 3 b1 5 loose1 2 loose3 6 loose2 7 "; got != want {
		t.Errorf("machines are %s, expected %s", got, want)
	}
	if top.Name(top.Machines()) != "" {
		t.Error("a machine that does not exist has a name")
	}
}
