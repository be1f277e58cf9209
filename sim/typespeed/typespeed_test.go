package typespeed_test

import (
	"testing"

	"tarry/catalogue/speeds"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/preset"
	"tarry/sim/speed"
	"tarry/sim/stack"
	"tarry/sim/typespeed"
)

// halves is a cluster of two machines with two GPUs each, of two types.
func halves(t testing.TB) *cluster.Topology {
	t.Helper()
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Type: "new"},
		{Count: 1, GPUs: 2, Type: "old"}}}})
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// A job runs at the clock of its model on its slowest GPU; where models do not differ that is the
// speed of the types.
func TestSpeedOfATypeByModel(t *testing.T) {
	top := halves(t)
	build := func(name string, types speed.Types) sim.SpeedModel {
		m, err := speeds.All().Parse(name, speed.Env{Topology: top, Fabric: preset.NVLinkFabric(),
			Models: models.NewSet(models.Catalogue()...), Types: types})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, name := range []string{"counting", "tiers", "collective", "contended"} {
		l, err := typespeed.New(top, map[string]float64{"old": 0.5},
			map[string]map[string]float64{"VGG16": {"old": 0.1}})
		if err != nil {
			t.Fatal(err)
		}
		m := stack.New(build(name, nil), l)
		if _, coupled := m.(sim.Coupled); coupled != (name == "contended") {
			t.Errorf("%s: coupled is %v", name, coupled)
		}
		for model, types := range map[string]map[string]float64{"vgg16": {"old": 0.1}, "resnet50": {"old": 0.5}} {
			plain := build(name, types)
			for _, gpus := range [][]cluster.GPU{{0}, {2}, {0, 1}, {2, 3}, {1, 2}, {0, 1, 2, 3}} {
				for _, freq := range []float64{0, 1, 0.8} {
					q := sim.Query{Job: &sim.Job{ID: "j", Model: model}, GPUs: gpus,
						Knobs: sim.Knobs{ShareMilli: 1000, Batch: 1}}
					q.FreqFrac = freq
					want, err := plain.Speed(&q)
					got, err2 := m.Speed(&q)
					if err != nil || err2 != nil {
						t.Fatal(err, err2)
					}
					if got != want || q.FreqFrac != freq {
						t.Errorf("%s: %s on %v at %v: %v, want %v", name, model, gpus, freq, got, want)
					}
				}
			}
		}
	}
}

func TestSpeedOfATypeIsPositive(t *testing.T) {
	top := halves(t)
	for _, own := range []map[string]map[string]float64{nil, {"vgg16": {"old": 0}}} {
		other := map[string]float64{"new": 1}
		if own == nil {
			other = map[string]float64{"new": -1}
		}
		if _, err := typespeed.New(top, other, own); err == nil {
			t.Errorf("%v and %v have no fault", other, own)
		}
	}
}

func BenchmarkSpeed(b *testing.B) {
	top := halves(b)
	l, err := typespeed.New(top, nil, map[string]map[string]float64{"vgg16": {"old": 0.1}})
	if err != nil {
		b.Fatal(err)
	}
	m := stack.New(speed.NewCounting(top, nil), l)
	q := sim.Query{Job: &sim.Job{ID: "j", Model: "vgg16"}, GPUs: []cluster.GPU{2, 3},
		Knobs: sim.Knobs{ShareMilli: 1000, Batch: 1}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Speed(&q); err != nil {
			b.Fatal(err)
		}
	}
}
