package speed

import (
	"math"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/network"
	"tarry/sim/preset"
)

// lab is a small cluster, 2 racks x 2 machines x 4 GPUs, with the network of the NVLink presets.
func lab(t testing.TB) (*cluster.Topology, network.Fabric) {
	t.Helper()
	topo, err := cluster.New(cluster.Uniform(2, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	return topo, preset.NVLinkFabric()
}

func catalogue() *models.Set { return models.NewSet(models.Catalogue()...) }

func query(model string, gpus ...cluster.GPU) *sim.Query {
	return &sim.Query{Job: &sim.Job{ID: "j", Model: model}, GPUs: gpus,
		Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

// The common rule by hand: 2 GPUs, compute fraction 0.8, so an iteration of 1 + 0.25.
func TestRate(t *testing.T) {
	for _, c := range []struct {
		why          string
		share        int32
		freq, batch  float64
		clock        float64
		rate, compts float64
	}{
		{"nominal", 1000, 1, 1, 1, 1.6, 0.8},
		{"half a GPU runs all of it at half speed", 500, 1, 1, 1, 0.8, 0.8},
		{"half the clock stretches compute alone: 2 + 0.25", 1000, 0.5, 1, 1, 2 / 2.25, 2 / 2.25},
		{"twice the batch: 2 iterations' work in 2 + 0.25", 1000, 1, 2, 1, 4 / 2.25, 2 / 2.25},
		{"a slow type is a slow clock", 1000, 1, 1, 0.5, 2 / 2.25, 2 / 2.25},
		{"all together: (2/0.5 + 0.25)/0.5 for 2 iterations", 500, 1, 2, 0.5, 2 * 0.5 * 2 / 4.25, 4 / 4.25},
		{"zero values mean nominal", 0, 0, 0, 1, 1.6, 0.8},
	} {
		q := query("x", 0, 1)
		q.ShareMilli, q.FreqFrac, q.Batch = c.share, c.freq, c.batch
		if s := rate(q, 0.8, c.clock); !near(s.Rate, c.rate) || !near(s.ComputeFrac, c.compts) {
			t.Errorf("%s: %+v, want rate %v fraction %v", c.why, s, c.rate, c.compts)
		}
	}
}

func TestCountingAndTypes(t *testing.T) {
	topo, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Type: "new"},
		{Count: 1, GPUs: 2, Type: "old"}}}})
	if err != nil {
		t.Fatal(err)
	}
	m := NewCounting(topo, Types{"old": 0.25})
	for _, c := range []struct {
		gpus []cluster.GPU
		want float64
	}{{[]cluster.GPU{0}, 1}, {[]cluster.GPU{0, 1}, 2}, {[]cluster.GPU{2, 3}, 0.5}, {[]cluster.GPU{0, 2}, 0.5}} {
		s, err := m.Speed(query("", c.gpus...))
		if err != nil || !near(s.Rate, c.want) || s.ComputeFrac != 1 {
			t.Errorf("%v: %+v, %v, want rate %v", c.gpus, s, err, c.want)
		}
	}
	if err := (Types{"a": 0}).Validate(); err == nil ||
		err.Error() != `speed of GPU type "a" is 0, expected a number > 0` {
		t.Errorf("%v", err)
	}
}

func TestTiers(t *testing.T) {
	topo, err := cluster.New(cluster.Uniform(2, 2, 4, 2))
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewTiers(topo, Slowdowns{1, 1, 1.25, 2, 4}, map[string]Slowdowns{"VGG": {1, 1, 1, 5, 10}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		model string
		gpus  []cluster.GPU
		want  float64
	}{
		{"", []cluster.GPU{3}, 1}, {"", []cluster.GPU{0, 1}, 1}, {"", []cluster.GPU{1, 2}, .8},
		{"", []cluster.GPU{0, 4}, .5},
		{"", []cluster.GPU{0, 15}, .25}, {"vgg", []cluster.GPU{0, 4}, .2}, {"VGG", []cluster.GPU{0, 15}, .1},
	} {
		s, err := m.Speed(query(c.model, c.gpus...))
		if err != nil || !near(s.ComputeFrac, c.want) || !near(s.Rate, c.want*float64(len(c.gpus))) {
			t.Errorf("%q on %v: %+v, %v, want fraction %v", c.model, c.gpus, s, err, c.want)
		}
	}
	_, err = NewTiers(topo, Slowdowns{1, 1, 0.5, 1, math.Inf(1)}, map[string]Slowdowns{"a": {}}, nil)
	if err == nil || strings.Count(err.Error(), "expected a number >= 1") != 7 {
		t.Errorf("faults: %v", err)
	}
}

func TestLayoutOf(t *testing.T) {
	topo, err := cluster.New(cluster.Uniform(2, 3, 4, 2))
	if err != nil {
		t.Fatal(err)
	}
	all := make([]cluster.GPU, topo.GPUs())
	for i := range all {
		all[i] = cluster.GPU(i)
	}
	for _, c := range []struct {
		why  string
		gpus []cluster.GPU
		want network.Layout
	}{
		{"one", []cluster.GPU{5}, network.Even(1, 1, 1, 1)},
		{"everything", all, network.Even(2, 3, 2, 2)},
		// slots 2+1 on the first machine, 1 on the second; then 1 in the other rack
		{"uneven", []cluster.GPU{0, 1, 2, 4, 12}, network.Layout{GPUs: 5, Slots: 4, Machines: 3, Racks: 2,
			SlotMin: 1, SlotMax: 2, MachineMin: 1, MachineMax: 2, RackMin: 1, RackMax: 2}},
	} {
		if got := layoutOf(topo, c.gpus); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.why, got, c.want)
		}
	}
}

func TestCollective(t *testing.T) {
	topo, f := lab(t)
	m, err := NewCollective(topo, f, catalogue(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	// Farther apart is slower, for every model; which GPUs of a machine they are does not matter.
	for _, p := range models.Catalogue() {
		last := 2.0
		for _, g := range [][]cluster.GPU{{0}, {0, 1}, {0, 4}, {0, 8}} {
			s, err := m.Speed(query(p.Name, g...))
			if err != nil {
				t.Fatal(err)
			}
			if s.ComputeFrac > last+1e-12 || s.ComputeFrac <= 0 || !near(s.Rate, s.ComputeFrac*float64(len(g))) {
				t.Errorf("%s on %v: %+v after fraction %v", p.Name, g, s, last)
			}
			last = s.ComputeFrac
		}
		a, err := m.Speed(query(p.Name, 1, 2, 9))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := m.Speed(query(p.Name, 4, 7, 12)); err != nil || a != b {
			t.Errorf("%s: the same shape elsewhere: %+v and %+v, %v", p.Name, a, b, err)
		}
	}
	_, err = m.Speed(query("resnet5O", 0, 1))
	if err == nil || err.Error() != `job "j": unknown model "resnet5O", did you mean "resnet50"?` {
		t.Errorf("unknown model: %v", err)
	}
	_, err = m.Speed(query("", 0, 1))
	if err == nil || err.Error() != `job "j": it names no model, expected one or a default (option model=NAME)` {
		t.Errorf("no model: %v", err)
	}
	m, err = NewCollective(topo, f, catalogue(), "VGG", nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.Speed(query("", 0, 4))
	if b, err2 := m.Speed(query("vgg16", 0, 4)); err != nil || err2 != nil || a != b {
		t.Errorf("default model: %+v and %+v, %v, %v", a, b, err, err2)
	}
}

func BenchmarkSpeedWarm(b *testing.B) {
	topo, f := lab(b)
	m, err := NewCollective(topo, f, catalogue(), "", nil)
	if err != nil {
		b.Fatal(err)
	}
	q := query("resnet152", 0, 1, 5, 9)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Speed(q); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSpeedCold(b *testing.B) {
	topo, f := lab(b)
	m, err := NewCollective(topo, f, catalogue(), "", nil)
	if err != nil {
		b.Fatal(err)
	}
	q := query("resnet152", 0, 1, 5, 9)
	b.ReportAllocs()
	for b.Loop() {
		clear(m.cache)
		if _, err := m.Speed(q); err != nil {
			b.Fatal(err)
		}
	}
}
