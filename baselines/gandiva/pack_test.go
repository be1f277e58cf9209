package gandiva

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/outage"
)

// company is a speed model: two jobs on a GPU keep a part of their full speed each, by their
// models, whatever their shares.
type company struct {
	keep func(model, beside string) float64
}

func (c company) Speed(q *sim.Query) (sim.Speed, error) {
	keep := 1.0
	for _, p := range q.Peers {
		keep = min(keep, c.keep(q.Job.Model, p.Job.Model))
	}
	return sim.Speed{Rate: float64(len(q.GPUs)) * keep, ComputeFrac: 1}, nil
}

func keeps(part float64) company { return company{func(string, string) float64 { return part }} }

// shares writes down allocations with what they hold of each GPU.
type shares struct{ lines []string }

func (t *shares) Interval(i *sim.Interval) {
	t.lines = append(t.lines, fmt.Sprintf("%d on %v x%d %v-%v %v", i.Job, i.GPUs, i.ShareMilli, i.Start, i.End,
		i.Reason))
}
func (t *shares) Job(*sim.Record)    {}
func (t *shares) Instant(*sim.Gauge) {}

func packed(t *testing.T, speed sim.SpeedModel, gpuMiB int64, shape [3]int, jobs ...sim.Job) sim.Config {
	t.Helper()
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("packed", jobs)
	if err != nil {
		t.Fatal(err)
	}
	spec := cluster.Uniform(shape[0], shape[1], shape[2], 1)
	for _, r := range spec.Racks {
		for i := range r {
			r[i].GPUMiB = gpuMiB
		}
	}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: speed, Check: true}
}

func expectShares(t *testing.T, cfg sim.Config, settings string, want ...string) {
	t.Helper()
	var got shares
	if _, err := sim.Run(context.Background(), cfg, policy(t, New, settings)(), &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.lines, want) {
		t.Errorf("got\n%q\nwant\n%q", got.lines, want)
	}
}

// fat asks for memory and keeps a GPU busy for a part of the time.
func fat(j sim.Job, mib int32, util float64) sim.Job {
	j.GPUMiB, j.GPUUtilFrac = mib, util
	return j
}

// Both jobs have had a slice alone by 20 s; a trial from there to 30 s does 0.8 + 0.8 of their
// rates, more than the 1 of slices, and they stay together.
func TestPackingThatPays(t *testing.T) {
	expectShares(t, packed(t, keeps(0.8), 0, [3]int{1, 1, 1}, job(0, 1, 40), job(0, 1, 40)), "quantum=10,packing=true",
		"0 on [0] x1000 0s-10s preempt", "1 on [0] x1000 10s-20s tune", "0 on [0] x500 20s-57.5s finish",
		"1 on [0] x500 20s-57.5s finish")
}

// Together they do 0.8: the guest is suspended again, and the two are not tried again.
func TestPackingThatDoesNotPay(t *testing.T) {
	expectShares(t, packed(t, keeps(0.4), 0, [3]int{1, 1, 1}, job(0, 1, 40), job(0, 1, 40)), "quantum=10,packing=true",
		"0 on [0] x1000 0s-10s preempt", "1 on [0] x1000 10s-20s tune", "0 on [0] x500 20s-30s preempt",
		"1 on [0] x500 20s-30s tune", "1 on [0] x1000 30s-40s preempt",
		"0 on [0] x1000 40s-50s preempt", "1 on [0] x1000 50s-60s preempt", "0 on [0] x1000 60s-70s preempt",
		"1 on [0] x1000 70s-76s finish", "0 on [0] x1000 76s-82s finish")
}

// With 10 GiB of memory two jobs of 6 GiB are sliced, whatever packing would do.
func TestPackingFitsTheMemory(t *testing.T) {
	expectShares(t, packed(t, keeps(1), 10240, [3]int{1, 1, 1}, fat(job(0, 1, 20), 6144, 0.5),
		fat(job(0, 1, 20), 6144, 0.5)), "quantum=10,packing=true",
		"0 on [0] x1000 0s-10s preempt", "1 on [0] x1000 10s-20s preempt", "0 on [0] x1000 20s-30s finish",
		"1 on [0] x1000 30s-40s finish")
	expectShares(t, packed(t, keeps(1), 12288, [3]int{1, 1, 1}, fat(job(0, 1, 20), 6144, 0.5),
		fat(job(0, 1, 20), 6144, 0.5)), "quantum=10,packing=true",
		"0 on [0] x1000 0s-10s preempt", "1 on [0] x1000 10s-20s tune", "1 on [0] x500 20s-30s finish",
		"0 on [0] x500 20s-30s finish")
}

// Job 0, suspended at 10 s, is tried on the GPU of job 1, which keeps it busy least. When job 2 has
// ended it gets that GPU for itself.
func TestPackingOnTheIdlest(t *testing.T) {
	expectShares(t, packed(t, keeps(0.8), 0, [3]int{1, 1, 2}, fat(job(0, 1, 60), 0, 0.9), fat(job(0, 1, 60), 0, 0.2),
		fat(job(0, 1, 30), 0, 0.5)), "quantum=10,packing=true",
		"0 on [0] x1000 0s-10s preempt", "1 on [1] x1000 0s-20s tune", "2 on [0] x1000 10s-40s finish",
		"0 on [1] x500 20s-40s migrate", "1 on [1] x500 20s-40s tune",
		"1 on [1] x1000 40s-64s finish", "0 on [0] x1000 40s-74s finish")
}

// Friends are suspended and resumed together, without a slice alone or another trial: jobs 0 and 1,
// from 20 s on. Until 100 s each other pair is tried once, in vain; then three turns go round, the
// friends, job 2 and job 3.
func TestFriendsStayTogether(t *testing.T) {
	friends := company{func(model, beside string) float64 {
		if model+beside == "ab" || model+beside == "ba" {
			return 0.9
		}
		return 0.3
	}}
	jobs := []sim.Job{job(0, 1, 100), job(0, 1, 100), job(0, 1, 100), job(0, 1, 100)}
	for i, m := range []string{"a", "b", "c", "d"} {
		jobs[i].Model = m
	}
	var got shares
	if _, err := sim.Run(context.Background(), packed(t, friends, 0, [3]int{1, 1, 1}, jobs...),
		policy(t, New, "quantum=10,packing=true")(), &got); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 on [0] x500 20s-30s preempt", "0 on [0] x500 20s-30s preempt",
		"0 on [0] x500 40s-50s preempt", "2 on [0] x500 90s-100s preempt",
		"0 on [0] x500 100s-110s preempt", "1 on [0] x500 100s-110s preempt", "2 on [0] x1000 110s-120s preempt",
		"3 on [0] x1000 120s-130s preempt",
		"1 on [0] x500 130s-140s preempt", "0 on [0] x500 130s-140s preempt", "2 on [0] x1000 140s-150s preempt"} {
		if !slices.Contains(got.lines, want) {
			t.Errorf("no %q in\n%q", want, got.lines)
		}
	}
}

// tally counts the trials that are undone.
type tally struct {
	*Policy
	ruled, undone int
}

func (w *tally) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = w.Policy.Decide(v, out)
	n := 0
	for i := range w.fleet.servers {
		n += len(w.fleet.servers[i].ruled)
	}
	w.undone += max(0, n-w.ruled)
	w.ruled = n
	return out
}

// Crowds with packing, costs and faults: every invariant holds, memory never runs out once it has
// been measured, all jobs end, and pairs are kept and undone.
func TestPackedCrowds(t *testing.T) {
	kept, undone := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1821))
		var jobs []sim.Job
		at := 0.0
		for range 40 {
			at += r.ExpFloat64() * 3
			j := fat(job(at, int32(1+r.IntN(3)), 5+60*r.Float64()), int32(1+r.IntN(10)), r.Float64())
			j.Model = string(rune('a' + r.IntN(4)))
			jobs = append(jobs, j)
		}
		var table [4][4]float64
		for i := range table {
			for k := range table[i] {
				table[i][k] = 0.3 + 0.7*r.Float64()
			}
		}
		cfg := packed(t, company{func(m, o string) float64 { return table[m[0]-'a'][o[0]-'a'] }}, 12, [3]int{1, 3, 2},
			jobs...)
		if seed%2 == 1 {
			cfg.Costs = sim.Costs{Checkpoint: sim.Cost{FixedS: 1}, Restore: sim.Cost{FixedS: 0.5},
				Migrate: sim.Cost{FixedS: 1}}
		}
		if seed%3 == 1 {
			cfg.Outages = outage.Schedule{{At: sim.Seconds(30), Machine: 1, GPU: -1},
				{At: sim.Seconds(45), Machine: 1, GPU: -1, Up: true}, {At: sim.Seconds(70), Machine: 0, GPU: 1},
				{At: sim.Seconds(80), Machine: 0, GPU: 1, Up: true}}.Source()
		}
		p := policy(t, New, "quantum=6,packing=true")().(*Policy)
		w := &tally{Policy: p}
		e, err := sim.Run(context.Background(), cfg, w)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for j := range jobs {
			if x := e.Record(sim.JobID(j)); x.State != sim.Done || x.OutOfMemory > 0 {
				t.Errorf("seed %d: job %d is %v, %d times out of memory", seed, j, x.State, x.OutOfMemory)
			}
			if p.pals[j].friend != sim.NoJob {
				kept++
			}
		}
		undone += w.undone
	}
	if kept < 100 || undone < 50 {
		t.Errorf("%d friends, %d trials undone: too few to tell", kept, undone)
	}
}
