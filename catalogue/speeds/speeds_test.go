package speeds_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/speeds"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/network"
	"tarry/sim/preset"
	"tarry/sim/speed"
)

const head = "model,intra_ring_gpus,slots,machines_or_scattered_in_rack,racks_or_scattered_in_network," +
	"compute_fraction\n"

func TestParse(t *testing.T) {
	topo, f := lab(t)
	file := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(file, []byte(head+"vgg,2,,,,0.25\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := speed.Env{Topology: topo, Fabric: f}
	for spec, want := range map[string]string{
		"counting": "*speed.Counting", "tiers": "*speed.Tiers", "tiers:rack=2,network=3": "*speed.Tiers",
		"table:" + file: "*speed.Table", "table:" + file + ",fallback=collective": "*speed.Table",
		"collective": "*speed.Collective", "collective:model=vgg": "*speed.Collective",
		"contended": "*speed.Contended", "contended:rack=0.1,network=0.5,share=turns,model=bert": "*speed.Contended",
	} {
		m, err := speeds.All().Parse(spec, env)
		if err != nil || fmt.Sprintf("%T", m) != want {
			t.Errorf("%s: %T, %v, want %s", spec, m, err, want)
		}
	}
	m, err := speeds.All().Parse("table:"+file+",fallback=collective", env)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := m.Speed(query("VGG", 0, 1)); err != nil || s.ComputeFrac != 0.25 {
		t.Errorf("a row: %+v, %v", s, err)
	}
	if s, err := m.Speed(query("VGG", 0, 1, 2, 3, 4)); err != nil || s.ComputeFrac == 0.25 || s.Rate <= 0 {
		t.Errorf("no row, fallback: %+v, %v", s, err)
	}
	var _ sim.Coupled = (*speed.Contended)(nil)
}

// TestSettings: the help has a line for each option that the code reads, in the same order, and no
// other.
func TestSettings(t *testing.T) {
	for _, k := range speeds.All() {
		var want, got []string
		for line := range strings.Lines(k.Params) {
			want = append(want, strings.Fields(line)[0])
		}
		for _, s := range k.Settings() {
			got = append(got, s.Key)
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s reads %q, its help has %q", k.Name, got, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	topo, f := lab(t)
	for spec, want := range map[string]string{
		"":                       `speed model "": unknown kind "", expected one of counting, tiers, table, gavel, elasticflow, shockwave, pollux, muri, deepshare, collective, contended`,
		"colective":              `speed model "colective": unknown kind "colective", expected one of counting, tiers, table, gavel, elasticflow, shockwave, pollux, muri, deepshare, collective, contended; did you mean "collective"?`,
		"counting:x=1":           `speed model "counting:x=1": unknown key "x", expected none`,
		"tiers:rack=fast":        `speed model "tiers:rack=fast": rack is "fast", expected a finite number >= 1`,
		"tiers:rack=0.5":         `speed model "tiers:rack=0.5": rack is "0.5", expected a finite number >= 1`,
		"tiers:rack=1,5":         `speed model "tiers:rack=1,5": rack is "1,5", expected a point before the decimals, not a comma: rack=1.5`,
		"tiers:rack=0x2":         `speed model "tiers:rack=0x2": rack is "0x2", expected a finite number >= 1`,
		"contended:share=1":      `speed model "contended:share=1": share is "1", expected fair, weight, count, turns, level`,
		"tiers:rack":             `speed model "tiers:rack": "rack": expected key=value`,
		"tiers:rack=2,rack=3":    `speed model "tiers:rack=2,rack=3": rack appears twice`,
		"table":                  `speed model "table": no file, expected table:FILE`,
		"gavel":                  `speed model "gavel": no folder, expected gavel:DIR`,
		"gavel:f":                `speed model "gavel:f": open f/isolated.csv: no such file or directory`,
		"elasticflow":            `speed model "elasticflow": no folder, expected elasticflow:DIR`,
		"shockwave":              `speed model "shockwave": no folder, expected shockwave:DIR`,
		"shockwave:f,trace=none": `speed model "shockwave:f,trace=none": open f/v100_isolated.csv: no such file or directory`,
		"muri":                   `speed model "muri": no folder, expected muri:DIR`,
		"muri:f":                 `speed model "muri:f": open f/stages.csv: no such file or directory`,
		"pollux":                 `speed model "pollux": no folder, expected pollux:DIR`,
		"pollux:f":               `speed model "pollux:f": open f/applications.csv: no such file or directory`,
		"elasticflow:f":          `speed model "elasticflow:f": open f: no such file or directory`,
		"gavel:f,spread=1": "speed model \"gavel:f,spread=1\": spread is \"1\", expected true or false\nspeed " +
			"model \"gavel:f,spread=1\": open f/isolated.csv: no such file or directory",
		"table:f,fallback=tiers": "speed model \"table:f,fallback=tiers\": fallback is \"tiers\", expected " +
			"collective\nspeed model \"table:f,fallback=tiers\": open f: no such file or directory",
		"collective:model=burt": `speed model "collective:model=burt": default model: unknown model "burt", did you mean "bert-large"?`,
		"contended:rack=1":      `speed model "contended:rack=1": background congestion at level rack is 1, expected 0 <= part < 1`,
		"contended:duty=true":   `speed model "contended:duty=true": unknown key "duty", expected one of alpha, model, network, phase, rack, share`,
		"contended:a=1,b=2,rack=x": "speed model \"contended:a=1,b=2,rack=x\": rack is \"x\", expected a number in " +
			"0..1\nspeed model \"contended:a=1,b=2,rack=x\": unknown key \"a\", expected one of alpha, model, " +
			"network, phase, rack, share\n" +
			"speed model \"contended:a=1,b=2,rack=x\": unknown key \"b\", expected one of alpha, model, network, " +
			"phase, rack, share",
		"contended:phase=on,share=count": `speed model "contended:phase=on,share=count": phases with share count, expected fair, weight or level`,
	} {
		_, err := speeds.All().Parse(spec, speed.Env{Topology: topo, Fabric: f})
		if err == nil || err.Error() != want {
			t.Errorf("%s:\n%v\nwant\n%s", spec, err, want)
		}
	}
	if _, err := speeds.All().Parse("table:"+filepath.Join(t.TempDir(), "none"), speed.Env{Topology: topo}); err == nil ||
		!strings.Contains(err.Error(), "none: no such file") {
		t.Errorf("missing file: %v", err)
	}
	if _, err := speeds.All().Parse("counting", speed.Env{}); err == nil {
		t.Error("no topology is accepted")
	}
}

func FuzzReadTable(f *testing.F) {
	f.Add(head + "vgg,2,,,,0.5\n")
	f.Add(head + "vgg,2,1,,3,0.5\nbert,,,16,,0.1\n")
	f.Add("model,\"\n")
	topo, _ := lab(f)
	f.Fuzz(func(t *testing.T, in string) {
		m, err := speed.ReadTable(strings.NewReader(in), "f", topo, nil, nil)
		if (m == nil) == (err == nil) {
			t.Fatalf("table %v and error %v", m, err)
		}
	})
}

func lab(t testing.TB) (*cluster.Topology, network.Fabric) {
	t.Helper()
	topo, err := cluster.New(cluster.Uniform(2, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	return topo, preset.NVLinkFabric()
}

func query(model string, gpus ...cluster.GPU) *sim.Query {
	return &sim.Query{Job: &sim.Job{ID: "j", Model: model}, GPUs: gpus,
		Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}}
}

// Once warm, no model allocates in Speed.
func TestSpeedAllocatesNothingWhenWarm(t *testing.T) {
	topo, f := lab(t)
	for _, spec := range []string{"counting", "tiers", "collective", "contended"} {
		m, err := speeds.All().Parse(spec, speed.Env{Topology: topo, Fabric: f})
		if err != nil {
			t.Fatal(err)
		}
		q := query("ResNet50", 0, 1, 5, 9)
		if _, err := m.Speed(q); err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(50, func() { _, _ = m.Speed(q) }); n != 0 {
			t.Errorf("%s: %v allocations", spec, n)
		}
	}
	m, err := speed.ReadTable(strings.NewReader(head+"resnet50,,,2,2,0.5\n"), "f", topo, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := query("ResNet50", 0, 4, 8, 12)
	if s, err := m.Speed(q); err != nil || s.ComputeFrac != 0.5 {
		t.Fatal(s, err)
	}
	if n := testing.AllocsPerRun(50, func() { _, _ = m.Speed(q) }); n != 0 {
		t.Errorf("table: %v allocations", n)
	}
}

func ExampleAll() {
	c, err := preset.Lookup("nvlink-64")
	if err != nil {
		fmt.Println(err)
		return
	}
	topo, err := cluster.New(c.Spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := speeds.All().Parse("collective:model=resnet50", speed.Env{Topology: topo, Fabric: c.Fabric})
	if err != nil {
		fmt.Println(err)
		return
	}
	job := &sim.Job{ID: "1", Model: "LSTM"}
	for _, gpus := range [][]cluster.GPU{{0, 1}, {0, 8}, {0, 32}} {
		s, err := m.Speed(&sim.Query{Job: job, GPUs: gpus, Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v: %.3f of the time computing\n", topo.LevelOf(gpus), s.ComputeFrac)
	}
	// Output:
	// slot: 0.994 of the time computing
	// rack: 0.928 of the time computing
	// network: 0.557 of the time computing
}
