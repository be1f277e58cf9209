package cluster

import "testing"

func TestFinest(t *testing.T) {
	top, err := New(Spec{Racks: [][]Machines{
		{{Count: 2, GPUs: 4, Slots: 2, Type: "v100"}, {Count: 1, GPUs: 8, Type: "a100"}},
		{{Count: 1, GPUs: 4, Type: "v100"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from Level
		g    int
		typ  string
		want Level
		ok   bool
	}{
		{LevelGPU, 1, "", LevelGPU, true},
		{LevelMachine, 1, "", LevelMachine, true},
		{LevelSlot, 2, "v100", LevelSlot, true},
		{LevelSlot, 8, "a100", LevelSlot, true},
		{LevelSlot, 8, "v100", LevelRack, true},
		{LevelSlot, 9, "", LevelRack, true},
		{LevelSlot, 12, "v100", LevelCluster, true},
		{LevelSlot, 13, "v100", LevelCluster, false},
		{LevelGPU, 1, "h100", LevelCluster, false},
		{LevelSlot, 21, "", LevelCluster, false},
	} {
		if got, ok := top.Finest(c.from, c.g, PerGPU{Type: c.typ}); got != c.want || ok != c.ok {
			t.Errorf("Finest(%v, %d, %q) = %v, %v, want %v, %v", c.from, c.g, c.typ, got, ok, c.want, c.ok)
		}
	}
}
