package evaluate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	formats "tarry/catalogue/traces"
	"tarry/env/delaytimer"
	"tarry/env/schedenv"
	"tarry/output/results"
	"tarry/sim"
	"tarry/sim/rng"
	"tarry/traces"
	"tarry/traces/transform"
)

const onTrace = "cluster=2x2x4,warm=2,horizon=6,lease_s=1800,gap=2,trace="

// kept writes jobs to a file of their own.
func kept(t *testing.T, path string, w *sim.Workload) string {
	t.Helper()
	if err := traces.Write(path, w); err != nil {
		t.Fatal(err)
	}
	return path
}

// long is a trace that is cut in many ways.
func long(t *testing.T) *sim.Workload {
	t.Helper()
	w, _, err := formats.All().Open("synth:demo,jobs=3000,gpus=16", traces.Options{Source: rng.Source{Seed: 7}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// cut gives the jobs between two shares of the span, from time zero on.
func cut(t *testing.T, w *sim.Workload, from, to float64) *sim.Workload {
	t.Helper()
	_, last := w.Span()
	out, err := transform.Window(w, sim.Time(from*float64(last)), sim.Time(to*float64(last)), true)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// changed gives a copy of the jobs with something done to each.
func changed(t *testing.T, w *sim.Workload, do func(i int, j *sim.Job)) *sim.Workload {
	t.Helper()
	jobs := append([]sim.Job{}, w.Jobs...)
	for i := range jobs {
		do(i, &jobs[i])
	}
	out, err := sim.NewWorkload("changed", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Jobs that training saw are known again in another file, cut in another way, at another time,
// under other names or at another rate; other jobs of the same trace are not.
func TestSeenJobs(t *testing.T) {
	dir, w := t.TempDir(), long(t)
	file := kept(t, filepath.Join(dir, "half.csv"), cut(t, w, 0, 0.5))
	run := trained(t, delaytimer.ID, onTrace+file)
	seen := cut(t, w, 0.031, 0.3)
	faster, err := transform.Rescale(seen, 1.5)
	if err != nil {
		t.Fatal(err)
	}
	whole := changed(t, seen, func(_ int, j *sim.Job) { j.Submit += 86400 * sim.Second })
	for _, c := range []struct {
		name string
		w    *sim.Workload
		fine bool
	}{
		{"another cut", seen, false},
		{"later", whole, false},
		{"renamed", changed(t, seen, func(i int, j *sim.Job) { j.ID, j.User = fmt.Sprint("r", i), "" }), false},
		{"faster", faster, false},
		{"with models", changed(t, seen, func(_ int, j *sim.Job) { j.Model = "ResNet50" }), false},
		{"the other half", cut(t, w, 0.5, 1), true},
	} {
		r := request(run)
		r.Windows = 1
		r.Trace = "parquet:" + kept(t, filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-")+".parquet"), c.w)
		_, err := Build(shipped.All(), r)
		if (err == nil) != c.fine || err != nil && !strings.Contains(err.Error(), "jobs from the trace of "+run) {
			t.Errorf("%s gives %v", c.name, err)
		}
	}
	// Its own test part is fine, by whatever name of the file.
	for _, trace := range []string{"", file, "csv:" + file} {
		r := request(run)
		r.Windows, r.Trace = 1, trace
		if _, err := Build(shipped.All(), r); err != nil {
			t.Errorf("trace %q: %v", trace, err)
		}
		for _, p := range []schedenv.Part{schedenv.Train, schedenv.Validation} {
			r.Part = p
			if _, err := Build(shipped.All(), r); err == nil {
				t.Errorf("trace %q: part %s is accepted", trace, p)
			}
		}
	}
}

// Agents of one environment, whatever their seeds, and tuned schedulers are measured out of a trace
// that was opened once.
func TestTraceIsOpenedOnce(t *testing.T) {
	file := kept(t, filepath.Join(t.TempDir(), "jobs.csv"), long(t))
	var dirs []string
	for seed := range uint64(3) {
		dirs = append(dirs, trainedWith(t, delaytimer.ID, onTrace+file, 2+seed))
	}
	s, err := Build(shipped.All(), request(dirs...))
	if err != nil {
		t.Fatal(err)
	}
	first := s.Agents[0].env.config
	for _, a := range s.Agents {
		if c := a.env.config; c.Source != first.Source || c.Topology != first.Topology || c.Part != schedenv.Test {
			t.Errorf("%s has a source of its own, on part %s", a.Name, c.Part)
		}
	}
}

// A trace is found from other folders, and not taken for another of its name.
func TestTraceIsFound(t *testing.T) {
	home, w := t.TempDir(), long(t)
	t.Chdir(home)
	kept(t, "data/jobs.csv", w)
	made := trained(t, delaytimer.ID, onTrace+"csv:data/jobs.csv")
	if err := os.CopyFS(filepath.Join(home, "deep", "run"), os.DirFS(made)); err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(home, "deep", "run")
	here, err := Build(shipped.All(), request(run))
	if err != nil {
		t.Fatal(err)
	}
	away := t.TempDir()
	t.Chdir(away)
	kept(t, "data/jobs.csv", cut(t, w, 0.2, 1)) // another file of this name
	there, err := Build(shipped.All(), request(run))
	if err != nil {
		t.Fatal(err)
	}
	if here.JSON != there.JSON || len(here.Trials) != len(there.Trials) {
		t.Errorf("the folder shows:\n%s\n%s", here.JSON, there.JSON)
	}
	for i := range here.Trials {
		if a, b := &here.Trials[i], &there.Trials[i]; a.WorkloadSHA256 != b.WorkloadSHA256 || a.Config != b.Config ||
			a.Keys != b.Keys || a.Keys.Trace != "csv:data/jobs.csv" || a.Keys.Seed != results.NoSeed {
			t.Errorf("trial %d is of %+v and %+v", i, a.Keys, b.Keys)
		}
	}
	if _, err := Build(shipped.All(), request(made)); err == nil ||
		!strings.Contains(err.Error(), "with the jobs of the run is neither in the working directory nor in") {
		t.Errorf("another file of the name gives %v", err)
	}
	r := request(made)
	r.Trace = "csv:" + filepath.Join(home, "data", "jobs.csv")
	if _, err := Build(shipped.All(), r); err != nil {
		t.Errorf("a trace that was named gives %v", err)
	}
}

// Arrays have many jobs of the same GPUs, work and distance: jobs of the test part are not the jobs
// that training saw, in the run's own trace and in another that numbers its jobs as well. The jobs
// that it saw are refused in both.
func TestArraysAreTheirOwnJobs(t *testing.T) {
	dir := t.TempDir()
	arrays := func(name string, seed uint64) (string, *sim.Workload) {
		r, at := rng.Source{Seed: seed}.Stream("arrays"), sim.Time(0)
		w := changed(t, long(t), func(i int, j *sim.Job) {
			if at += 30 * sim.Second; i%25 == 0 {
				at += sim.Time(600+r.IntN(900)) * sim.Second
			}
			*j = sim.Job{ID: fmt.Sprint(i), GPUs: 1, Work: 600 * sim.Second, Submit: at, Model: j.Model, User: j.User}
		})
		return "csv:" + kept(t, filepath.Join(dir, name), w), w
	}
	own, w := arrays("own.csv", 1)
	run := trained(t, delaytimer.ID, onTrace+own)
	other, _ := arrays("other.csv", 2)
	_, last := w.Span()
	part, err := transform.Window(w, last/50, last*17/25, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		trace   string
		options []string
		fine    bool
	}{
		{"", nil, true}, {other, nil, true}, {"", []string{"shares=20:10:70"}, false},
		{"csv:" + kept(t, filepath.Join(dir, "part.csv"), part), nil, false},
	} {
		r := request(run)
		r.Windows, r.Trace, r.Options = 1, c.trace, c.options
		if _, err := Build(shipped.All(), r); (err == nil) != c.fine || err != nil &&
			!strings.Contains(err.Error(), "jobs from the trace of "+run) {
			t.Errorf("%q with %q gives %v", c.trace, c.options, err)
		}
	}
}
