package scenario

import (
	"strings"
	"testing"

	"tarry/catalogue/speeds"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/param"
)

// slower is a layer that keeps a part of the speed and writes its name down.
type slower struct {
	keep float64
	name string
	log  *[]string
}

func (l slower) Answer(_ *sim.Query, s *sim.Speed) float64 {
	*l.log = append(*l.log, l.name)
	s.Rate *= l.keep
	return l.keep
}

// Layers of a program's own lie over the laws' layers, in the order of the setting, and each run
// has its own; an unknown one or a wrong option is a fault of the setting.
func TestOwnLayers(t *testing.T) {
	var log []string
	made := 0
	kind := func(name string) entry.Layer {
		return entry.Layer{Name: name, New: func(s *param.Set, e entry.SpeedEnv) (entry.SpeedLayer, error) {
			made++
			return slower{s.Float("keep", 0.5, 0.1, 1), name, &log}, nil
		}}
	}
	from := Catalogues{Speeds: speeds.All(), Layers: entry.Layers{kind("dim"), kind("dark")}}
	c := Default()
	c.Cluster, c.Speed, c.Hosts, c.Layers = "1x1x2", "counting", "catalogue", []string{"dark:keep=0.25", "none", "dim"}
	s, err := c.Build(from)
	if err != nil {
		t.Fatal(err)
	}
	before := made
	m, err := s.Speed()
	if err != nil || made != before+2 {
		t.Fatalf("%v, %d layers made for a run, expected 2", err, made-before)
	}
	got, err := m.Speed(&sim.Query{Job: &sim.Job{ID: "j", GPUs: 2}, GPUs: []cluster.GPU{0, 1},
		Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}})
	if err != nil || got.Rate != 2*0.25*0.5 || strings.Join(log, " ") != "dark dim" {
		t.Errorf("%v, %v, asked %q", got, err, log)
	}
	for spec, want := range map[string]string{
		"dram":     `layer "dram": unknown layer "dram", expected one of dim, dark`,
		"dim:kep=": `unknown key "kep"`,
	} {
		c.Layers = []string{spec}
		if _, err := c.Build(from); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", spec, err, want)
		}
	}
	c.Layers = []string{"dim"}
	if _, err := c.Build(Catalogues{Speeds: speeds.All()}); err == nil ||
		!strings.Contains(err.Error(), "this program has no layers of its own") {
		t.Error(err)
	}
}
