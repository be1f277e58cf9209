package preset

import (
	"fmt"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/network"
)

func TestNamedClusters(t *testing.T) {
	for name, want := range map[string]struct{ gpus, slots int }{
		"paper": {512, 128}, "nvlink-64": {64, 8}, "nvlink-512": {512, 64}, "nvlink-4096": {4096, 512},
		"ethernet-128": {128, 32}, "flat-64": {64, 64},
		"2x3x4": {24, 6}, "paper:2x2x8": {32, 8}, "paper:1x2x4": {8, 2}, "paper:1x1x9": {9, 1},
		"ethernet:2x2x8": {32, 8},
	} {
		c, err := Lookup(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		topo, err := cluster.New(c.Spec)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if topo.GPUs() != want.gpus || topo.Slots() != want.slots {
			t.Errorf("%s: %d GPUs in %d slots, want %d in %d", name, topo.GPUs(), topo.Slots(), want.gpus, want.slots)
		}
		if err := c.Fabric.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.Name != name || c.Doc == "" || len(c.Sources) == 0 {
			t.Errorf("%s: name %q, doc %q, %d sources", name, c.Name, c.Doc, len(c.Sources))
		}
	}
}

func TestLookupErrors(t *testing.T) {
	for name, want := range map[string]string{
		"": `unknown cluster ""`,
		"papr": "expected one of paper, nvlink-64, nvlink-512, nvlink-4096, ethernet-128, " +
			"flat-64, or RxMxG, paper:RxMxG, ethernet:RxMxG, leafspine:RxMxG, rail:RxMxG or domains:RxMxG (racks x " +
			"machines per rack x GPUs per machine), with GPU types TYPE:RxMxG+TYPE:RxMxG, or fattree:k=8, or hardware " +
			"such as dgx-h100, dgx-h100-64 or dgx-h100:2x4 (tarry list clusters)",
		"paper:8":                 `unknown cluster "paper:8"`,
		"papr:8x8x8":              `cluster "papr:8x8x8": GPU type is "papr", expected a name unlike networks', which stand before all parts; did you mean "paper"?`,
		"v100:8x1":                `unknown cluster "v100:8x1"`,
		"a:1x1x1+":                `cluster "a:1x1x1+": part "": expected RxMxG (racks x machines per rack x GPUs per machine), such as 8x8x8`,
		"a:1x1x1+b.c:1x1x1":       `cluster "a:1x1x1+b.c:1x1x1": part "b.c:1x1x1": GPU type is "b.c", expected letters, digits, - and _`,
		"paper:v100:1x1x1+k:1xx1": `cluster "paper:v100:1x1x1+k:1xx1": part "k:1xx1": machines per rack is "", expected a whole number >= 1`,
		"8x8":                     `unknown cluster "8x8"`,
		"0x8x8":                   `racks is "0", expected a whole number >= 1`,
		"8x8x99":                  "GPUs per machine is 99, expected 1..64",
		"paper:8xax8":             `machines per rack is "a"`,
	} {
		if _, err := Lookup(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Lookup(%q): %v, want %q", name, err, want)
		}
	}
}

// On a flat network every set of GPUs of one size costs the same by construction;
// on the others leaving a machine or a rack must cost more.
func TestFartherIsSlower(t *testing.T) {
	for _, c := range Clusters() {
		if c.Name == "paper" || c.Name == "flat-64" || c.Name == "gb200-nvl72" {
			continue // astra1 gives more bandwidth to more machines: see network.ASTRA1; NVLink is in all of a rack
		}
		f := c.Fabric
		last := 0.0
		for _, l := range []network.Layout{network.Even(1, 1, 1, 8), network.Even(1, 8, 1, 1),
			network.Even(8, 1, 1, 1)} {
			ns := f.AllReduce(f.Dims(nil, l), 1<<26)
			if ns <= last {
				t.Errorf("%s: 8 GPUs spread wider take %v ns, %v before", c.Name, ns, last)
			}
			last = ns
		}
	}
}

// Racks of several GPU types are one cluster, in the order of the name.
func TestTypes(t *testing.T) {
	for name, want := range map[string]string{"V100:2x2x4+A100:1x3x8": "V100:4,V100:4,V100:4,V100:4,A100:8," +
		"A100:8,A100:8", "2x1x4+1x1x8": ":4,:4,:8",
		"ethernet:1080Ti:1x1x8+T4:1x1x4":  "1080Ti:8,T4:4",
		"v100:2x1x1+p100:1x1x1+k80:1x1x2": "v100:1,v100:1,p100:1,k80:2", "paper:1x1x2+P100:1x1x2": ":2,P100:2"} {
		c, err := Lookup(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, rack := range c.Spec.Racks {
			for _, m := range rack {
				for range m.Count {
					got = append(got, fmt.Sprintf("%s:%d", m.Type, m.GPUs))
				}
			}
		}
		if text := strings.Join(got, ","); text != want {
			t.Errorf("%s has %s, want %s", name, text, want)
		}
		if _, err := cluster.New(c.Spec); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"V100:2x2", "V100:2x2x4+", "+", "V100:2x2x4+a/b:1x1x1", "papr:V100:1x1x1", "V100:",
		"V100:ethernet:1x1x1"} {
		if _, err := Lookup(name); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func ExampleLookup() {
	c, err := Lookup("paper:2x4x8")
	if err != nil {
		fmt.Println(err)
		return
	}
	topo, err := cluster.New(c.Spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(topo.Racks(), topo.Machines(), topo.Slots(), topo.GPUs(), c.Fabric.Convention)
	// Output: 2 8 16 64 astra1
}
