package elasticflow

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
)

// scales is a speed that depends on the model and the number of GPUs alone: n to a power, falling
// beyond a peak.
type scales struct{}

func scaled(model string, n int) float64 {
	power, peak := map[string]float64{"good": 1, "fair": 0.7, "bad": 0.3, "peak": 0.8}[model], 64
	if model == "peak" {
		peak = 4
	}
	f := math.Pow(float64(min(n, peak)), power)
	for ; n > peak; n /= 2 {
		f *= 0.9
	}
	return f
}

func (scales) Speed(q *sim.Query) (sim.Speed, error) {
	r := scaled(q.Job.Model, len(q.GPUs))
	return sim.Speed{Rate: r, ComputeFrac: min(1, r/float64(len(q.GPUs)))}, nil
}

// workload draws up to n jobs; slack bounds deadlines from below, as a multiple of the run on the
// GPUs asked for.
func workload(r *rand.Rand, n, gpus int, slack float64) []sim.Job {
	js := make([]sim.Job, 1+r.IntN(n))
	at := sim.Time(0)
	unit := []sim.Time{sim.Second, 7777, 100 * sim.Second}[r.IntN(3)]
	for i := range js {
		at += sim.Time(r.IntN(20)) * unit
		j := sim.Job{ID: fmt.Sprint(i), Model: []string{"good", "fair", "bad", "peak"}[r.IntN(4)],
			GPUs: int32(1 << r.IntN(4)), Submit: at}
		j.GPUs = min(j.GPUs, int32(gpus))
		if j.MinGPUs, j.MaxGPUs = 1, int32(64); r.IntN(6) == 0 {
			j.MinGPUs, j.MaxGPUs = j.GPUs, j.GPUs
		}
		j.Work = sim.Time(1+r.IntN(200)) * unit
		if r.IntN(8) > 0 {
			run := float64(j.Work) / scaled(j.Model, int(j.GPUs))
			j.Deadline = j.Submit + max(1, sim.Time(run*(slack+2*r.Float64())))
		}
		js[i] = j
	}
	return js
}

// kept runs jobs and reports admitted ones that ended late, and how many with deadlines were
// rejected.
func kept(t testing.TB, p sim.Policy, js []sim.Job, top *cluster.Topology) (late []string, rejected, met int) {
	t.Helper()
	w, err := sim.NewWorkload("drawn", js)
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: scales{},
		Check: len(js) < 10}, p)
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Jobs {
		j, r := &w.Jobs[i], e.Record(sim.JobID(i))
		switch {
		case r.State == sim.Rejected:
			rejected++
		case r.State != sim.Done || j.Deadline > 0 && r.End > j.Deadline:
			late = append(late, fmt.Sprintf("job %s ends at %v, due %v (%v)", j.ID, r.End, j.Deadline, r.State))
		case j.Deadline > 0:
			met++
		}
	}
	return late, rejected, met
}

// A job that ends exactly at its deadline is admitted, at once and behind another one; a
// microsecond less and it is not.
func TestExactDeadlines(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 1, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	job := func(id string, submit, work, deadline float64) sim.Job {
		return sim.Job{ID: id, Model: "good", GPUs: 4, MinGPUs: 4, MaxGPUs: 4, Submit: sim.Seconds(submit), Work: 4 *
			sim.Seconds(work), Deadline: sim.Seconds(deadline)}
	}
	for _, settings := range []string{"", "slot_s=0", "surplus=none", "variant=edf-accessctrl"} {
		for _, less := range []float64{0, 1e-6} {
			js := []sim.Job{job("0", 10, 100, 110-less), job("1", 1000, 50, 1050), job("2", 1060, 20, 1080-less)}
			late, rejected, met := kept(t, policy(t, settings)(), js, top)
			if want := []int{0, 2}[min(1, int(less*1e6))]; len(late) > 0 || rejected != want || met != 3-want {
				t.Errorf("%q, %v s before: %d rejected, %d in time, late %v; want %d rejected", settings, less,
					rejected, met, late, want)
			}
		}
	}
}

// Deadlines that the first run of a job meets to the microsecond, all the time: no admitted job is
// late, and many are admitted.
func TestTightDeadlinesAreKept(t *testing.T) {
	seen := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 29))
		machines, per := 1+r.IntN(3), 1<<r.IntN(4)
		top, err := cluster.New(cluster.Uniform(1, machines, per, 1))
		if err != nil {
			t.Fatal(err)
		}
		js := workload(r, 12, machines*per, 0.3)
		for i := range js {
			if j := &js[i]; j.Deadline > 0 {
				best := 0.0
				for n := int32(1); n <= min(int32(machines*per), j.MaxGPUs); n *= 2 {
					if n >= j.MinGPUs {
						best = max(best, scaled(j.Model, int(n)))
					}
				}
				if best > 0 {
					run := float64(j.Work) / best
					j.Deadline = j.Submit + sim.Time(r.IntN(2))*sim.Time(run) + sim.Time(math.Ceil(run))
				}
			}
		}
		late, _, met := kept(t, policy(t, []string{"slot_s=0", "", "slot_s=0,surplus=most",
			"variant=edf-accessctrl"}[seed%4])(), js, top)
		if len(late) > 0 {
			t.Fatalf("seed %d, %d GPUs: %v\n%+v", seed, machines*per, late, js)
		}
		seen += met
	}
	if seen < 2000 {
		t.Errorf("%d jobs end in time: the workloads say nothing", seen)
	}
}

// Without costs every admitted job ends in time: 10 000 random workloads through the engine.
func TestAdmittedJobsMeetTheirDeadlines(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 500
	}
	settings := []string{"slot_s=0", "", "slot_s=7", "slot_s=0,surplus=most", "slot_s=3,surplus=none",
		"variant=edf-accessctrl,slot_s=0", "variant=edf-accessctrl,slot_s=7"}
	var builds []func() sim.Policy
	for _, s := range settings {
		builds = append(builds, policy(t, s))
	}
	counts := map[string][2]int{}
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 16))
		machines, per := 1+r.IntN(3), 1<<r.IntN(4)
		top, err := cluster.New(cluster.Uniform(1, machines, per, 1))
		if err != nil {
			t.Fatal(err)
		}
		js := workload(r, 16, machines*per, 0.3)
		k := int(seed) % len(builds)
		late, rejected, met := kept(t, builds[k](), js, top)
		if len(late) > 0 {
			t.Fatalf("seed %d, %s, %d GPUs: %v\n%+v", seed, settings[k], machines*per, late, js)
		}
		c := counts[settings[k]]
		counts[settings[k]] = [2]int{c[0] + met, c[1] + rejected}
	}
	for s, c := range counts {
		if c[0] == 0 || c[1] == 0 {
			t.Errorf("%q: %d in time, %d rejected: the workloads say nothing", s, c[0], c[1])
		}
	}
}
