package preset

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/network"
)

// published are figures of makers, typed in here once more: GPUs of a machine, GB of each GPU,
// NVLink of a GPU in GB/s both ways together, Gb/s of a machine's ports for GPUs, cores or vCPUs, and
// GiB of a machine.
func published() map[string][6]float64 {
	return map[string][6]float64{
		"dgx-a100": {8, 80, 600, 1600, 128, 2048}, "dgx-h100": {8, 80, 900, 3200, 112, 2048},
		"dgx-b200": {8, 180, 1800, 3200, 112, 2048}, "gb200-nvl72": {4, 186, 1800, 1600, 144, 960},
		"p3.16xlarge": {8, 16, 300, 25, 64, 488}, "p3dn.24xlarge": {8, 32, 300, 100, 96, 768},
		"p4d.24xlarge": {8, 40, 600, 400, 96, 1152}, "p4de.24xlarge": {8, 80, 600, 400, 96, 1152},
		"p5.48xlarge": {8, 80, 900, 3200, 192, 2048}, "a2-highgpu-8g": {8, 40, 600, 100, 96, 680},
		"a2-megagpu-16g": {16, 40, 600, 100, 96, 1360}, "a2-ultragpu-8g": {8, 80, 600, 100, 96, 1360},
		"a3-highgpu-8g": {8, 80, 900, 800, 208, 1872}, "a3-megagpu-8g": {8, 80, 900, 1600, 208, 1872},
		"nd-v4": {8, 40, 600, 1600, 96, 900}, "nd-a100-v4": {8, 80, 600, 1600, 96, 1900},
		"nd-h100-v5": {8, 80, 900, 3200, 96, 1900},
	}
}

// bus is the bandwidth of an all-reduce as its ring has it, bytes/ns: 2 (n-1)/n bytes over the time
// that a byte takes, without latencies.
func bus(f *network.Fabric, l network.Layout) float64 {
	per := 0.0
	for _, p := range f.Phases(nil, f.Dims(nil, l)) {
		per += p.NSPerByte
	}
	n := float64(l.GPUs)
	return 2 * (n - 1) / n / per
}

// The bandwidths that a collective gets are the published ones: inside a machine NVLink one way,
// between machines the ports of all GPUs of one.
func TestHardwareHasPublishedBandwidths(t *testing.T) {
	want := published()
	if len(want) != len(hardware()) {
		t.Errorf("%d shapes, %d published here", len(hardware()), len(want))
	}
	for _, s := range hardware() {
		c, err := Lookup(s.name)
		w, ok := want[s.name]
		if err != nil || !ok {
			t.Errorf("%s: %v, published here: %v", s.name, err, ok)
			continue
		}
		if err := c.Fabric.Validate(); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		m := c.Spec.Racks[0][0]
		got := [6]float64{float64(m.GPUs), float64(m.GPUMiB) / 1024,
			2 * bus(&c.Fabric, network.Even(1, 1, 1, m.GPUs)),
			8 * bus(&c.Fabric, network.Even(3, 1, 1, 1)) * float64(m.GPUs), float64(m.CPUMilli) / 1000,
			float64(m.MemMiB) / 1024}
		for i := range got {
			if math.Abs(got[i]/w[i]-1) > 1e-9 {
				t.Errorf("%s: %v, published %v", s.name, got, w)
				break
			}
		}
		if m.Type == "" || m.Type != strings.ToLower(m.Type) || len(c.Sources) < 2 || c.Doc == "" {
			t.Errorf("%s: type %q, sources %q", s.name, m.Type, c.Sources)
		}
	}
}

// A rack of GB200 NVL72 is one NVLink domain of 72 GPUs and 130 TB/s: its halves exchange, both ways,
// what NVLink of half of its GPUs carries. Between racks each GPU has its own port of 400 Gb/s.
func TestNVL72IsOneDomain(t *testing.T) {
	c, err := Lookup("gb200-nvl72")
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(c.Spec)
	if err != nil {
		t.Fatal(err)
	}
	if top.GPUs() != 72 || top.Machines() != 18 || top.Racks() != 1 {
		t.Errorf("%d GPUs, %d machines, %d racks", top.GPUs(), top.Machines(), top.Racks())
	}
	whole := bus(&c.Fabric, network.Even(1, 18, 1, 4))
	if math.Abs(whole/900-1) > 1e-9 || math.Abs(2*whole*72/129_600-1) > 1e-9 {
		t.Errorf("all-reduce over the rack at %v GB/s, NVLink has 900", whole)
	}
	tray, apart := network.Even(1, 1, 1, 4), network.Even(1, 4, 1, 1)
	if a, b := c.Fabric.AllReduce(c.Fabric.Dims(nil, tray), 1<<26), c.Fabric.AllReduce(c.Fabric.Dims(nil, apart),
		1<<26); a != b {
		t.Errorf("4 GPUs in a tray take %v ns, in four trays %v", a, b)
	}
	if far := bus(&c.Fabric, network.Even(2, 1, 1, 1)); far != 50 {
		t.Errorf("between racks %v GB/s, want 50", far)
	}
}

func TestHardwareSizes(t *testing.T) {
	for name, want := range map[string]string{
		"dgx-h100": "1", "DGX-H100": "1", "dgx-h100-8": "1", "dgx-h100-32": "4", "dgx-h100-40": "4 1",
		"dgx-h100-256": "4 4 4 4 4 4 4 4", "dgx-h100:2x3": "3 3", "dgx-h100:2x3x8": "3 3", "dgx-h100:1x4+1x2": "4 2",
		"gb200-nvl72": "18", "gb200-nvl72-144": "18 18", "gb200-nvl72-76": "18 1", "gb200-nvl72:2x16": "16 16",
		"p3": "1", "p4d:2x4": "4 4", "p4de-16": "2", "p5-64": "4 4", "a3:1x2": "2", "a2-megagpu-16g-32": "2",
		"ND96isr-H100-v5-16": "2", "p4d.24xlarge-16": "2",
	} {
		c, err := Lookup(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, rack := range c.Spec.Racks {
			got = append(got, fmt.Sprint(rack[0].Count))
		}
		if text := strings.Join(got, " "); text != want || c.Name != name {
			t.Errorf("%s is %s with machines by rack %s, want %s", name, c.Name, text, want)
		}
	}
}

func TestHardwareErrors(t *testing.T) {
	for name, want := range map[string]string{
		"dgx-h100-12":                   `cluster "dgx-h100-12": number of GPUs is "12", expected a multiple of 8 (GPUs of one machine)`,
		"dgx-h100-0":                    `number of GPUs is "0", expected a multiple of 8`,
		"dgx-h100-":                     `number of GPUs is "", expected a multiple of 8`,
		"dgx-h100-99999999999999999999": "expected a multiple of 8",
		"dgx-h100:2x4x4":                `part "2x4x4" has 4 GPUs per machine, expected 8: NVIDIA DGX H100`,
		"dgx-h100:2":                    `part "2": expected RxM or RxMxG (racks x machines per rack x GPUs per machine), such as 2x4 or 2x4x8`,
		"dgx-h100:":                     `part "": expected RxM`,
		"dgx-h100:0x4":                  `part "0x4": expected RxM`,
		"dgx-h100:2x4+v100:1x4":         `part "v100:1x4" names a GPU type, expected RxM: the GPUs of dgx-h100 are h100; a YAML file has several types`,
		"gb200-nvl72:1x19":              `part "1x19" has 19 machines per rack, expected at most 18, which NVLink joins`,
		"dgx-h10:2x4x8":                 `GPU type is "dgx-h10", expected a name unlike a hardware shape's; did you mean "dgx-h100"?`,
		"dgx-h100x4":                    `unknown cluster "dgx-h100x4"`,
		"dgx-h100:9999x9999":            `expected`,
	} {
		if _, err := Lookup(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Lookup(%q): %v, want %q", name, err, want)
		}
	}
	// Types that look like a part of a shape's name stay types.
	for _, name := range []string{"a2:1x2x4", "h100:1x1x8+a100:1x1x8", "a100-80gb:1x1x8", "b200:1x1x8", "p4:1x1x4"} {
		if c, err := Lookup(name); err != nil || c.Spec.Racks[0][0].GPUMiB != 0 {
			t.Errorf("%s: %+v, %v", name, c.Spec, err)
		}
	}
}

func TestFabricOf(t *testing.T) {
	f, ok := FabricOf("dgx-h100")
	if !ok || f.Links[network.InRack].GBps != 50 {
		t.Errorf("dgx-h100: %v, %+v", ok, f.Links)
	}
	if _, ok := FabricOf("dgx-h101"); ok {
		t.Error("dgx-h101 has a network")
	}
}
