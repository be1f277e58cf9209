package scenario

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/speeds"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
)

// resizer gives job 0 another number of GPUs in every second, and compares its speed with the speed
// of the rigid job of that size.
type resizer struct {
	t    *testing.T
	spec string
	draw *rand.Rand
	last []cluster.GPU
	seen [9]int
}

func (r *resizer) Knows() know.Set { return know.Speed }

func (r *resizer) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if len(r.last) > 0 {
		n := len(r.last)
		if got, want := v.Run(0).Speed(), v.Predict(sim.JobID(n), sim.Placement{GPUs: r.last, Alone: true}); got != want ||
			got.Rate <= 0 {
			r.t.Errorf("%s: on %d GPUs %v the elastic job runs at %+v, a rigid one at %+v", r.spec, n, r.last, got,
				want)
		}
		r.seen[n]++
	}
	if v.Now() > 60*sim.Second {
		return append(out, sim.Decision{Kind: sim.Preempt, Job: 0})
	}
	n := 1 + r.draw.IntN(8)
	gpus := []cluster.GPU{}
	for _, g := range r.draw.Perm(v.Topology().GPUs())[:n] {
		gpus = append(gpus, cluster.GPU(g))
	}
	slices.Sort(gpus)
	if a, b := v.Predict(0, sim.Placement{GPUs: gpus, Alone: true}),
		v.Predict(sim.JobID(n), sim.Placement{GPUs: gpus, Alone: true}); a != b {
		r.t.Errorf("%s: on %d GPUs %v the elastic job is predicted at %+v, a rigid one at %+v", r.spec, n, gpus, a, b)
	}
	d := sim.Decision{Kind: sim.Resize, GPUs: gpus}
	if v.Run(0).State() == sim.Waiting {
		d.Kind = sim.Start
	}
	if !slices.Equal(gpus, r.last) {
		out = append(out, d)
	}
	r.last = gpus
	return append(out, sim.Decision{Kind: sim.WakeAt, At: v.Now() + sim.Second})
}

// Under every speed model an elastic job runs on each number of GPUs as a rigid job of that size
// does, and is predicted so.
func TestSpeedAtEachCount(t *testing.T) {
	steps := "job_type,scale_factor,gpu_type,steps_per_s\n"
	for _, row := range []string{"1,v100,10", "2,v100,18", "4,v100,30", "8,v100,50", "3,v100,25", "5,v100,34",
		"6,v100,40", "7,v100,45"} {
		steps += "ResNet50," + row + "\n"
	}
	measured := filepath.Dir(written(t, "isolated.csv", steps))
	table := written(t, "fractions.csv", "model,intra_ring_gpus,slots,machines_or_scattered_in_rack,"+
		"racks_or_scattered_in_network,compute_fraction\nResNet50,2,,,,0.9\n")
	for _, spec := range []string{
		"speed=counting", "speed=tiers", "speed=collective", `speed="contended:rack=0.3,network=0.5"`,
		`speed="table:` + table + `,fallback=collective"`,
		`cluster=v100:2x2x4,speed=gavel:` + measured, `speed=tiers,variability="drawn:sigma=0.3,seed=4"`,
	} {
		s := param.Parse("test", spec)
		c := Default()
		c.Cluster = "2x2x4"
		c.Read(s)
		made, err := c.Build(Catalogues{Speeds: speeds.All()})
		if err != nil || s.Err() != nil {
			t.Fatalf("%s: %v, %v", spec, err, s.Err())
		}
		js := []sim.Job{{ID: "0", GPUs: 4, MinGPUs: 1, MaxGPUs: 8}}
		for n := range int32(8) {
			js = append(js, sim.Job{ID: string('1' + n), GPUs: n + 1})
		}
		for i := range js {
			js[i].Model, js[i].Work, js[i].Iterations, js[i].IterS = "ResNet50", 1e6*sim.Second, 1e7, 0.1
		}
		w, err := sim.NewWorkload("w", js)
		if err != nil {
			t.Fatal(err)
		}
		m, err := made.Speed()
		if err != nil {
			t.Fatal(err)
		}
		r := &resizer{t: t, spec: spec, draw: rand.New(rand.NewPCG(1, 2))}
		if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: made.Topology, Speed: m,
			Check: true}, r); err != nil {
			t.Fatalf("%s: %v", spec, err)
		}
		if slices.Contains(r.seen[1:], 0) {
			t.Errorf("%s: sizes seen %v", spec, r.seen)
		}
	}
}

// Windows of a law and of a trace have the ranges of the rule, the same each time and others in
// each window; a rule that is wrong is a fault at its place.
func TestElasticWindows(t *testing.T) {
	for _, options := range []string{"workload=poisson,window_jobs=40,windows=3", "trace=csv:" + traceFile(t, 400) +
		",gap=0,warm=0,horizon=8"} {
		c := Default()
		c.Cuts.Part = Train
		s := param.Parse("test", options+`,cluster=2x2x4,speed=tiers,elastic="min=1,max=2x,fraction=0.5"`)
		c.Read(s)
		c.ReadCuts(s)
		made, err := c.Build(known())
		if err != nil || s.Err() != nil {
			t.Fatal(err, s.Err())
		}
		patterns := map[string]bool{}
		for i := range 3 {
			a, err := made.Windows.Window(Train, i)
			if err != nil {
				t.Fatal(err)
			}
			if b, err := made.Windows.Window(Train, i); err != nil || a.Hash() != b.Hash() {
				t.Errorf("%s: window %d differs from itself, %v", options, i, err)
			}
			pattern := ""
			for _, j := range a.Jobs[:10] {
				pattern += string('0' + j.MaxGPUs/j.GPUs)
			}
			patterns[pattern] = true
		}
		if len(patterns) != 3 {
			t.Errorf("%s: ranges %v", options, patterns)
		}
	}
	c := Default()
	c.Elastic = "min=x"
	c.Mark("elastic", "run.yaml:3:1")
	if _, err := c.Build(known()); err == nil || c.Located(err).Error()[:34] != `run.yaml:3:1: elastic: min is "x",` {
		t.Error(c.Located(err))
	}
}

// The rule as text, as a mapping of a file and key by key is the same; elastic.KEY changes one
// setting of a file's.
func TestElasticSpellings(t *testing.T) {
	file := written(t, "s.yaml", "elastic: {min: 1, max: 2x}\n")
	for given, want := range map[string]string{`elastic="min=1,max=2x"`: "min=1,max=2x",
		"elastic.min=1,elastic.max=2x": "min=1,max=2x", "scenario=" + file: "min=1,max=2x",
		"scenario=" + file + ",elastic.max=3x": "min=1,max=3x", "scenario=" + file + `,elastic="min=2"`: "min=2",
		"load=1": ""} {
		c := Default()
		s := param.Parse("test", given)
		c.Read(s)
		c.ReadCuts(s)
		if err := s.Err(); err != nil || c.Elastic != want {
			t.Errorf("%s: elastic is %q, error %v, expected %q", given, c.Elastic, err, want)
		}
	}
	c := Default()
	s := param.Parse("test", "cluster=2x2x4,elastic.mni=1")
	c.Read(s)
	if _, err := c.Build(known()); err == nil || !strings.Contains(err.Error(), "mni") {
		t.Errorf("error %v", err)
	}
}
