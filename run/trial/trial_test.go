package trial

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tarry/output/results"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
)

// fifo starts jobs in order of arrival wherever they fit; the head of the queue blocks.
type fifo struct{ queue []sim.JobID }

func (*fifo) Knows() know.Set { return know.Nothing }

func (p *fifo) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, e := range v.Events() {
		if e.Kind == sim.Arrive {
			p.queue = append(p.queue, e.Job)
		}
	}
	for len(p.queue) > 0 {
		gpus, ok := v.Free().At(nil, v.Job(p.queue[0]).GPUs(), cluster.LevelCluster, cluster.BestFit)
		if !ok {
			break
		}
		for _, g := range gpus {
			v.Free().Take(g)
		}
		out = append(out, sim.Decision{Kind: sim.Start, Job: p.queue[0], GPUs: gpus})
		p.queue = p.queue[1:]
	}
	return out
}

// flat is a speed model in which a tenth of the time is communication.
type flat struct{}

func (flat) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(len(q.GPUs)) * 0.9, ComputeFrac: 0.9}, nil
}

// ideal has none.
type ideal struct{}

func (ideal) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(len(q.GPUs)), ComputeFrac: 1}, nil
}

func topology(t *testing.T, racks, machines, gpus int) *cluster.Topology {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(racks, machines, gpus, 1))
	if err != nil {
		t.Fatal(err)
	}
	return top
}

func workload(t *testing.T, jobs ...sim.Job) *sim.Workload {
	t.Helper()
	w, err := sim.NewWorkload("test", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// many makes n jobs of 1 to 8 GPUs, one every 10 s.
func many(t *testing.T, n int) *sim.Workload {
	jobs := make([]sim.Job, n)
	for i := range jobs {
		jobs[i] = sim.Job{ID: fmt.Sprint(i), Submit: sim.Time(i) * 10 * sim.Second, GPUs: int32(1 << (i % 4)),
			Work: sim.Time(60+i*37%400) * sim.Second, Model: "m"}
	}
	return workload(t, jobs...)
}

func newTrial(w *sim.Workload, top *cluster.Topology, replicate int64) Trial {
	return Trial{Keys: results.Keys{Policy: "fifo:a=1", Trace: "test", Cluster: "2x2x4", Speed: "flat",
		Placement: "best-fit", Seed: 7, Replicate: replicate},
		Config: fmt.Sprintf(`{"replicate":%d}`, replicate), Workload: w, Topology: top, Check: true,
		Policy: func() (sim.Policy, error) { return &fifo{}, nil },
		Speed:  func() (sim.SpeedModel, error) { return flat{}, nil }}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6*math.Max(1, math.Abs(want)) {
		t.Errorf("%s is %v, expected %v", what, got, want)
	}
}

// TestSummaryByHand: one machine of 4 GPUs. Job a takes all of it for 100 s from 0; b asks for
// 2 at 10 and waits 90 s for 50 s of work; c asks for 8 and can never run.
func TestSummaryByHand(t *testing.T) {
	w := workload(t, sim.Job{ID: "a", GPUs: 4, Work: 400 * sim.Second},
		sim.Job{ID: "b", Submit: 10 * sim.Second, GPUs: 2, Work: 100 * sim.Second},
		sim.Job{ID: "c", Submit: 20 * sim.Second, GPUs: 8, Work: sim.Second})
	tr := newTrial(w, topology(t, 1, 1, 4), 0)
	tr.Speed = func() (sim.SpeedModel, error) { return ideal{}, nil }
	tr.KeepIntervals = true
	out, err := Run(context.Background(), []Trial{tr}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := out[0].Row.Summary
	for _, c := range []struct {
		what      string
		got, want float64
	}{{"jobs", float64(s.Jobs), 3}, {"mean JCT", s.JCTMean, 120}, {"median JCT", s.JCTP50, 120},
		{"p95 JCT", s.JCTP95, 138},
		{"mean queue", s.QueueMean, 45}, {"makespan", s.Makespan, 150}, {"communication", s.CommMean, 0},
		{"communication share", s.CommFrac, 0},
		{"utilisation", s.GPUUtil, 500.0 / 600}, {"mean slowdown", s.SlowdownMean, (1 + 140.0/50) / 2},
		{"preemptions", float64(s.Preemptions), 0},
		{"refused", float64(s.Refused), 1}, {"unfinished", float64(s.Unfinished), 0},
		{"fairness", s.Fairness, (1 + 2.8) * (1 + 2.8) / (2 * (1 + 2.8*2.8))}} {
		near(t, c.what, c.got, c.want)
	}
	if got := fmt.Sprint(out[0].Refused); got != "[{c larger than the cluster of 4 GPUs}]" {
		t.Errorf("refused %q, expected c", got)
	}
	if n := len(out[0].Intervals); n != 2 {
		t.Fatalf("%d intervals, expected 2", n)
	}
	if i := out[0].Intervals[1]; i.Job != "b" || i.Start != 100 || i.End != 150 || i.GPUList != "0-1" || i.Rate != 2 ||
		i.Reason != "finish" {
		t.Errorf("interval of b is %+v", i)
	}
}

func TestUntilLeavesUnfinishedJobs(t *testing.T) {
	tr := newTrial(many(t, 20), topology(t, 1, 1, 8), 0)
	tr.Until = 100 * sim.Second
	out, err := Run(context.Background(), []Trial{tr}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := out[0].Row.Summary; s.Unfinished == 0 || s.Makespan != 100 {
		t.Errorf("unfinished %d, makespan %v, expected some and 100", s.Unfinished, s.Makespan)
	}
}

// hashes gives the SHA-256 of every file below dir by its relative path.
func hashes(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out[rel] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func same(t *testing.T, a, b map[string]string) {
	t.Helper()
	if len(a) != len(b) {
		t.Errorf("%d files and %d files", len(a), len(b))
	}
	for f, h := range a {
		if b[f] != h {
			t.Errorf("%s differs", f)
		}
	}
}

// TestWorkersNeverMoveAByte also runs into a folder where a killed run left half of its files.
func TestWorkersNeverMoveAByte(t *testing.T) {
	var trials []Trial
	for r := range int64(6) {
		trials = append(trials, newTrial(many(t, 40+int(r)), topology(t, 2, 2, 4), r))
	}
	one, eight := t.TempDir(), t.TempDir()
	if _, err := Run(context.Background(), trials, Options{Workers: 1, Out: one, Version: "v"}); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), trials, Options{Workers: 8, Out: eight, Version: "v"}); err != nil {
		t.Fatal(err)
	}
	want := hashes(t, one)
	if len(want) != 24 {
		t.Fatalf("%d files, expected 4 tables of 6 trials", len(want))
	}
	same(t, want, hashes(t, eight))

	// What kill -9 leaves: some trials whole, one without its last table, one with a temporary
	// file.
	for rel := range want {
		if strings.Contains(rel, "replicate-3") && (strings.HasPrefix(rel, "trials") ||
			strings.HasPrefix(rel, "cluster")) {
			if err := os.Remove(filepath.Join(one, rel)); err != nil {
				t.Fatal(err)
			}
		}
		if strings.HasPrefix(rel, "jobs") && strings.Contains(rel, "replicate-4") {
			if err := os.WriteFile(filepath.Join(one, rel), []byte("PAR1 cut"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	again, err := Run(context.Background(), trials, Options{Workers: 3, Out: one, Version: "v"})
	if err != nil {
		t.Fatal(err)
	}
	same(t, want, hashes(t, one))
	for i, r := range again {
		if wantReused := i != 3 && i != 4; r.Reused != wantReused {
			t.Errorf("trial %d: reused is %v, expected %v", i, r.Reused, wantReused)
		}
	}
}

// TestReuseGivesTheSameResult compares a result read back with the computed result.
func TestReuseGivesTheSameResult(t *testing.T) {
	w := workload(t, append(many(t, 30).Jobs, sim.Job{ID: "huge", GPUs: 1000, Work: sim.Second})...)
	tr := newTrial(w, topology(t, 2, 2, 4), 0)
	tr.KeepIntervals = true
	opt := Options{Out: t.TempDir(), Version: "v"}
	first, err := Run(context.Background(), []Trial{tr}, opt)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Run(context.Background(), []Trial{tr}, opt)
	if err != nil {
		t.Fatal(err)
	}
	a, b := first[0], second[0]
	if a.Reused || !b.Reused || b.Events != 0 {
		t.Fatalf("reused %v, %v, events %d", a.Reused, b.Reused, b.Events)
	}
	if a.Row != b.Row {
		t.Errorf("rows differ:\n%+v\n%+v", a.Row, b.Row)
	}
	if fmt.Sprint(a.JCT, a.Refused, a.Intervals) != fmt.Sprint(b.JCT, b.Refused, b.Intervals) {
		t.Error("completion times, refused jobs or intervals differ")
	}
	for what, change := range map[string]func(*Trial, *Options){
		"configuration": func(t *Trial, _ *Options) { t.Config = `{}` },
		"version":       func(_ *Trial, o *Options) { o.Version = "w" },
		"workload":      func(t *Trial, _ *Options) { t.WorkloadSHA256 = "other" },
		"key":           func(t *Trial, _ *Options) { t.Keys.Seed++ },
	} {
		changed, o := tr, opt
		change(&changed, &o)
		out, err := Run(context.Background(), []Trial{changed}, o)
		if err != nil {
			t.Fatal(err)
		}
		if out[0].Reused {
			t.Errorf("another %s was taken for the same trial", what)
		}
		if _, err := Run(context.Background(), []Trial{tr}, opt); err != nil {
			t.Fatal(err)
		}
	}
}

// One worker computes the next trial while the tables of the last are written, and loses neither
// when it is stopped then.
func TestTablesAreWrittenBesideTheNextTrial(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	began := make(chan struct{})
	var once sync.Once
	var trials []Trial
	for r := range int64(3) {
		trials = append(trials, newTrial(many(t, 60), topology(t, 1, 2, 4), r))
	}
	opt := Options{Out: t.TempDir(), Progress: func(i, _ int) {
		if i == 1 {
			once.Do(func() { close(began) })
		}
	}, Done: func(i int, _ *Result, _ error) {
		if i == 0 {
			select {
			case <-began:
			case <-time.After(time.Minute): // not to hang where it fails
				t.Error("the next trial waits for the tables of the first")
			}
			cancel()
		}
	}}
	out, err := Run(ctx, trials, opt)
	if !errors.Is(err, context.Canceled) || out[0] == nil || out[2] != nil {
		t.Errorf("error %v, results %v", err, out)
	}
	again, err := Run(context.Background(), trials, Options{Out: opt.Out})
	if err != nil || !again[0].Reused || again[1].Reused != (out[1] != nil) || again[2].Reused {
		t.Errorf("the tables of trials that were computed are not there: %v", err)
	}
}

func TestCancelLeavesOnlyWholeFiles(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	trials := []Trial{newTrial(many(t, 50), topology(t, 1, 2, 4), 0), newTrial(many(t, 5000), topology(t, 1, 1, 8), 1)}
	trials[1].Check = false
	opt := Options{Workers: 1, Out: t.TempDir(), Progress: func(i, ended int) {
		if i == 1 && ended > 0 {
			cancel()
		}
	}}
	out, err := Run(ctx, trials, opt)
	if !errors.Is(err, context.Canceled) || out[0] == nil || out[1] != nil {
		t.Fatalf("error %v, results %v", err, out)
	}
	for f := range hashes(t, opt.Out) {
		if !strings.Contains(f, "replicate-0") || strings.Contains(f, ".tmp") {
			t.Errorf("%s was left", f)
		}
	}
	if rows, err := results.ReadDir[results.Trial](context.Background(),
		filepath.Join(opt.Out, "trials")); err != nil || len(rows) != 1 {
		t.Errorf("%d trials, error %v", len(rows), err)
	}
}

func TestOneFailureLeavesTheOthers(t *testing.T) {
	w, top := many(t, 10), topology(t, 1, 2, 4)
	trials := []Trial{newTrial(w, top, 0), newTrial(w, top, 1), newTrial(w, top, 2), {}}
	trials[1].Policy = func() (sim.Policy, error) { return nil, errors.New("no such policy") }
	out, err := Run(context.Background(), trials, Options{Workers: 2})
	want := "policy fifo:a=1, replicate 1: no such policy\n" +
		"policy , replicate 0: trial: no workload\ntrial: no topology\ntrial: no policy\ntrial: no speed model"
	if err == nil || err.Error() != want {
		t.Errorf("error %q, expected %q", err, want)
	}
	if out[0] == nil || out[1] != nil || out[2] == nil {
		t.Errorf("results %v", out)
	}
}

func TestOutThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Run(context.Background(), []Trial{newTrial(many(t, 3), topology(t, 1, 2, 4), 0)}, Options{Out: file})
	if err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("error %v, expected not a directory", err)
	}
}

// TestSamplesAreBounded: a run with more states than samples keeps a spaced selection.
func TestSamplesAreBounded(t *testing.T) {
	tr := newTrial(many(t, 30000), topology(t, 2, 2, 4), 0)
	tr.Check = false
	opt := Options{Out: t.TempDir()}
	if _, err := Run(context.Background(), []Trial{tr}, opt); err != nil {
		t.Fatal(err)
	}
	rows, err := results.ReadDir[results.Sample](context.Background(), filepath.Join(opt.Out, "cluster"))
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) > maxSamples || len(rows) < maxSamples/4 {
		t.Errorf("%d samples, expected %d..%d", len(rows), maxSamples/4, maxSamples)
	}
	for i, r := range rows {
		if i > 0 && r.Time <= rows[i-1].Time || r.Busy+r.Free != 16 || r.Frag < 0 || r.Frag > 1 {
			t.Fatalf("sample %d is %+v after %v", i, r, rows[max(0, i-1)].Time)
		}
	}
	if last := rows[len(rows)-1]; last.Busy != 0 || last.Frag != 0 {
		t.Errorf("the last sample is %+v, expected an idle cluster", last)
	}
}
