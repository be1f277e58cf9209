package schedtune

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

const gib = 1024

// halves is a law of sharing: beside n others a job keeps 1/(1 + n/4) of its speed, whatever its
// share.
type halves struct{}

func (halves) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(len(q.GPUs)) / (1 + float64(len(q.Peers))/4), ComputeFrac: 1}, nil
}

// shares writes down every allocation with the share of it.
type shares struct {
	simtest.Tape
	lines []string
}

func (s *shares) Interval(i *sim.Interval) {
	s.lines = append(s.lines, fmt.Sprintf("%d on %v %d: %v-%v %v", i.Job, i.GPUs, i.ShareMilli, i.Start, i.End,
		i.Reason))
}

// play runs a policy on one rack of machines whose GPUs have 24 GiB, with every invariant checked.
func play(t *testing.T, p sim.Policy, jobs []sim.Job, machines, gpus int) ([]string, *sim.Engine) {
	t.Helper()
	w, top := simtest.OneRack(t, jobs, machines, gpus, 24*gib)
	var tape shares
	a := simtest.NewAudit(w, top)
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: halves{},
		Costs: sim.Costs{OutOfMemory: sim.Cost{FixedS: 5}}, Check: true}, p, &tape, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(e); err != nil {
		t.Fatal(err)
	}
	return tape.lines, e
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// Two jobs of 10 GiB share the GPU at 0.8 of their speed; the third has no memory until one of them
// has ended.
func TestMemoryDecides(t *testing.T) {
	got, e := play(t, policy(t, "")(), []sim.Job{job(0, 8, 10), job(0, 16, 10), job(0, 8, 10)}, 1, 1)
	// Job 1 joins a microsecond after job 0. Both run at 0.8 until 10 s; 1 has 8 s left then, and a
	// microsecond when 2 has ended.
	same(t, got, "0 on [0] 1000: 0s-1e-06s tune", "0 on [0] 500: 1e-06s-10s finish", "2 on [0] 500: 10s-20s finish",
		"1 on [0] 500: 1e-06s-20s tune", "1 on [0] 1000: 20s-20.000001s finish")
	if n := outs(e, 3); n != 0 {
		t.Errorf("%d times out of memory", n)
	}
}

// Without a look at memory the third job joins the two, runs out, holds its share for 5 s, and is
// back 10 s later; there is still no room.
func TestRunningOut(t *testing.T) {
	got, e := play(t, policy(t, "avoid=false,most=4")(), []sim.Job{job(0, 8, 10), job(0, 40, 10), job(1, 8, 10)}, 1, 1)
	if n := outs(e, 3); n != 1 {
		t.Errorf("%d times out of memory, expected 1: %q", n, got)
	}
	if e.Record(2).OutOfMemory != 1 {
		t.Errorf("job 2 ran out of memory %d times", e.Record(2).OutOfMemory)
	}
}

// Of two GPUs with the same interference the GPU whose memory is then used most is taken.
func TestBestFitOnMemory(t *testing.T) {
	got, _ := play(t, policy(t, "")(), []sim.Job{job(0, 100, 4), job(1, 100, 12), job(2, 1, 8)}, 1, 2)
	if !slices.ContainsFunc(got, func(l string) bool { return strings.HasPrefix(l, "2 on [1] 500: 2s") }) {
		t.Errorf("job 2 is not beside the job of 12 GiB: %q", got)
	}
}

// With most=4 up to four jobs are on one GPU.
func TestManyWays(t *testing.T) {
	got, _ := play(t, policy(t, "margin=0,most=4")(), []sim.Job{job(0, 50, 6), job(1, 50, 6), job(2, 50, 6),
		job(3, 1, 6), job(4, 1, 6)}, 1, 1)
	if !slices.ContainsFunc(got, func(l string) bool { return strings.HasPrefix(l, "3 on [0] 250: 3s") }) {
		t.Errorf("job 3 is not the fourth on the GPU: %q", got)
	}
	// 1 s of work at 4/7 from 3 s
	if !slices.ContainsFunc(got, func(l string) bool { return strings.HasPrefix(l, "4 on [0] 250: 4.75") }) {
		t.Errorf("job 4 does not follow job 3: %q", got)
	}
}

func job(submit, work sim.Time, gib32 int32) sim.Job {
	return sim.Job{GPUs: 1, Submit: submit * sim.Second, Work: work * sim.Second, GPUMiB: gib32 * gib}
}

// outs counts how often jobs ran out of memory, and fails where one has not ended.
func outs(e *sim.Engine, jobs int) (n int32) {
	for j := range sim.JobID(jobs) {
		r := e.Record(j)
		if r.State != sim.Done {
			panic(fmt.Sprintf("job %d is %v", j, r.State))
		}
		n += r.OutOfMemory
	}
	return n
}

// tight draws jobs for GPUs of 24 GiB, of which two rarely fit together and some need nearly all.
func tight(seed uint64) []sim.Job {
	r := rng.Source{Seed: seed}.Stream("tight")
	js := make([]sim.Job, 20+r.IntN(40))
	at := sim.Time(0)
	for i := range js {
		at += sim.Time(r.IntN(4)) * sim.Second
		js[i] = sim.Job{Submit: at, GPUs: int32(1 + r.IntN(3)*r.IntN(2)), Work: sim.Time(1+r.IntN(60)) * sim.Second,
			GPUMiB: int32(1 + r.IntN(24*gib))}
		if r.IntN(2) == 0 {
			js[i].GPUMiB /= 3
		}
	}
	return js
}

// With exact predictions no job ever runs out of memory, whatever the margin. With errors and no
// margin some do, it is counted, and every job still ends; without a look at memory more do.
func TestOutOfMemory(t *testing.T) {
	seen := map[string]int32{}
	shared := 0
	for seed := range uint64(150) {
		for _, c := range []string{"", "margin=0,most=9", "margin=0,error=0.5", "margin=0.5,error=0.5", "avoid=false"} {
			jobs := tight(seed)
			got, e := play(t, policy(t, c)(), jobs, 2, 3)
			seen[c] += outs(e, len(jobs))
			if c == "" && slices.ContainsFunc(got, func(l string) bool { return strings.Contains(l, " 500: ") }) {
				shared++
			}
		}
	}
	if seen[""] != 0 || seen["margin=0,most=9"] != 0 {
		t.Errorf("exact predictions ran out of memory: %v", seen)
	}
	if seen["margin=0,error=0.5"] < 100 || seen["margin=0.5,error=0.5"] >= seen["margin=0,error=0.5"] ||
		seen["avoid=false"] < 2*seen["margin=0,error=0.5"] {
		t.Errorf("times out of memory: %v", seen)
	}
	if shared < 100 {
		t.Errorf("GPUs were shared in %d of 150 cases: these are too easy", shared)
	}
}

// With one job per GPU it is the queue in order of arrival that passes over what does not fit.
func TestAloneItIsFIFO(t *testing.T) {
	for seed := range uint64(60) {
		jobs := tight(seed)
		for i := range jobs {
			jobs[i].GPUs = int32(1 + (i*7+int(seed))%4)
		}
		fifo, err := queueing.NewFitFirst(param.Parse("policy", ""), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := play(t, fifo, slices.Clone(jobs), 3, 4)
		got, _ := play(t, policy(t, "most=1")(), slices.Clone(jobs), 3, 4)
		same(t, got, want...)
	}
}
