package trial

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"tarry/output/results"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/outage"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// restless starts the jobs that wait, in the order of their numbers, and preempts one that runs
// every 50 s.
type restless struct {
	tick sim.Time
}

func (*restless) Knows() know.Set { return 0 }

func (p *restless) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	if v.Now() >= p.tick {
		if n := len(v.Running()); n > 0 {
			out = append(out, sim.Decision{Kind: sim.Preempt, Job: v.Running()[int(p.tick/sim.Second)%n]})
		}
		p.tick = v.Now() + 50*sim.Second
		out = append(out, sim.Decision{Kind: sim.WakeAt, Key: 1, At: p.tick})
	}
	for id := range sim.JobID(v.NumJobs()) {
		if v.Run(id).State() != sim.Waiting {
			continue
		}
		gpus, ok := v.Free().At(nil, v.Job(id).GPUs(), cluster.LevelCluster, cluster.BestFit)
		if !ok {
			continue
		}
		for _, g := range gpus {
			v.Free().Take(g)
		}
		out = append(out, sim.Decision{Kind: sim.Start, Job: id, GPUs: gpus})
	}
	return out
}

// troubled is a trial with faults, preemptions, checkpoints and restores.
func troubled(t *testing.T) Trial {
	t.Helper()
	tr := newTrial(many(t, 60), topology(t, 2, 2, 4), 0)
	draws := rng.Source{Seed: 3}.Stream("outages")
	var faults outage.Schedule
	for at := sim.Time(0); at < 40000*sim.Second; at += sim.Time(20+draws.IntN(100)) * sim.Second {
		m := int32(draws.IntN(4))
		faults = append(faults, sim.Outage{At: at, Machine: m, GPU: -1},
			sim.Outage{At: at + 7*sim.Second, Machine: m, GPU: -1, Up: true})
		at += 7 * sim.Second
	}
	tr.Outages = faults.Source()
	tr.Costs = sim.Costs{Start: sim.Cost{FixedS: 1.5}, Restore: sim.Cost{FixedS: 3.25},
		Checkpoint: sim.Cost{FixedS: 2, PerGPUS: 0.125}, CheckpointEveryS: 45}
	tr.Policy = func() (sim.Policy, error) { return &restless{}, nil }
	return tr
}

// jobsOf runs a trial and gives its rows of the table jobs.
func jobsOf(t *testing.T, tr Trial) (results.Summary, []results.Job) {
	t.Helper()
	dir := t.TempDir()
	out, err := Run(context.Background(), []Trial{tr}, Options{Out: dir, Version: "v"})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := results.ReadDir[results.Job](context.Background(), filepath.Join(dir, "jobs"))
	if err != nil {
		t.Fatal(err)
	}
	return out[0].Row.Summary, rows
}

func microseconds(s float64) int64 { return int64(math.Round(1e6 * s)) }

// TestTimeAddsUp: queue + run + overhead = completion time in every microsecond, with faults,
// preemptions, checkpoints and restores, and what was lost is what the job did beyond its work.
func TestTimeAddsUp(t *testing.T) {
	tr := troubled(t)
	sum, rows := jobsOf(t, tr)
	var faults, preemptions, withBoth int64
	for i, r := range rows {
		if r.Outcome != "finished" {
			t.Fatalf("job %s is %s, expected a workload that finishes", r.ID, r.Outcome)
		}
		if got, want := microseconds(r.Queue)+microseconds(r.Run)+microseconds(r.Overhead),
			microseconds(r.JCT); got != want {
			t.Errorf("job %s: queue %v + run %v + overhead %v = %d us, completion time %d us", r.ID, r.Queue, r.Run,
				r.Overhead, got, want)
		}
		if got, want := microseconds(r.Compute)+microseconds(r.Comm), microseconds(r.Run); got != want {
			t.Errorf("job %s: compute %v + comm %v = %d us, run %d us", r.ID, r.Compute, r.Comm, got, want)
		}
		if r.Lost < 0 || r.Lost > r.Run || (r.Lost > 0) && r.Faults == 0 {
			t.Errorf("job %s lost %v of %v with %d faults", r.ID, r.Lost, r.Run, r.Faults)
		}
		j := &tr.Workload.Jobs[i] // at 0.9 of a GPU's rate on each of its GPUs
		near(t, fmt.Sprintf("work kept by job %s", r.ID), (r.Run-r.Lost)*0.9*float64(j.GPUs), j.Work.Seconds())
		faults, preemptions = faults+r.Faults, preemptions+r.Preemptions
		if r.Lost > 0 && r.Preemptions > 0 && r.Overhead > 0 {
			withBoth++
		}
	}
	if withBoth < 5 {
		t.Errorf("%d faults and %d preemptions, but %d jobs with lost work, preemptions and overhead: the case is "+
			"too easy", faults, preemptions, withBoth)
	}
	near(t, "sum of the means", sum.QueueMean+sum.RunMean+sum.OverheadMean, sum.JCTMean)
	if sum.Faults != faults || sum.LostMean <= 0 {
		t.Errorf("the trial has %d faults and lost %v s per job, its jobs %d faults", sum.Faults, sum.LostMean, faults)
	}
}

// TestOutcomes: one machine of 8 GPUs until 100 s. Job big needs 16 and is refused, late comes
// after the end, long does not finish, short does.
func TestOutcomes(t *testing.T) {
	w := workload(t, sim.Job{ID: "long", GPUs: 4, Work: 4000 * sim.Second},
		sim.Job{ID: "short", Submit: sim.Second, GPUs: 1, Work: 9 * sim.Second},
		sim.Job{ID: "big", Submit: 2 * sim.Second, GPUs: 16, Work: sim.Second},
		sim.Job{ID: "late", Submit: 500 * sim.Second, GPUs: 1, Work: sim.Second})
	tr := newTrial(w, topology(t, 1, 1, 8), 0)
	tr.Until = 100 * sim.Second
	sum, rows := jobsOf(t, tr)
	if sum.Jobs != 4 || sum.Finished != 1 || sum.Unfinished != 2 || sum.Refused != 1 || sum.Rejected != 0 {
		t.Errorf("counts are %d = %d finished + %d unfinished + %d refused + %d rejected, expected 4 = 1 + 2 + 1 + 0",
			sum.Jobs, sum.Finished, sum.Unfinished, sum.Refused, sum.Rejected)
	}
	if sum.FinishedSet == "" {
		t.Error("no hash of the finished jobs where not all finished")
	}
	want := map[string]struct {
		outcome      string
		queued, done bool
	}{"long": {"unfinished", true, false}, "short": {"finished", true, true},
		"big": {"refused", false, false}, "late": {"unfinished", false, false}}
	for _, r := range rows {
		w := want[r.ID]
		if r.Outcome != w.outcome {
			t.Errorf("job %s is %q, expected %q", r.ID, r.Outcome, w.outcome)
		}
		for name, v := range map[string]float64{"queue": r.Queue, "run": r.Run, "compute": r.Compute, "comm": r.Comm,
			"overhead": r.Overhead, "lost": r.Lost} {
			if math.IsNaN(v) == w.queued {
				t.Errorf("job %s, which was in the cluster: %v, has %s %v", r.ID, w.queued, name, v)
			}
		}
		for name, v := range map[string]float64{"end": r.End, "jct": r.JCT, "slowdown": r.Slowdown} {
			if math.IsNaN(v) == w.done {
				t.Errorf("job %s, which is done: %v, has %s %v", r.ID, w.done, name, v)
			}
		}
	}
}

// choosy rejects some jobs at given times and starts the others as GPUs become free.
type choosy struct{ not map[sim.JobID]sim.Time }

func (*choosy) Knows() know.Set { return know.Nothing }

func (p *choosy) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for j := range sim.JobID(v.NumJobs()) {
		at, not := p.not[j]
		switch {
		case v.Run(j).State() == sim.Running && not && v.Now() == at:
			out = append(out, sim.Decision{Kind: sim.Preempt, Job: j}, sim.Decision{Kind: sim.Reject, Job: j})
		case v.Run(j).State() != sim.Waiting:
		case not && v.Now() == at:
			out = append(out, sim.Decision{Kind: sim.Reject, Job: j})
		default:
			if gpus, ok := v.Free().At(nil, v.Job(j).GPUs(), cluster.LevelCluster, cluster.BestFit); ok {
				v.Free().TakeAll(gpus)
				out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
			}
		}
	}
	return out
}

// TestRejected: of five jobs on 8 GPUs one is turned away when it comes, one after 3 s in the
// queue, and one that runs is given up at 6 s. Each counts once, in Little's law too, which every
// trial checks.
func TestRejected(t *testing.T) {
	job := func(id string, gpus int32, submit, run sim.Time) sim.Job {
		return sim.Job{ID: id, GPUs: gpus, Submit: submit * sim.Second, Work: sim.Time(gpus) * run * sim.Second}
	}
	w := workload(t, job("done", 4, 0, 3), job("gives-up", 4, 0, 100), job("no", 8, 0, 5), job("waits", 8, 0, 5),
		job("tick", 1, 3, 3))
	tr := newTrial(w, topology(t, 1, 1, 8), 0)
	tr.Speed = func() (sim.SpeedModel, error) { return simtest.Counting{}, nil }
	tr.Policy = func() (sim.Policy, error) {
		return &choosy{map[sim.JobID]sim.Time{1: 6 * sim.Second, 2: 0, 3: 3 * sim.Second}}, nil
	}
	sum, rows := jobsOf(t, tr)
	if sum.Jobs != 5 || sum.Finished != 2 || sum.Unfinished != 0 || sum.Refused != 0 || sum.Rejected != 3 ||
		sum.Makespan != 6 || sum.FinishedSet == "" {
		t.Errorf("counts are %d = %d finished + %d unfinished + %d refused + %d rejected until %v, expected 5 = 2 + "+
			"0 + 0 + 3 until 6", sum.Jobs, sum.Finished, sum.Unfinished, sum.Refused, sum.Rejected, sum.Makespan)
	}
	near(t, "use", sum.GPUUtil, (4*3+4*6+3)/48.)
	for _, r := range rows {
		want := map[string]string{"done": "finished 0 3 3", "tick": "finished 0 3 3", "gives-up": "rejected 0 6 NaN",
			"no": "rejected 0 0 NaN", "waits": "rejected 3 0 NaN"}[r.ID]
		if got := fmt.Sprint(r.Outcome, " ", r.Queue, " ", r.Run, " ", r.JCT); got != want {
			t.Errorf("job %s is %s, expected %s", r.ID, got, want)
		}
	}
}

// A workload of which nothing runs has no zeros that could be taken for measurements.
func TestNothingRan(t *testing.T) {
	tr := newTrial(workload(t, sim.Job{ID: "big", GPUs: 16, Work: sim.Second}), topology(t, 1, 1, 8), 0)
	out, err := Run(context.Background(), []Trial{tr}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &out[0].Row.Summary
	for name, v := range map[string]float64{"jct": s.JCTMean, "queue": s.QueueMean, "queue p99": s.QueueP99,
		"run": s.RunMean, "overhead": s.OverheadMean, "lost": s.LostMean,
		"slowdown": s.SlowdownMean, "makespan": s.Makespan, "comm": s.CommMean, "comm frac": s.CommFrac,
		"util": s.GPUUtil, "fairness": s.Fairness} {
		if !math.IsNaN(v) {
			t.Errorf("%s is %v, expected NaN", name, v)
		}
	}
}

// Which jobs finished decides whether two means can be compared.
func TestFinishedSets(t *testing.T) {
	run := func(until sim.Time, first int32) results.Summary {
		w := workload(t, sim.Job{ID: "a", GPUs: first, Work: 90 * sim.Second},
			sim.Job{ID: "b", Submit: 1, GPUs: 8, Work: 800 * sim.Second})
		tr := newTrial(w, topology(t, 1, 1, 8), 0)
		tr.Until = until
		out, err := Run(context.Background(), []Trial{tr}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return out[0].Row.Summary
	}
	all, again, one := run(0, 1), run(0, 2), run(110*sim.Second, 1)
	if all.FinishedSet != "" || !all.SameJobs(&again) || all.SameJobs(&one) || one.SameJobs(&again) {
		t.Errorf("sets %q (%d), %q (%d) and %q (%d)", all.FinishedSet, all.Finished, again.FinishedSet, again.Finished,
			one.FinishedSet, one.Finished)
	}
	other := run(50*sim.Second, 8)
	if one.Finished == 1 && other.Finished == 1 && one.FinishedSet != other.FinishedSet {
		t.Error("the same job finished, the hashes differ")
	}
}

// TestOldResultsAreRunAgain: a folder of an earlier version, without outcomes, does not count as
// whole.
func TestOldResultsAreRunAgain(t *testing.T) {
	dir := t.TempDir()
	tr := newTrial(many(t, 5), topology(t, 1, 1, 8), 0)
	opt := Options{Out: dir, Version: "v"}
	first, err := Run(context.Background(), []Trial{tr}, opt)
	if err != nil {
		t.Fatal(err)
	}
	row := first[0].Row
	row.Finished = -1
	s := newStore(context.Background(), Options{Out: dir, Version: "v"}, &tr)
	if err := os.Remove(s.target("trials").Path); err != nil {
		t.Fatal(err)
	}
	if err := results.Write(context.Background(), s.target("trials"), []results.Trial{row}); err != nil {
		t.Fatal(err)
	}
	hive := results.Partition{{Key: "policy", Value: tr.Keys.Policy}, {Key: "replicate", Value: "0"}}
	if err := results.Write(context.Background(), hive.Target(dir, "trials", results.Meta{}),
		[]results.Trial{row}); err != nil {
		t.Fatal(err)
	}
	again, err := Run(context.Background(), []Trial{tr}, opt)
	if err != nil || again[0].Reused || again[0].Row.Finished != 5 {
		t.Errorf("reused %v, %d finished, %v", again[0].Reused, again[0].Row.Finished, err)
	}
	if rows, err := results.ReadDir[results.Trial](context.Background(), filepath.Join(dir, "trials")); err != nil ||
		len(rows) != 1 {
		t.Errorf("%d rows of one trial: that of the earlier version is still there; %v", len(rows), err)
	}
	if _, err := os.Stat(filepath.Join(dir, "trials", "policy=fifo:a%3D1")); !os.IsNotExist(err) {
		t.Errorf("the folder of the earlier version is still there: %v", err)
	}
}
