package preset

import (
	"math"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/links"
	"tarry/sim/network"
)

// Each name is racks, machines per rack, GPUs per machine and the links, typed in here.
func TestTopologies(t *testing.T) {
	for name, want := range map[string]struct {
		racks, machines, gpus int
		across                float64 // GB/s of a GPU between racks
		spines                network.Spines
	}{
		"leafspine:32x16x1":                      {32, 16, 1, 25, network.Spines{Count: 16, GBps: 25}},
		"leafspine:32x16x1,over=2":               {32, 16, 1, 25, network.Spines{Count: 16, GBps: 12.5}},
		"leafspine:4x4x8,spines=2,over=4,seed=7": {4, 4, 8, 25, network.Spines{Count: 2, GBps: 12.5, Seed: 7}},
		"leafspine:4x4x8,network=ethernet":       {4, 4, 8, 12.5 / 8, network.Spines{Count: 4, GBps: 12.5 / 8}},
		"leafspine:2x18x4,network=gb200-nvl72":   {2, 18, 4, 50, network.Spines{Count: 18, GBps: 50}},
		"leafspine:2x100x1":                      {2, 100, 1, 25, network.Spines{Count: 64, GBps: 25 * 100. / 64}},
		"rail:4x4x8,spines=2":                    {4, 4, 8, 25, network.Spines{Count: 2, GBps: 50, Rails: 8}},
		"rail:4x4x8,rails=4,over=2":              {4, 4, 8, 25, network.Spines{Count: 4, GBps: 12.5, Rails: 4}},
		"domains:8x18x4":                         {8, 18, 4, 25, network.Spines{Count: 18, GBps: 25}},
		"domains:8x18x4,network=gb200-nvl72":     {8, 18, 4, 50, network.Spines{Count: 18, GBps: 50}},
		"fattree:k=8": {32, 4, 8, 25, network.Spines{Count: 4, PodRacks: 4, Cores: 4, GBps: 25,
			CoreGBps: 25}},
		"fattree:k=4,gpus=1,over=2,core_over=2": {8, 2, 1, 25, network.Spines{Count: 2, PodRacks: 2, Cores: 2, GBps: 12.5,
			CoreGBps: 6.25}},
		"leafspine:v100:1x2x4+k80:2x2x4": {3, 2, 4, 25, network.Spines{Count: 2, GBps: 25}},
	} {
		c, err := Lookup(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m := c.Spec.Racks[0][0]
		if len(c.Spec.Racks) != want.racks || m.Count != want.machines || m.GPUs != want.gpus || c.Name != name ||
			c.Doc == "" || len(c.Sources) == 0 {
			t.Errorf("%s: %d racks of %+v, %q", name, len(c.Spec.Racks), m, c.Doc)
		}
		domains := strings.HasPrefix(name, "domains") || strings.Contains(name, "nvl72")
		if f := c.Fabric; f.Spines != want.spines || f.Links[network.AcrossRack].GBps != want.across ||
			f.Domains != domains || f.Validate() != nil {
			t.Errorf("%s: %+v", name, f)
		}
		if f := c.Fabric; domains && f.Links[network.InRack] != f.Links[network.InMachine] {
			t.Errorf("%s: in the rack %+v, in the machine %+v", name, f.Links[network.InRack], f.Links[network.InMachine])
		}
	}
}

// The links of a rack carry what its machines send over the oversubscription, and the links of a pod
// to the core what its racks' links carry, over the pod's.
func TestOversubscription(t *testing.T) {
	for name, want := range map[string]struct{ rack, pod float64 }{
		"leafspine:4x6x2,over=3":                           {3, 0},
		"leafspine:4x6x2,spines=4,over=1.5":                {1.5, 0},
		"leafspine:4x6x2,spines=4,network=ethernet":        {1, 0},
		"rail:4x6x2,spines=3,over=2":                       {2, 0},
		"rail:2x3x8,rails=4":                               {1, 0},
		"domains:2x6x4,over=8":                             {8, 0},
		"fattree:k=4,gpus=2":                               {1, 1},
		"fattree:k=6,gpus=2,over=2,core_over=4":            {2, 4},
		"fattree:k=16,gpus=1,core_over=2,network=ethernet": {1, 2},
	} {
		c, err := Lookup(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		topo, err := cluster.New(c.Spec)
		if err != nil {
			t.Fatal(err)
		}
		g, s := links.New(topo, &c.Fabric), c.Fabric.Spines
		machines, racks := topo.Machines(), topo.Racks()
		sum := func(from, n int) (all float64) {
			for _, wide := range g.Capacity[from : from+n] {
				all += wide
			}
			return all
		}
		perRack := s.Count * max(1, s.Rails)
		up := sum(machines, perRack)
		if got := float64(machines/racks) / up; math.Abs(got/want.rack-1) > 1e-12 ||
			math.Abs(s.Over(machines/racks, c.Fabric.Links[network.AcrossRack].GBps)/want.rack-1) > 1e-12 {
			t.Errorf("%s: a rack is oversubscribed %v", name, got)
		}
		if want.pod == 0 {
			continue
		}
		core := sum(machines+racks*perRack, s.Paths())
		if got := float64(s.PodRacks) * up / core; math.Abs(got/want.pod-1) > 1e-12 {
			t.Errorf("%s: a pod is oversubscribed %v", name, got)
		}
	}
}

func TestTopologyErrors(t *testing.T) {
	for name, want := range map[string]string{
		"leafspin:4x4x8":                `did you mean "leafspine"?`,
		"leafspine:4x4":                 `cluster "leafspine:4x4": part "4x4": expected RxMxG`,
		"leafspine":                     `part "": expected RxMxG`,
		"leafspine:4x4x8,spine=2":       `unknown key "spine"`,
		"leafspine:4x4x8,spines=65":     `spines is "65", expected a whole number in 1..64`,
		"leafspine:4x4x8,over=0":        `over is "0"`,
		"leafspine:4x4x8,network=paper": `network is "paper", expected`,
		"leafspine:4x4x8,rails=2":       `unknown key "rails"`,
		"rail:4x4x8,rails=0":            `rails is "0"`,
		"rail:dgx-h10:4x4x8":            `GPU type is "dgx-h10"`,
		"leafspine:rail:4x4x8":          "which stand before all parts",
		"fattree:8x8x8":                 "k is missing, expected fattree:k=K with an even K of 2..16",
		"fattree:k=7":                   `k is "7", expected an even number of 2..16`,
		"fattree:k=18":                  `k is "18", expected a whole number in 2..16`,
		"fattree:k=4,gpus=99":           `gpus is "99"`,
		"fattre:k=4":                    `unknown cluster "fattre:k=4"`,
		"domains:9999x9999x9":           "more than",
	} {
		if _, err := Lookup(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Lookup(%q): %v, want %q", name, err, want)
		}
	}
}
