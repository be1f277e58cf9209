package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// stalls is the batch at which stalling gives rate 0.
const stalls = 3

// stalling is counting but for jobs with one batch, which stand still.
type stalling struct{ counting }

func (s stalling) Speed(q *Query) (Speed, error) {
	if q.Batch == stalls {
		return Speed{ComputeFrac: 1}, nil
	}
	return s.counting.Speed(q)
}

// takeFree takes n free GPUs at random, ascending; nil when there are too few.
func takeFree(v *View, r *rand.Rand, n int) (gpus []cluster.GPU) {
	for _, g := range r.Perm(v.Topology().GPUs()) {
		if len(gpus) < n && v.Free().Has(cluster.GPU(g)) {
			gpus = append(gpus, cluster.GPU(g))
		}
	}
	if len(gpus) < n {
		return nil
	}
	for _, g := range gpus {
		v.Free().Take(g)
	}
	slices.Sort(gpus)
	return gpus
}

// whim decides for one job, at random: any kind of change that the kernel has.
func whim(v *View, r *rand.Rand, j JobID, out []Decision) []Decision {
	lease := Time(r.IntN(3)*(1+r.IntN(6))) * Second
	lo, hi := v.Job(j).Range()
	switch s := v.Run(j).State(); {
	case s == Waiting && r.IntN(60) == 0:
		out = append(out, Decision{Kind: Reject, Job: j})
	case s == Waiting && r.IntN(2) == 0:
		if gpus := takeFree(v, r, min(hi, max(lo, 1<<r.IntN(3)))); gpus != nil {
			out = append(out, Decision{Kind: Start, Job: j, GPUs: gpus, Lease: lease,
				Knobs: Knobs{Delay: Time(r.IntN(4)/3) * Second}})
		}
	case s != Running:
	case r.IntN(12) == 0:
		out = append(out, Decision{Kind: Preempt, Job: j})
	case r.IntN(12) == 0:
		if gpus := takeFree(v, r, len(v.Run(j).Held())); gpus != nil {
			out = append(out, Decision{Kind: Migrate, Job: j, GPUs: gpus, Lease: lease})
		}
	case r.IntN(12) == 0 && hi > lo:
		if gpus := takeFree(v, r, max(lo, 1<<r.IntN(3))); gpus != nil {
			out = append(out, Decision{Kind: Resize, Job: j, GPUs: gpus, Lease: lease})
		}
	case r.IntN(12) == 0:
		out = append(out, Decision{Kind: Renew, Job: j, Lease: lease})
	case r.IntN(12) == 0:
		out = append(out, Decision{Kind: Tune, Job: j, Knobs: Knobs{FreqFrac: []float64{0, .5, 1}[r.IntN(3)],
			Batch: []float64{0, 1, stalls}[r.IntN(3)]}})
		if v.Job(j).Public().ShareMilli == 0 { // one copy on one machine is a gang
			out[len(out)-1].CopyFrac = float64(j%3) / 2
		}
	case v.Run(j).Speed().Rate == 0 && r.IntN(2) == 0:
		out = append(out, Decision{Kind: Tune, Job: j, Knobs: Knobs{Batch: 1}})
	case r.IntN(8) == 0 && v.Run(j).Time()%Second == 0:
		out = append(out, Decision{Kind: Watch, Job: j, Counter: RunTime, Bound: v.Run(j).Time() +
			Time(1+r.IntN(5))*Second})
	case r.IntN(8) == 0 && v.Run(j).Service()%Second == 0:
		out = append(out, Decision{Kind: Watch, Job: j, Counter: Service, Bound: v.Run(j).Service() +
			Time(1+r.IntN(9))*Second})
	}
	return out
}

// exchange lets two jobs that run take each other's GPUs: both whole and of the same size, or
// elastic.
func exchange(v *View, r *rand.Rand, out []Decision) []Decision {
	run := v.Running()
	if len(run) < 2 || r.IntN(4) > 0 {
		return out
	}
	a, b := run[r.IntN(len(run))], run[r.IntN(len(run))]
	for i := range out { // one decision for one job
		if out[i].Job == a || out[i].Job == b {
			return out
		}
	}
	kind := Migrate
	if len(v.Run(a).Held()) != len(v.Run(b).Held()) {
		kind = Resize
	}
	for _, x := range [][2]JobID{{a, b}, {b, a}} {
		if lo, hi := v.Job(x[0]).Range(); a == b || v.Job(x[0]).Public().ShareMilli > 0 || len(v.Run(x[1]).Held()) < lo ||
			len(v.Run(x[1]).Held()) > hi || len(v.Run(x[1]).Held())%v.Job(x[0]).WorkerGPUs() != 0 {
			return out
		}
	}
	lease := Time(r.IntN(9)) * Second
	return append(out, Decision{Kind: Lift, Job: a}, Decision{Kind: Lift, Job: b},
		Decision{Kind: kind, Job: b, GPUs: v.Run(a).Held(), Lease: lease},
		Decision{Kind: kind, Job: a, GPUs: v.Run(b).Held(), Lease: lease / 2})
}

// drawTwin is a case in which all times are multiples of a tick: GPUs in powers of two, elastic
// jobs and parts of a GPU, costs and checkpoints in whole seconds, faults in halves.
func drawTwin(t *testing.T, r *rand.Rand) (Config, Schedule) {
	js := make([]Job, 8)
	for i := range js {
		g := int32(1) << r.IntN(3)
		js[i] = Job{GPUs: g, Work: Time(1+r.IntN(60)) * Second, Submit: Time(r.IntN(20)) * Second}
		switch r.IntN(4) {
		case 0:
			js[i].MinGPUs, js[i].MaxGPUs = 1, 4
			js[i].WorkerGPUs = min(g, int32(i%2+1)) // draws nothing
		case 1:
			js[i].GPUs, js[i].ShareMilli = 1, 500
		}
	}
	cost := func() Cost { return Cost{FixedS: float64(r.IntN(3)), PerGPUS: float64(r.IntN(2))} }
	cfg := Config{Workload: jobs(t, js...), Topology: topology(t, 1, 1, 8, 2), Speed: stalling{}, Check: true}
	if r.IntN(4) > 0 {
		cfg.Costs = Costs{Start: cost(), Checkpoint: cost(), Restore: cost(), Migrate: cost(), Rescale: cost(),
			Renew: cost()}
	}
	cfg.Costs.CheckpointEveryS = float64(r.IntN(4))
	cfg.Costs.Kill = r.IntN(3) == 0
	var faults Schedule
	for at := Second / 2; at < 60*Second; at += Time(3+r.IntN(20)) * Second / 2 {
		faults = append(faults, Outage{At: at, GPU: int32(r.IntN(8))})
	}
	for _, f := range faults {
		f.Up, f.At = true, f.At+Time(1+r.IntN(9))*Second/2
		faults = append(faults, f)
	}
	slices.SortStableFunc(faults, func(a, b Outage) int { return int(a.At - b.At) })
	cfg.Outages = faults.Source()
	return cfg, faults
}

// The kernel does what its twin does, at every instant and for every job, under random decisions of
// every kind with costs, leases, watches, elastic jobs, parts of GPUs, periodic checkpoints and
// faults in the middle of all of it.
func TestKernelIsItsTwin(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(150) {
		where := fmt.Sprintf("seed %d", seed)
		r := rand.New(rand.NewPCG(seed, 77))
		cfg, faults := drawTwin(t, r)
		x := newTwin(cfg.Workload, cfg.Costs, faults)
		p := script{know: know.Work, f: func(v *View, out []Decision) []Decision {
			for x.now < v.Now() {
				if x.step(); x.now < v.Now() && len(x.said) > 0 {
					t.Fatalf("%s: the twin says %v at %v, the kernel nothing before %v", where, x.said, x.now, v.Now())
				}
			}
			x.compare(t, v, where)
			for _, ev := range v.Events() {
				seen[ev.Kind.String()]++
			}
			if v.Now()%Second == 0 {
				for j := range JobID(v.NumJobs()) {
					out = whim(v, r, j, out)
				}
				out = exchange(v, r, out)
			}
			for i := range out {
				x.do(&out[i])
				seen[out[i].Kind.String()]++
			}
			return append(out, Decision{Kind: WakeAt, At: (v.Now()/Second + 1) * Second})
		}}
		e, err := Run(context.Background(), cfg, p)
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		x.closed(t, e, where)
	}
	for _, k := range []string{"start", "preempt", "migrate", "resize", "renew", "watch", "lift", "tune", "reject",
		"finish", "drained", "expire", "cross", "fail"} {
		if seen[k] < 100 {
			t.Errorf("only %d of %q: the cases are too easy", seen[k], k)
		}
	}
}
