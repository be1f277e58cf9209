package measure_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tarry/run/measure"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/simtest"
)

// edf runs the waiting job with the earliest deadline whenever a GPU is free. With admission it
// turns jobs away that cannot be done in time, were they started now.
type edf struct{ admits bool }

func (edf) Knows() know.Set { return know.Work }

func (p edf) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	turned := map[sim.JobID]bool{}
	for {
		best := sim.NoJob
		for j := range sim.JobID(v.NumJobs()) {
			switch {
			case v.Run(j).State() != sim.Waiting || turned[j]:
			case p.admits && v.Job(j).Deadline() < v.Now()+sim.Time(v.Job(j).Work()):
				turned[j] = true
				out = append(out, sim.Decision{Kind: sim.Reject, Job: j})
			case best == sim.NoJob || v.Job(j).Deadline() < v.Job(best).Deadline():
				best = j
			}
		}
		gpus, ok := v.Free().At(nil, 1, cluster.LevelCluster, cluster.FirstFound)
		if best == sim.NoJob || !ok {
			return out
		}
		v.Free().TakeAll(gpus)
		turned[best] = true
		out = append(out, sim.Decision{Kind: sim.Start, Job: best, GPUs: gpus})
	}
}

// Measures are the measures of the policy's own.
func (edf) Measures(yield func(name, of, unit string, value float64)) { yield("mine", "x", "ratio", 7) }

// follow puts a book beside a run.
type follow struct {
	sim.Policy
	b *measure.Book
	e *sim.Engine
	w *sim.Workload
	// free is what is free, as the view of every instant has it.
	free *cluster.Free
}

func (f *follow) look(v *sim.View) (bool, error) {
	f.free = v.Free()
	f.b.Look(v, f.e)
	return true, nil
}

func (f *follow) Interval(i *sim.Interval) { f.b.Interval(&f.w.Jobs[i.Job], i) }
func (f *follow) Job(r *sim.Record)        { f.b.Job(&f.w.Jobs[r.Job], r, f.e) }
func (f *follow) Instant(g *sim.Gauge)     { f.b.Instant(g.Now, f.free) }

// rows runs a policy and gives what is measured, by name and whose it is.
func rows(t *testing.T, p sim.Policy, gpus int, tenants string, until sim.Time, js ...sim.Job) map[string]float64 {
	t.Helper()
	w, err := sim.NewWorkload("w", js)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 1, gpus, 1))
	if err != nil {
		t.Fatal(err)
	}
	f := &follow{b: measure.New(top, tenants, nil), w: w}
	f.e, err = sim.New(sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Until: until, Check: true}, f)
	if err != nil {
		t.Fatal(err)
	}
	f.e.Permit(p.Knows())
	if err := f.e.Drive(t.Context(), p, f.look); err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	f.b.Rows(p, func(name, of, unit string, value float64) {
		if _, twice := out[strings.TrimSpace(name+" "+of)]; twice || unit == "" {
			t.Errorf("%s of %q in %q is there twice, or has no unit", name, of, unit)
		}
		out[strings.TrimSpace(name+" "+of)] = value
	})
	return out
}

func expect(t *testing.T, got map[string]float64, want map[string]float64) {
	t.Helper()
	for name, v := range want {
		if g, ok := got[name]; !ok || math.Abs(g-v) > 1e-9 && !(math.IsNaN(g) && math.IsNaN(v)) {
			t.Errorf("%s is %v (there: %v), expected %v", name, g, ok, v)
		}
	}
}

func job(id string, submit, run, deadline sim.Time) sim.Job {
	return sim.Job{ID: id, GPUs: 1, Submit: submit * sim.Second, Work: run * sim.Second, Deadline: deadline *
		sim.Second, User: id[:1]}
}

// By hand, on one GPU and in the order of deadlines: a runs 0-4 (due 20), then c 4-9 (due 8: late
// by 1), b 9-19 (due 18: late by 1), e 19-20 (best effort, there for 20 s), d 20-26, due 99.
func TestByHand(t *testing.T) {
	js := []sim.Job{job("a", 0, 4, 20), job("b", 1, 10, 18), job("c", 1, 5, 8), job("d", 1, 6, 99),
		{ID: "e", GPUs: 1, Work: 1 * sim.Second, Submit: 1 * sim.Second, User: "e"}}
	// e has no deadline, which is Never: it runs last.
	expect(t, rows(t, edf{}, 1, "", 0, js...), map[string]float64{
		"deadline_jobs": 4, "deadline_met": 2, "deadline_missed": 2, "deadline_rejected": 0, "deadline_refused": 0,
		"deadline_open":  0,
		"satisfied_frac": .5, "satisfied_admitted_frac": .5,
		"lateness_mean_s": (-16 + 1 + 1 - 74) / 4., "lateness_max_s": 1, "lateness_p95_s": 1, "tardiness_mean_s": .5,
		"tardiness_p95_s":  1,
		"best_effort_jobs": 1, "best_effort_jct_mean_s": 25, "mine x": 7,
	})
	// With admission c goes when it could only end at 9, at its arrival it could still be done by
	// 8; then b runs 4-14 in time, d 14-20.
	expect(t, rows(t, edf{true}, 1, "", 0, js...), map[string]float64{
		"deadline_jobs": 4, "deadline_met": 3, "deadline_missed": 0, "deadline_rejected": 1, "satisfied_frac": .75,
		"satisfied_admitted_frac": 1,
		"lateness_max_s":          -4, "tardiness_mean_s": 0, "best_effort_jct_mean_s": 20,
	})
	// Cut at 10 s: a has met its deadline, c missed it, b and d are open; a run without deadlines
	// has no measures but the policy's.
	expect(t, rows(t, edf{}, 1, "", 10*sim.Second, js...), map[string]float64{"deadline_jobs": 4, "deadline_met": 1,
		"deadline_missed": 1, "deadline_open": 2, "satisfied_frac": .5})
	if got := rows(t, edf{}, 1, "", 0, job("a", 0, 4, 0)); len(got) != 1 {
		t.Errorf("without deadlines there is %v", got)
	}
	expect(t, rows(t, edf{true}, 1, "", 0, job("a", 0, 4, 1)),
		map[string]float64{"satisfied_frac": 0, "satisfied_admitted_frac": math.NaN(), "lateness_mean_s": math.NaN()})
	big := job("b", 0, 1, 9)
	big.GPUs = 2
	expect(t, rows(t, edf{}, 1, "", 0, big), map[string]float64{"deadline_jobs": 1, "deadline_refused": 1,
		"satisfied_frac": 0, "satisfied_admitted_frac": math.NaN()})
}

// Finish-time fairness by hand. Two jobs of 10 s on one GPU, together from 0 s: the first ends at
// 10 with N = 2, 1/2 of a GPU would take 20 s: rho = 0.5. The second ends at 20, with N = (2 x 10 +
// 1 x 10)/20 = 1.5, alone 15 s: rho = 4/3.
func TestFinishTimeFairness(t *testing.T) {
	js := []sim.Job{job("a", 0, 10, 0), job("b", 0, 10, 0)}
	got := rows(t, edf{}, 1, "user", 0, js...)
	expect(t, got, map[string]float64{
		"tenants": 2, "ftf_mean a": .5, "ftf_mean b": 4. / 3, "ftf_max": 4. / 3, "ftf_mean": (.5 + 4./3) / 2,
		"sharing_incentive_frac": .5,
		"queue_mean_s a":         0, "queue_mean_s b": 10, "queue_p95_s b": 10, "jct_mean_s b": 20,
		"sharing_incentive_frac a": 1, "sharing_incentive_frac b": 0, "gpu_time_frac a": .5, "gpu_time_frac b": .5,
		"gpu_time_jain": 1, "tenant_jobs a": 1,
	})
	if _, there := got["satisfied_frac a"]; there {
		t.Error("a tenant without deadlines has a part of them that are met")
	}
	// On two GPUs each has its half of the cluster: as alone, rho = 1. A third GPU does not make it
	// less, as a job uses one.
	for gpus := 2; gpus < 4; gpus++ {
		expect(t, rows(t, edf{}, gpus, "user", 0, js...), map[string]float64{"ftf_mean": 1, "ftf_max": 1,
			"sharing_incentive_frac": 1, "ftf_jain": 1})
	}
	// One user's jobs get 3/4 of the GPU-time: Jain's index of (30, 10) is 40^2 / (2 x 1000) = 0.8.
	// Jobs without a user have a name too.
	none := job("c", 0, 10, 0)
	none.User = ""
	expect(t, rows(t, edf{}, 1, "user", 0, job("a1", 0, 10, 0), job("a2", 0, 20, 99), none), map[string]float64{
		"gpu_time_frac a": .75, "gpu_time_frac (unknown)": .25, "gpu_time_jain": .8, "tenant_jobs a": 2,
		"satisfied_frac a": 1, "satisfied_frac (unknown)": math.NaN()})
}

// Other names and other units of time leave the part of deadlines that are met, and tenants'
// fairness.
func TestNamesAndTimes(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 4))
		js := make([]sim.Job, 12)
		at := sim.Time(0)
		for i := range js {
			at += sim.Time(1 + r.IntN(3))
			js[i] = job(fmt.Sprint(i), at, sim.Time(1+r.IntN(9)), 0)
			js[i].User = fmt.Sprint("u", r.IntN(3))
			if r.IntN(4) > 0 {
				js[i].Deadline = js[i].Submit + sim.Time(1+r.IntN(30))*sim.Second + sim.Time(i) // no two together
			}
		}
		p := edf{seed%2 == 0}
		want := rows(t, p, 2, "user", 0, append([]sim.Job(nil), js...)...)
		perm, other := r.Perm(len(js)), append([]sim.Job(nil), js...)
		for i := range other {
			other[i].ID = fmt.Sprint(perm[i])
		}
		expect(t, rows(t, p, 2, "user", 0, other...), want)
		slow := append([]sim.Job(nil), js...)
		for i := range slow {
			slow[i].Submit, slow[i].Work, slow[i].Deadline = 3*slow[i].Submit, 3*slow[i].Work, 3*slow[i].Deadline
		}
		for name, v := range rows(t, p, 2, "user", 0, slow...) {
			if of, _, _ := strings.Cut(name, " "); strings.HasSuffix(of, "_s") {
				v /= 3
			}
			expect(t, map[string]float64{name: v}, map[string]float64{name: want[name]})
		}
	}
}
