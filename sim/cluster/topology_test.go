package cluster

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestTopologyOfUniform(t *testing.T) {
	top, err := New(Uniform(2, 3, 8, 2))
	if err != nil {
		t.Fatal(err)
	}
	if top.GPUs() != 48 || top.Machines() != 6 || top.Racks() != 2 || top.Slots() != 12 {
		t.Fatalf("got %d GPUs, %d machines, %d racks, %d slots", top.GPUs(), top.Machines(), top.Racks(), top.Slots())
	}
	if top.Machine(23) != 2 || top.Machine(24) != 3 || top.Rack(3) != 1 || top.Slot(12) != 3 {
		t.Error("a GPU lies in the wrong unit")
	}
	for l, want := range map[Level]int{LevelGPU: 1, LevelSlot: 4, LevelMachine: 8, LevelRack: 24, LevelCluster: 48} {
		if got := top.Capacity(l); got != want {
			t.Errorf("capacity of %v = %d, want %d", l, got, want)
		}
	}
}

func TestLevels(t *testing.T) {
	top, _ := New(Uniform(2, 3, 8, 2))
	for _, c := range []struct {
		gpus []GPU
		want Level
	}{
		{[]GPU{5}, LevelGPU},
		{[]GPU{0, 3}, LevelSlot},
		{[]GPU{3, 4}, LevelMachine},
		{[]GPU{0, 8}, LevelRack},
		{[]GPU{23, 24}, LevelCluster},
	} {
		if got := top.LevelOf(c.gpus); got != c.want {
			t.Errorf("level of %v = %v, want %v", c.gpus, got, c.want)
		}
		if got := top.ShapeOf(nil, c.gpus).Level(); got != c.want {
			t.Errorf("level of the shape of %v = %v, want %v", c.gpus, got, c.want)
		}
	}
}

// The level of the first and the last GPU is the level of all, on machines of any sizes.
func TestLevelOfAgainstShape(t *testing.T) {
	top, err := New(Spec{Racks: [][]Machines{
		{{Count: 2, GPUs: 8, Slots: 2}, {Count: 3, GPUs: 2}}, {{Count: 1, GPUs: 5}}, {{Count: 4, GPUs: 4, Slots: 4}}}})
	if err != nil {
		t.Fatal(err)
	}
	for a := range GPU(top.GPUs()) {
		for b := a; b < GPU(top.GPUs()); b++ {
			for c := b; c < GPU(top.GPUs()); c++ {
				gpus := slices.Compact([]GPU{a, b, c})
				if got, want := top.LevelOf(gpus), top.ShapeOf(nil, gpus).Level(); got != want {
					t.Fatalf("level of %v = %v, want %v", gpus, got, want)
				}
			}
		}
	}
}

func ExampleTopology_ShapeOf() {
	top, _ := New(Uniform(2, 3, 8, 2))
	for _, p := range top.ShapeOf(nil, []GPU{0, 1, 4, 8, 30}) {
		fmt.Printf("rack %d machine %d: %d GPUs in %d slots, at most %d in one\n", p.Rack, p.Machine, p.GPUs, p.Slots,
			p.SlotMax)
	}
	// Output:
	// rack 0 machine 0: 3 GPUs in 2 slots, at most 2 in one
	// rack 0 machine 1: 1 GPUs in 1 slots, at most 1 in one
	// rack 1 machine 3: 1 GPUs in 1 slots, at most 1 in one
}

func TestWrongSpecs(t *testing.T) {
	one := func(m Machines) Spec { return Spec{Racks: [][]Machines{{m}}} }
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{}, "no racks, expected at least one"},
		{Spec{Racks: [][]Machines{{}}}, "rack 0: no machines, expected at least one"},
		{one(Machines{Count: 0, GPUs: 1}), "rack 0, machines 0: count is 0, expected 1..16777216"},
		{one(Machines{Count: 1, GPUs: 0}), "rack 0, machines 0: gpus is 0, expected 1..64"},
		{one(Machines{Count: 1, GPUs: 65}), "rack 0, machines 0: gpus is 65, expected 1..64"},
		{one(Machines{Count: 1, GPUs: 8, Slots: 3}), "rack 0, machines 0: slots is 3, expected a divisor of 8"},
		{one(Machines{Count: 1, GPUs: 8, Slots: -1}), "rack 0, machines 0: slots is -1, expected a divisor of 8"},
		{one(Machines{Count: 1, GPUs: 8, CPUMilli: -1}), "rack 0, machines 0: cpu_milli is -1, expected >= 0"},
		{one(Machines{Count: 1, GPUs: 8, MemMiB: -1}), "rack 0, machines 0: mem_mib is -1, expected >= 0"},
		{one(Machines{Count: 1, GPUs: 8, MIG: "v100"}),
			`rack 0, machines 0: no MIG device "v100", expected one of a100-40gb, a100-80gb, h100-80gb`},
		{one(Machines{Count: 1 << 24, GPUs: 2}), "more than 16777216 GPUs, expected fewer"},
		{one(Machines{Count: 0, GPUs: 0}), "rack 0, machines 0: count is 0, expected 1..16777216\nrack 0, machines " +
			"0: gpus is 0, expected 1..64"},
	} {
		if _, err := New(c.spec); err == nil || err.Error() != c.want {
			t.Errorf("error %q, want %q", err, c.want)
		}
	}
}

func TestParseDims(t *testing.T) {
	if r, m, g, err := ParseDims("8x4x2"); err != nil || r != 8 || m != 4 || g != 2 {
		t.Errorf("8x4x2 = %d %d %d %v", r, m, g, err)
	}
	for in, want := range map[string]string{
		"8x8":                     "expected RxMxG",
		"":                        "expected RxMxG",
		"8x8x8x":                  "expected RxMxG",
		"0x8x8":                   `racks is "0", expected a whole number >= 1`,
		"8xax8":                   `machines per rack is "a", expected`,
		"8x8x-1":                  `GPUs per machine is "-1", expected`,
		"1x1x65":                  `GPUs per machine is 65, expected 1..64`,
		"9999999x9999999x64":      "more than 16777216 GPUs, expected fewer",
		"9999999999999999999x1x1": `racks is "9999999999999999999", expected`,
		"8x8x":                    `GPUs per machine is "", expected`,
	} {
		if _, _, _, err := ParseDims(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %q, want one with %q", in, err, want)
		}
	}
}

func TestTighter(t *testing.T) {
	top, _ := New(Uniform(2, 3, 8, 2))
	inOrder := [][]GPU{{0, 1}, {0, 4}, {0, 8}, {0, 24}}
	for i, a := range inOrder {
		for j, b := range inOrder {
			if got := top.Tighter(a, b); got != (i < j) {
				t.Errorf("%v tighter than %v: %v", a, b, got)
			}
		}
	}
	if a, b := []GPU{0, 1, 8, 9}, []GPU{0, 1, 8, 16}; !top.Tighter(a, b) || top.Tighter(b, a) {
		t.Error("two machines are tighter than three")
	}
	if a, b := []GPU{0, 1, 8, 9}, []GPU{0, 4, 8, 9}; !top.Tighter(a, b) {
		t.Error("two slots are tighter than three")
	}
}

// TestMIG: each machine has the device that the spec names, machines of one name the same one, and
// those without none.
func TestMIG(t *testing.T) {
	plain := Machines{Count: 2, GPUs: 1}
	a, h := Machines{Count: 2, GPUs: 2, MIG: "a100-40gb"}, Machines{Count: 1, GPUs: 1, MIG: "h100-80gb"}
	top, err := New(Spec{Racks: [][]Machines{{plain, a, plain}, {h, a}}})
	if err != nil {
		t.Fatal(err)
	}
	for m, want := range []string{"", "", "a100-40gb", "a100-40gb", "", "", "h100-80gb", "a100-40gb", "a100-40gb"} {
		switch d := top.MIG(m); {
		case (d == nil) != (want == ""):
			t.Errorf("machine %d has device %v, expected %q", m, d, want)
		case d != nil && d.Name != want:
			t.Errorf("machine %d has device %s, expected %s", m, d.Name, want)
		}
	}
	if top.MIG(2) != top.MIG(8) {
		t.Error("two machines of one device have tables of their own")
	}
	if top, _ = New(Spec{Racks: [][]Machines{{plain}}}); top.MIG(1) != nil || top.migs != nil {
		t.Error("a cluster without MIG has a table of devices")
	}
}
