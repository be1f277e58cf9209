package scenario

import (
	"os"
	"strings"
	"testing"

	"tarry/catalogue/speeds"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/speed/measured"
)

// gavelTables is a folder of throughputs: the model m does 10 steps per second on v100 and 2 on
// k80.
func gavelTables(t *testing.T) string {
	t.Helper()
	return strings.TrimSuffix(written(t, "isolated.csv", "job_type,scale_factor,gpu_type,steps_per_s\nm,1,v100,10\n"+
		"m,1,k80,2\n"), "/isolated.csv")
}

// The speed of a job of model m and 0.1 s per step on the first GPU of each machine.
func TestSpeedsOfTypes(t *testing.T) {
	file := written(t, "lab.yaml", "racks: [{machines: [{gpus: 1, type: v100}, {gpus: 1, type: k80}]}]\ngpu_speed: "+
		"{k80: {other: 0.5, m: 0.25}}\n")
	factors := written(t, "gpus.csv", "gpu,factor\n1,0.5\n")
	for options, want := range map[string][2]float64{
		"cluster=" + file + ",speed=counting": {1, 0.25},
		// the cluster's speeds are not used: types are measured
		"cluster=" + file + ",speed=gavel:" + gavelTables(t):                                           {1, 0.2},
		"cluster=" + file + ",speed=gavel:" + gavelTables(t) + ",variability=" + factors:               {1, 0.1},
		"cluster=v100:1x1x1+k80:1x1x1,speed=tiers,variability=" + factors:                              {1, 0.5},
		"cluster=v100:1x1x1+k80:1x1x1,speed=contended,models=vgg16,variability=" + factors:             {1, 0.5},
		"cluster=v100:1x1x1+1x1x1,models=none,speed=\"gavel:" + gavelTables(t) + ",untyped=k80\"":      {1, 0.2},
		"cluster=v100:1x1x1+k80:1x1x1,speed=counting,variability=\"drawn:sigma=0,seed=3\",models=none": {1, 1},
	} {
		s := param.Parse("test", options)
		c := Default()
		c.Read(s)
		made, err := c.Build(Catalogues{Speeds: speeds.All()})
		if err != nil || s.Err() != nil {
			t.Errorf("%s: %v, %v", options, err, s.Err())
			continue
		}
		m, err := made.Speed()
		if err != nil {
			t.Fatal(err)
		}
		for g := range want {
			q := &sim.Query{Job: &sim.Job{ID: "j", Model: "m", GPUs: 1, Iterations: 10, IterS: 0.1, Work: sim.Second},
				GPUs: []cluster.GPU{cluster.GPU(g)}}
			if got, err := m.Speed(q); err != nil || got.Rate != want[g] {
				t.Errorf("%s: rate %v on GPU %d, %v, want %v", options, got.Rate, g, err, want[g])
			}
		}
	}
}

// The models of many runs share one table; a folder that cannot be read is asked again.
func TestTablesAreReadOnce(t *testing.T) {
	dir := gavelTables(t)
	c := Default()
	c.Cluster, c.Speed = "v100:1x1x1+k80:1x1x1", "gavel:"+dir
	made, err := c.Build(Catalogues{Speeds: speeds.All()})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	a, err := made.Speed()
	b, err2 := made.Speed()
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if x, y := a.(*measured.Model), b.(*measured.Model); x == y || x.Table() != y.Table() {
		t.Error("two runs share a model, or not their table")
	}
	if _, err := c.Build(Catalogues{Speeds: speeds.All()}); err == nil {
		t.Error("another scenario has the table of this one")
	}
}

func TestWrongVariability(t *testing.T) {
	c := Default()
	c.Variability = "drawn:sigma=-1"
	c.Mark("variability", "run.yaml:3:1")
	_, err := c.Build(Catalogues{Speeds: speeds.All()})
	if got := c.Located(err); got == nil ||
		got.Error() != `run.yaml:3:1: variability "drawn:sigma=-1": sigma is "-1", expected one number in 0..10, or CLASS:NUMBER joined by +` {
		t.Errorf("got %v", got)
	}
}
