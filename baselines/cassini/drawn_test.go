package cassini_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// drawn is a run with phases: jobs of several widths and periods on racks of two types, some of which
// ask for a type, for a part of a GPU or for CPU.
func drawn(t *testing.T, r *rand.Rand) sim.Config {
	t.Helper()
	models := []string{"0.6/0.4", "0.31/0.3", "0.4/0.6", "0.25/0.05", "1.7/0.2", "0.333/0.111"}
	var jobs []sim.Job
	at := sim.Time(0)
	for i := range 30 {
		at += sim.Time(r.IntN(30)) * sim.Second
		j := sim.Job{ID: fmt.Sprint(i), Submit: at, GPUs: int32(1 + r.IntN(7)), Model: models[r.IntN(len(models))],
			Work: sim.Time(1+r.IntN(600)) * sim.Second}
		switch r.IntN(8) {
		case 0:
			j.GPUType = "fast"
		case 1:
			j.GPUs, j.ShareMilli = 1, 500
		case 2:
			j.CPUMilli = 1000
		}
		jobs = append(jobs, j)
	}
	w, err := sim.NewWorkload("drawn", jobs)
	if err != nil {
		t.Fatal(err)
	}
	rack := func(typ string) []cluster.Machines {
		return []cluster.Machines{{Count: 2, GPUs: 2, Slots: 1, Type: typ, CPUMilli: 3000}}
	}
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{rack("slow"), rack("slow"), rack("slow"),
		rack("fast"), rack("fast")}})
	if err != nil {
		t.Fatal(err)
	}
	costs := sim.Costs{Start: sim.Cost{FixedS: float64(r.IntN(3))}, Restore: sim.Cost{FixedS: 2},
		Checkpoint: sim.Cost{FixedS: float64(r.IntN(2))}, Migrate: sim.Cost{FixedS: 1.5}}
	return sim.Config{Workload: w, Topology: top, Speed: &lanes{top: top}, Costs: costs, Check: true}
}

// With phases each run ends with every invariant kept, and is the same again, from a snapshot in the
// middle too.
func TestDrawnRuns(t *testing.T) {
	tunes, places := 0, 0
	for seed := range uint64(effort.Of(t, 10, 80)) {
		r := rand.New(rand.NewPCG(seed, 1))
		cfg := drawn(t, r)
		text := []string{"angles=72", "host=dally", "host=\"themis:lease=40,f=0\"", "host=tiresias",
			"host=fifo-fit,drift=0.2,laps=3", "host=\"dally:lease=50\",pace=false"}[seed%6]
		all, _ := run(t, cfg, text, -1)
		again, _ := run(t, cfg, text, -1)
		whole, rest := run(t, cfg, text, len(all)/2)
		if !slices.Equal(all, again) || !slices.Equal(whole, all) || !slices.Equal(rest, all) {
			t.Fatalf("seed %d, %s: runs differ:\n%q\n%q\n%q\n%q", seed, text, all, again, whole, rest)
		}
		alone, _ := run(t, cfg, text+",candidates=1,shift=false", -1)
		if !slices.Equal(alone, all) {
			places++
		}
		for _, line := range all {
			if strings.Contains(line, "held") {
				tunes++
			}
		}
	}
	if tunes < 20 || places < 3 {
		t.Errorf("%d jobs were held, %d runs have other places", tunes, places)
	}
}

// run gives the starts, moves and tunes of a run; with cut >= 0 it is resumed from a snapshot once as
// many lines are written, and the lines of both are given.
func run(t *testing.T, cfg sim.Config, text string, cut int) (lines, resumed []string) {
	t.Helper()
	p, err := over(param.Parse("cassini", text), cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	e.Permit(p.Knows())
	var twin sim.Policy
	var snap *sim.Snapshot
	drive := func(e *sim.Engine, p sim.Policy, to *[]string) {
		n := &noted{p, to}
		var out []sim.Decision
		for {
			if twin == nil && cut >= 0 && len(*to) >= cut {
				twin, snap = p.(interface{ Clone() sim.Policy }).Clone(), e.Snapshot()
				resumed = slices.Clone(*to)
			}
			v, ok, err := e.Next()
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if !ok {
				break
			}
			out = n.Decide(v, out[:0])
			if err := e.Apply(out); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		for id := range cfg.Workload.Jobs {
			if s := e.Record(sim.JobID(id)).State; s != sim.Done && s != sim.Refused {
				t.Fatalf("%s: job %d is %v", text, id, s)
			}
		}
	}
	drive(e, p, &lines)
	if twin != nil {
		f, err := sim.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		f.Permit(twin.Knows())
		if err := f.Restore(snap); err != nil {
			t.Fatal(err)
		}
		drive(f, twin, &resumed)
	}
	return lines, resumed
}
