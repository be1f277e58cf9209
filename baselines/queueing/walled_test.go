package queueing

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
	"tarry/sim/tenant"
)

// owned is a job of a virtual cluster.
func owned(vc string, submit float64, gpus int32, run float64) sim.Job {
	return sim.Job{VC: vc, Submit: sim.Seconds(submit), GPUs: gpus, Work: sim.Time(gpus) * sim.Seconds(run)}
}

// wallRun runs jobs on one rack of machines of 4 GPUs and gives the allocations.
func wallRun(t *testing.T, machines int, jobs []sim.Job, quotas map[string]int, p sim.Policy,
	obs ...sim.Observer) (*sim.Engine, []string) {
	t.Helper()
	js := slices.Clone(jobs)
	for i := range js {
		js[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("walled", js)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, machines, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	var rows []tenant.Tenant
	for vc, n := range quotas {
		rows = append(rows, tenant.Tenant{VC: vc, GPUs: n})
	}
	set, err := tenant.New(rows)
	if err != nil {
		t.Fatal(err)
	}
	var tape simtest.Tape
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
		Tenants: set, Check: true}, p, append(obs, &tape)...)
	if err != nil {
		t.Fatal(err)
	}
	return e, tape.Lines
}

// Quotas of 4 and 4. Job 1 of a is larger than what a has left and blocks job 2 of a, not job 3 of
// b. Job 4 of b is larger than b's quota: it starts alone in b. At 30 s job 3 is done, but a has 4
// of 8 GPUs to 40 s; then its job 2 goes first, by name.
func TestQuotas(t *testing.T) {
	p := simtest.Build(t, "qssf", NewQSSF, "vc=true")()
	_, got := wallRun(t, 2, []sim.Job{owned("a", 0, 2, 20), owned("a", 1, 4, 20), owned("a", 2, 2, 100),
		owned("b", 3, 2, 27), owned("b", 4, 5, 50)}, map[string]int{"a": 4, "b": 4}, p)
	want := []string{"0 on [0 1] 0s-20s finish", "3 on [2 3] 3s-30s finish", "1 on [4 5 6 7] 20s-40s finish",
		"4 on [2 4 5 6 7] 40s-90s finish", "2 on [0 1] 40s-140s finish"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// watch sees the GPUs that each virtual cluster holds after every decision.
type watch struct {
	sim.Policy
	most map[string]int
}

func (w *watch) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = w.Policy.Decide(v, out)
	held := map[string]int{}
	for _, j := range v.Running() {
		held[v.Job(j).VC()] += len(v.Run(j).Held())
	}
	for _, d := range out {
		held[v.Job(d.Job).VC()] += len(d.GPUs)
	}
	for vc, n := range held {
		w.most[vc] = max(w.most[vc], n)
	}
	return out
}

// On drawn crowds: no virtual cluster exceeds its quota but by one job; and with quotas that part
// the machines every job of one starts when it would in a cluster of its own of that size, as
// single GPUs do anywhere.
func TestWalls(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		quotas := map[string]int{"a": 8, "b": 4, "c": 4}
		var jobs []sim.Job
		at := 0.0
		for range 120 {
			at += r.ExpFloat64() * 4
			jobs = append(jobs, owned(string('a'+rune(r.IntN(3))), at, int32(1+r.IntN(6)), 1+r.ExpFloat64()*15))
		}
		fresh := simtest.Build(t, "sjf", NewSJF, "block=true,vc=true")
		w := &watch{Policy: fresh(), most: map[string]int{}}
		wallRun(t, 4, jobs, quotas, w)
		for vc, most := range w.most {
			if most > max(quotas[vc], 6) {
				t.Errorf("seed %d: %s holds %d of %d", seed, vc, most, quotas[vc])
			}
		}
		for i := range jobs { // narrow enough for every quota
			jobs[i].GPUs, jobs[i].Work = min(4, jobs[i].GPUs),
				jobs[i].Work/sim.Time(jobs[i].GPUs)*sim.Time(min(4, jobs[i].GPUs))
		}
		all, _ := wallRun(t, 4, jobs, quotas, fresh())
		for vc, n := range quotas {
			var own []sim.Job
			var of []int
			for i, j := range jobs {
				if j.VC == vc {
					own, of = append(own, j), append(of, i)
				}
			}
			single, _ := wallRun(t, n/4, own, nil, simtest.Build(t, "sjf", NewSJF, "block=true")())
			for k := range own {
				if x, y := all.Record(sim.JobID(of[k])), single.Record(sim.JobID(k)); x.Start != y.Start ||
					x.End != y.End {
					t.Fatalf("seed %d: job %d of %s runs %v-%v, alone %v-%v", seed, of[k], vc, x.Start, x.End, y.Start,
						y.End)
				}
			}
		}
	}
}

func TestWalledConformance(t *testing.T) {
	for _, c := range []struct {
		make func(*param.Set, cluster.Rule) (sim.Policy, error)
		text string
	}{{NewQSSF, "vc=true"}, {NewFIFO, "vc=true,place=consolidate"}} {
		simtest.Policy(t, simtest.Build(t, "walled", c.make, c.text),
			simtest.Options{Seeds: 60, Laws: simtest.PermuteIDs | simtest.NullJob})
	}
	if _, err := NewQSSF(param.Parse("policy qssf", "vc=true,block=false"), cluster.BestFit); err == nil ||
		!strings.Contains(err.Error(), "block=true") {
		t.Errorf("error %v", err)
	}
}
