package iadeep

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

const gib = 1024

// peaked is a law of sharing: a job keeps 1/(1 + n/4) beside n others, twice the loss where one is
// of the model "heavy", and is fastest at 1.25 times its batch.
type peaked struct{}

func (peaked) Speed(q *sim.Query) (sim.Speed, error) {
	loss := 0.0
	for _, p := range q.Peers {
		loss += 0.25
		if p.Job.Model == "heavy" {
			loss += 0.25
		}
	}
	return sim.Speed{Rate: float64(len(q.GPUs)) * (1 - (q.Batch-1.25)*(q.Batch-1.25)) / (1 + loss), ComputeFrac: 1}, nil
}

// pieces keeps every allocation, those between two changes of its knobs too.
type pieces struct {
	simtest.Tape
	all []sim.Interval
}

func (s *pieces) Interval(i *sim.Interval) {
	c := *i
	c.GPUs = slices.Clone(i.GPUs)
	s.all = append(s.all, c)
}

// of gives the allocations of a job.
func (s *pieces) of(j sim.JobID) (out []sim.Interval) {
	for _, i := range s.all {
		if i.Job == j {
			out = append(out, i)
		}
	}
	return out
}

// play runs a policy on one rack of machines whose GPUs have 24 GiB, with every invariant checked.
func play(t *testing.T, p sim.Policy, jobs []sim.Job, machines, gpus int) (*pieces, *sim.Engine) {
	t.Helper()
	w, top := simtest.OneRack(t, jobs, machines, gpus, 24*gib)
	var got pieces
	a := simtest.NewAudit(w, top)
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: peaked{}, Check: true}, p,
		&got, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(e); err != nil {
		t.Fatal(err)
	}
	for j := range jobs {
		if r := e.Record(sim.JobID(j)); r.State != sim.Done || r.OutOfMemory > 0 {
			t.Fatalf("job %d is %v, %d times out of memory", j, r.State, r.OutOfMemory)
		}
	}
	return &got, e
}

func job(submit, work sim.Time, gib32 int32, model string) sim.Job {
	return sim.Job{GPUs: 1, Submit: submit * sim.Second, Work: work * sim.Second, GPUMiB: gib32 * gib, Model: model,
		BatchSize: 64}
}

// Two tasks share a GPU: after a trial with their own batches both are tuned, and end nearer to the
// best, 1.25 times their own, than they came. The third waits until then, though there is memory
// for it; when it has come only it is tuned.
func TestTuning(t *testing.T) {
	p := policy(t, "trial=1")().(*Policy)
	got, _ := play(t, p, []sim.Job{job(0, 400, 4, "a"), job(1, 400, 4, "b"), job(4, 300, 4, "c")}, 1, 1)
	second, third := got.of(1), got.of(2)
	if first := second[0]; first.Start != sim.Second || first.End != 2*sim.Second || first.Batch != 1 ||
		first.ShareMilli != 500 {
		t.Errorf("the first trial is %+v", first)
	}
	opened := third[0].Start
	if opened < 7*sim.Second || opened > 60*sim.Second || third[0].ShareMilli != 333 {
		t.Errorf("the third job starts at %v with share %d", opened, third[0].ShareMilli)
	}
	for j := range sim.JobID(2) {
		for _, i := range got.of(j) {
			if i.Start >= opened && math.Abs(i.Batch-1.25) >= 0.25 {
				t.Errorf("job %d has batch %v after it was tuned", j, i.Batch)
			}
		}
	}
	if last := third[len(third)-1]; math.Abs(last.Batch-1.25) > 0.15 {
		t.Errorf("the third job ends with batch %v", last.Batch)
	}
	if p.table.Len() != 2 {
		t.Errorf("%d measurements, expected one for each set", p.table.Len())
	}
	// Two tasks at 1/1.25 of their speed lose 0.25 each: batch 1 has the same loss alone.
	if pd := p.table.Predict([]string{"b", "a"}); math.Abs(pd-0.5) > 1e-9 {
		t.Errorf("degradation of two is %v, expected 0.5", pd)
	}
}

// Of two GPUs the one with less measured degradation is taken, though it is the second.
func TestLeastDegradation(t *testing.T) {
	p := policy(t, "tune=false,trial=1")().(*Policy)
	p.table.Note([]string{"heavy", "c"}, 0.9)
	p.table.Note([]string{"light", "c"}, 0.2)
	got, _ := play(t, p, []sim.Job{job(0, 100, 4, "heavy"), job(0, 100, 4, "light"), job(5, 10, 4, "c")}, 1, 2)
	if g := got.of(2)[0].GPUs; !slices.Equal(g, []cluster.GPU{1}) {
		t.Errorf("job 2 is on %v, expected the GPU of the light job", g)
	}
	if pd := p.table.Predict([]string{"light", "c"}); math.Abs(pd-(0.2+0.5)/2) > 1e-9 {
		t.Errorf("the set has %v after another measurement, expected the mean of 0.2 and 0.5", pd)
	}
}

// Idle GPUs come first, whatever the table states; what has no memory waits.
func TestIdleFirstAndMemory(t *testing.T) {
	got, _ := play(t, policy(t, "tune=false,trial=1")(), []sim.Job{job(0, 50, 20, "a"), job(1, 30, 20, "a"),
		job(2, 10, 20, "a"), job(3, 10, 3, "a")}, 1, 2)
	if i := got.of(1)[0]; i.GPUs[0] != 1 || i.ShareMilli != 1000 {
		t.Errorf("job 1 is on %v with %d", i.GPUs, i.ShareMilli)
	}
	if i := got.of(2)[0]; i.Start < 30*sim.Second {
		t.Errorf("job 2 starts at %v, though no GPU has 20 GiB", i.Start)
	}
	if i := got.of(3)[0]; i.Start != 3*sim.Second || i.ShareMilli != 500 {
		t.Errorf("job 3 starts at %v with %d", i.Start, i.ShareMilli)
	}
}

// A task that ends while its batch is tuned gives the tuning up: the other has the best batch so
// far, and the GPU is open.
func TestTuningIsGivenUp(t *testing.T) {
	p := policy(t, "trial=2")().(*Policy)
	got, _ := play(t, p, []sim.Job{job(0, 200, 4, "a"), job(1, 6, 4, "b"), job(9, 5, 4, "c")}, 1, 1)
	if i := got.of(2)[0]; i.Start > 12*sim.Second {
		t.Errorf("the GPU is open at %v", i.Start)
	}
	for g, n := range p.closed {
		if n != 0 {
			t.Errorf("GPU %d is closed %d times at the end", g, n)
		}
	}
	if len(p.tunings) != 0 {
		t.Errorf("%d tunings are left", len(p.tunings))
	}
}

// drawn are jobs for GPUs of 24 GiB, of which few fit together.
func drawn(seed uint64) []sim.Job {
	r := rng.Source{Seed: seed}.Stream("drawn")
	js := make([]sim.Job, 15+r.IntN(25))
	at := sim.Time(0)
	for i := range js {
		at += sim.Time(r.IntN(6)) * sim.Second
		js[i] = sim.Job{Submit: at, GPUs: int32(1 + r.IntN(3)*r.IntN(2)), Work: sim.Time(1+r.IntN(90)) * sim.Second,
			GPUMiB: int32(1 + r.IntN(16*gib)), Model: []string{"a", "b", "heavy"}[r.IntN(3)],
			BatchSize: int32(8 << r.IntN(5)), GPUUtilFrac: 0.2 + 0.6*r.Float64()}
	}
	return js
}

// Memory is never exceeded, all jobs end, no GPU stays closed, and tuning makes jobs faster under
// this law.
func TestDrawn(t *testing.T) {
	tuned, untuned, shared := 0.0, 0.0, 0
	for seed := range uint64(40) {
		p := policy(t, "trial=0.5")().(*Policy)
		got, e := play(t, p, drawn(seed), 2, 3)
		for _, n := range p.closed {
			if n != 0 {
				t.Fatalf("seed %d: a GPU is closed at the end", seed)
			}
		}
		for _, i := range got.all {
			if i.ShareMilli < 1000 {
				shared++
			}
		}
		_, u := play(t, policy(t, "trial=0.5,tune=false")(), drawn(seed), 2, 3)
		for j, x := range drawn(seed) {
			tuned += (e.Record(sim.JobID(j)).End - x.Submit).Seconds()
			untuned += (u.Record(sim.JobID(j)).End - x.Submit).Seconds()
		}
	}
	if shared < 2000 {
		t.Errorf("%d pieces of allocations on shared GPUs", shared)
	}
	if tuned > 1.1*untuned {
		t.Errorf("times add up to %v with tuning and %v without", tuned, untuned)
	}
}

// With one job per GPU it is the queue in order of arrival that passes over what does not fit.
func TestAloneItIsFIFO(t *testing.T) {
	for seed := range uint64(30) {
		fifo, err := queueing.NewFitFirst(param.Parse("policy", ""), cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := play(t, fifo, drawn(seed), 3, 4)
		got, _ := play(t, policy(t, "most=1")(), drawn(seed), 3, 4)
		if a, b := fmt.Sprintf("%+v", got.all), fmt.Sprintf("%+v", want.all); a != b {
			t.Fatalf("seed %d:\n%s\n%s", seed, a, b)
		}
	}
}
