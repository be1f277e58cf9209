package themis_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"tarry/baselines/queueing"
	"tarry/baselines/themis"
	"tarry/baselines/tiresias"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/traces/synth"
)

// crowded slows jobs down that lie on several machines, by 10 %, or racks, by 30 %, and by a
// sixteenth for each doubling of GPUs.
type crowded struct{ top *cluster.Topology }

func (s crowded) Speed(q *sim.Query) (sim.Speed, error) {
	f := [...]float64{1, 1, .9, .7, .5}[s.top.LevelOf(q.GPUs)] / (1 + math.Log2(float64(len(q.GPUs)))/16)
	return sim.Speed{Rate: float64(len(q.GPUs)) * f, ComputeFrac: f}, nil
}

// scheduler builds a policy.
type scheduler struct {
	name string
	make func(*param.Set, cluster.Rule) (sim.Policy, error)
	text string
}

// ratios runs a workload and gives each job's completion time over its time alone on the GPUs of
// its choice times the mean number of jobs in the system during its life.
func ratios(t testing.TB, w *sim.Workload, top *cluster.Topology, s scheduler) []float64 {
	t.Helper()
	p, err := s.make(param.Parse("policy", s.text), cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: crowded{top}}, p)
	if err != nil {
		t.Fatal(err)
	}
	type change struct {
		at sim.Time
		by float64
	}
	var line []change
	for id := range w.Jobs {
		r := e.Record(sim.JobID(id))
		line = append(line, change{w.Jobs[id].Submit, 1}, change{r.End, -1})
	}
	slices.SortFunc(line, func(a, b change) int { return int(a.at - b.at) })
	area, n := make([]float64, len(line)+1), 0.0 // integral of the number of jobs up to each change
	for i, c := range line {
		if i > 0 {
			area[i] = area[i-1] + n*float64(c.at-line[i-1].at)
		}
		n += c.by
	}
	at := func(x sim.Time) float64 {
		i, _ := slices.BinarySearchFunc(line, x, func(c change, x sim.Time) int { return int(c.at - x) })
		return area[i]
	}
	empty := cluster.NewFree(top)
	var out []float64
	for id := range w.Jobs {
		j, r := &w.Jobs[id], e.Record(sim.JobID(id))
		_, hi := j.Range()
		l, _ := top.Finest(cluster.LevelSlot, int(hi), cluster.PerGPU{})
		gpus, _ := empty.At(nil, int(hi), l, cluster.BestFit)
		sp, _ := crowded{top}.Speed(&sim.Query{GPUs: gpus})
		jct := float64(r.End - j.Submit)
		others := max(1, (at(r.End)-at(j.Submit))/jct)
		out = append(out, jct*sp.Rate/float64(j.Work)/others)
	}
	return out
}

// economy is a workload of the generator; some are elastic, from one GPU to what they ask for.
func economy(t testing.TB, spec string, seed uint64, gpus int, elastic bool) *sim.Workload {
	t.Helper()
	c, err := synth.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	c.GPUs = gpus
	w, err := synth.Generate(c, rng.Source{Seed: seed, Experiment: "themis"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Jobs {
		if elastic {
			w.Jobs[i].MinGPUs = 1
		}
	}
	return w
}

// TestFairestOfAll: the largest ratio of a job is, in the mean over workloads, no larger than under
// schedulers that do not look at it, and no job is worse off than alone on its part of the cluster.
// The first is the paper's claim; it is a law of no single workload.
func TestFairestOfAll(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(2, 8, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	seeds := uint64(3)
	if testing.Short() {
		seeds = 1
	}
	for _, elastic := range []bool{false, true} {
		mine := 0.0
		for _, s := range []scheduler{{"themis", themis.New, ""}, {"tiresias", tiresias.New, ""},
			{"fifo-fit", queueing.NewFitFirst, ""}, {"las", queueing.NewLAS, ""},
			{"srtf", queueing.NewSRTF, ""}} {
			worst := 0.0
			for seed := range seeds {
				worst += slices.Max(ratios(t, economy(t, "poisson,jobs=200,load=0.95", seed, top.GPUs(), elastic), top,
					s)) / float64(seeds)
			}
			if s.name == "themis" {
				mine = worst
			} else if worst < mine {
				t.Errorf("elastic %v: the largest ratio is %.3f, of %s %.3f", elastic, mine, s.name, worst)
			}
		}
		if mine > 1 {
			t.Errorf("elastic %v: a job takes %.3f times as long as on its part of the cluster", elastic, mine)
		}
	}
}
