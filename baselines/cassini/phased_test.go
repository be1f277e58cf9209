package cassini_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/catalogue/policies"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/network"
	"tarry/sim/param"
	"tarry/sim/preset"
	"tarry/sim/speed"
)

// played runs jobs under a policy with shared links behind racks of four single GPUs, and gives what
// an observer sees.
func played(t *testing.T, p sim.Policy, phase bool, jobs []sim.Job) (end []sim.Time, intervals []string) {
	t.Helper()
	w, err := sim.NewWorkload("drawn", slices.Clone(jobs))
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(3, 4, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	f := preset.NVLinkFabric()
	f.Links[network.InRack].GBps, f.Links[network.AcrossRack].GBps = 6.25, 0.8
	m, err := speed.NewContended(top, f, models.NewSet(models.Catalogue()...), "", speed.Contention{Phase: phase}, nil)
	if err != nil {
		t.Fatal(err)
	}
	log := intervalsOf{&intervals}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: m, Check: true}, p, log)
	if err != nil {
		t.Fatal(err)
	}
	for id := range w.Jobs {
		end = append(end, e.Record(sim.JobID(id)).End)
	}
	return end, intervals
}

type intervalsOf struct{ lines *[]string }

func (i intervalsOf) Interval(x *sim.Interval) { *i.lines = append(*i.lines, fmt.Sprintf("%+v", *x)) }
func (i intervalsOf) Job(r *sim.Record)        { *i.lines = append(*i.lines, fmt.Sprintf("%+v", *r)) }
func (i intervalsOf) Instant(g *sim.Gauge)     { *i.lines = append(*i.lines, fmt.Sprintf("%+v", *g)) }

// Without phases CASSINI is its host byte for byte, though jobs share links; with phases it is not.
func TestWithoutPhasesItIsItsHost(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	var jobs []sim.Job
	at := sim.Time(0)
	for i := range 40 {
		at += sim.Time(r.IntN(600)) * sim.Second
		n := int32(1 + r.IntN(8))
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), Submit: at, GPUs: n, Work: sim.Time(n) * sim.Time(300+r.IntN(3000)) *
			sim.Second, Model: []string{"vgg16", "vgg19", "alexnet", "resnet50", "bert-large"}[r.IntN(5)]})
	}
	for _, host := range []string{"themis", "dally", "tiresias", "fifo-fit"} {
		for _, phase := range []bool{false, true} {
			of, err := policies.All().Build(host, cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			p, err := over(param.Parse("cassini", "host="+host), cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			_, alone := played(t, of, phase, jobs)
			if _, got := played(t, p, phase, jobs); slices.Equal(got, alone) == phase {
				t.Errorf("host %s, phases %v: as the host: %v", host, phase, !phase)
			}
		}
	}
}

// Two jobs of VGG-16 on one uplink: together they wait for each other in each iteration, shifted and
// in slots they run as alone.
func TestTwoJobsOfVGG(t *testing.T) {
	jobs := []sim.Job{{ID: "a", GPUs: 6, Model: "vgg16", Work: 6 * 3600 * sim.Second},
		{ID: "b", GPUs: 6, Model: "vgg16", Work: 6 * 3600 * sim.Second}}
	run := func(text string, jobs []sim.Job) float64 {
		p, err := over(param.Parse("cassini", "host=fifo-fit,"+text), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		end, _ := played(t, p, true, jobs)
		return slices.Max(end).Seconds()
	}
	alone := run("angles=72", jobs[:1])
	together := run("shift=false", jobs)
	if together < 1.2*alone {
		t.Errorf("together %v s, alone %v s", together, alone)
	}
	for _, text := range []string{"pace=true", "pace=false"} {
		if got := run(text, jobs); math.Abs(got/alone-1) > 1e-3 {
			t.Errorf("%s: %v s, alone %v s", text, got, alone)
		}
	}
}
