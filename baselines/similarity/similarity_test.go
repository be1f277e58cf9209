package similarity

import (
	"context"
	"math"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/simtest"
)

// policy builds a policy from settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "similarity-like", New, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 100, Laws: simtest.AllLaws}
	simtest.Conform(t, "similarity-like", New, o.Settings("", "unseen=mean,block=true", "place=consolidate"))
	o.Laws &^= simtest.ScaleTimes // the waits do not scale
	simtest.Conform(t, "similarity-like", New, o.Settings("place=delay,delay_machine_s=3,delay_rack_s=4"))
}

// ResNet-50 is more like ResNet-101 than like BERT; a batch size twice as large is nearer than
// another model; a name without a profile is like nothing but itself.
func TestDistances(t *testing.T) {
	set := models.NewSet(models.Catalogue()...)
	of := func(name string) *features { f := featuresOf(set, name); return &f }
	near := func(a, b, c string) {
		t.Helper()
		if x, y := distance(of(a), of(b)), distance(of(a), of(c)); !(x < y) {
			t.Errorf("%s is %v from %s and %v from %s, expected nearer", a, x, b, y, c)
		}
	}
	near("resnet50", "resnet101", "bert-large")
	near("vgg16", "vgg19", "mobilenetv3-small")
	near("ResNet-50 (batch size 64)", "ResNet-50 (batch size 128)", "ResNet-18 (batch size 64)")
	near("ResNet-50 (batch size 64)", "ResNet-50 (batch size 32)", "ResNet-50 (batch size 16)")
	near("LM (batch size 80)", "lstm", "vgg16")
	near("nobody (batch size 2)", "nobody (batch size 4)", "vgg16")
	if d := distance(of("nobody"), of("vgg16")); !math.IsInf(d, 1) {
		t.Errorf("a model without a profile is %v from vgg16", d)
	}
}

// suits gives each model a speed on each type.
type suits struct {
	top    *cluster.Topology
	speeds map[string]map[string]float64
}

func (s suits) Speed(q *sim.Query) (sim.Speed, error) {
	slow := math.Inf(1)
	for _, g := range q.GPUs {
		slow = min(slow, s.speeds[q.Job.Model][s.top.Type(s.top.Machine(g))])
	}
	return sim.Speed{Rate: float64(len(q.GPUs)) * slow, ComputeFrac: 1}, nil
}

// vgg16 runs on both types and is fast on b alone, bert on a alone. vgg19, never seen, then goes to
// b with both free and bert to a; gpt2, most like bert, to a. With unseen=mean all unseen models go
// where the known ones are fast on average.
func TestUnseenModels(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 4, Type: "a"},
		{Count: 1, GPUs: 4, Type: "b"}}}})
	if err != nil {
		t.Fatal(err)
	}
	speeds := suits{top, map[string]map[string]float64{"vgg16": {"a": 1, "b": 3}, "vgg19": {"a": 1, "b": 3},
		"bert-large": {"a": 5, "b": 1}, "gpt2": {"a": 5, "b": 1}}}
	job := func(id, model string, gpus int32, at float64) sim.Job {
		return sim.Job{ID: id, Model: model, GPUs: gpus, Submit: sim.Seconds(at), Work: sim.Time(gpus) * sim.Seconds(9)}
	}
	// Two jobs of each known model fill the cluster one after the other, so that both types are
	// noted for both.
	jobs := []sim.Job{job("0", "vgg16", 4, 0), job("1", "vgg16", 4, 0), job("2", "bert-large", 4, 20),
		job("3", "bert-large", 4, 20),
		job("4", "vgg19", 1, 100), job("5", "gpt2", 1, 101), job("6", "vgg16", 1, 102), job("7", "bert-large", 1, 103)}
	for settings, want := range map[string]string{"": "b a b a", "unseen=mean": "a a b a"} {
		w, err := sim.NewWorkload("hand", jobs)
		if err != nil {
			t.Fatal(err)
		}
		e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: speeds, Check: true})
		if err != nil {
			t.Fatal(err)
		}
		p, got := policy(t, settings)(), ""
		e.Permit(p.Knows())
		for {
			v, ok, err := e.Next()
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			out := p.Decide(v, nil)
			for _, d := range out {
				if d.Job >= 4 {
					got += " " + top.Type(top.Machine(d.GPUs[0]))
				}
			}
			if err := e.Apply(out); err != nil {
				t.Fatal(err)
			}
		}
		if got != " "+want {
			t.Errorf("%q: the jobs went to%s, want %s", settings, got, want)
		}
	}
}

// A job that stands still on a type is taken off after a second and starts on the other; the next
// job of its model goes there at once.
func TestStandingStill(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Type: "a"},
		{Count: 1, GPUs: 2, Type: "b"}}}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := sim.NewWorkload("hand", []sim.Job{{ID: "0", Model: "vgg16", GPUs: 1, Work: 9 * sim.Second},
		{ID: "1", Model: "vgg16", GPUs: 1, Submit: 5 * sim.Second, Work: 9 * sim.Second}})
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Workload: w, Topology: top, Speed: suits{top,
		map[string]map[string]float64{"vgg16": {"a": 0, "b": 1}}}, Check: true}
	var tape simtest.Tape
	if _, err := sim.Run(context.Background(), cfg, policy(t, "")(), &tape); err != nil {
		t.Fatal(err)
	}
	want := []string{"0 on [0] 0s-1s preempt", "0 on [2] 1s-10s finish", "1 on [3] 5s-14s finish"}
	if !slices.Equal(tape.Lines, want) {
		t.Errorf("got %q, want %q", tape.Lines, want)
	}
}
