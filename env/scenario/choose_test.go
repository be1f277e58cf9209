package scenario

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"tarry/catalogue/policies"
	"tarry/sim"
	"tarry/sim/rng"
)

// askedTrace is a trace whose users ask for their run times, off by a factor exp(sigma N(0, 1)). Users
// with short jobs in the training part have long ones behind it, and the other way round. From job
// 1400 on, behind training and validation, run times are longer by a factor.
func askedTrace(t *testing.T, sigma, longer float64) string {
	t.Helper()
	r := rng.Source{Seed: 3}.Stream("asked")
	var b strings.Builder
	b.WriteString("id,submit_s,gpus,work_s,user,request_s\n")
	for i := range 2000 {
		user := r.IntN(9)
		habit := 1.5
		if (i < 800) == (user%2 == 0) {
			habit = -habit
		}
		run, off := math.Exp(7+habit+0.7*r.NormFloat64()), math.Exp(sigma*r.NormFloat64())
		if i >= 1400 {
			run *= longer
		}
		gpus := 1 + r.IntN(4)
		fmt.Fprintf(&b, "%d,%d,%d,%.0f,u%d,%.0f\n", i, i*600, gpus, run*float64(gpus)+1, user, run*off+1)
	}
	path := filepath.Join(t.TempDir(), "trace.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// choosingOn reads a scenario with windows of test over a trace.
func choosingOn(t *testing.T, predict, csv string, change func(c *Scenario)) (*Setup, error) {
	t.Helper()
	from := known()
	from.Policies = policies.All()
	c := Default()
	c.Cluster, c.Speed, c.Predict, c.Trace, c.Cuts.Part, c.Cuts.Shares = "1x2x4", "counting", predict, "csv:"+csv, Test,
		[3]float64{40, 20, 40}
	c.Cuts.Warm, c.Cuts.Horizon, c.Cuts.Gap = 0, 9, 1
	if change != nil {
		change(&c)
	}
	return c.Build(from)
}

func chosen(t *testing.T, predict, csv, policy string) *Choice {
	t.Helper()
	s, err := choosingOn(t, predict, csv, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Chosen(t.Context(), policy)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Where users change their habits and ask for about what they run, the choice is request; the
// predictor of a window is then request. It has the least of the completion times
// that are stated.
func TestAutoChoosesByCompletion(t *testing.T) {
	csv := askedTrace(t, 0.7, 1)
	s, err := choosingOn(t, "auto", csv, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Predictor(Test, 1, "gittins")
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Chosen(t.Context(), "gittins")
	if err != nil {
		t.Fatal(err)
	}
	if c.Predictor != "request" || c.Policy != "gittins" || c.Windows < 5 || c.Jobs < 50*c.Windows {
		t.Errorf("%v, expected request by several windows", c)
	}
	for _, one := range c.Candidates {
		if i := slices.IndexFunc(c.Candidates, func(o Judged) bool { return o.Predictor == "request" }); !(one.JCTS >=
			c.Candidates[i].JCTS) {
			t.Errorf("%v: %s has less than request", c, one.Predictor)
		}
	}
	by, err := choosingOn(t, "request", csv, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := by.Predictor(Test, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Windows.Window(Test, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Jobs {
		if a, b := got.Predict(sim.JobID(i), &w.Jobs[i]), want.Predict(sim.JobID(i), &w.Jobs[i]); a.Median() != b.Median() {
			t.Fatalf("job %d has %v s, with request %v s", i, a.Median(), b.Median())
		}
	}
}

// No job of test is read: with all of their run times another, and the cut of the parts where it was,
// the choice is the same to the last digit, and so it is for policies that ask at the same time. Other
// run times in validation move it.
func TestAutoReadsNoTest(t *testing.T) {
	was := chosen(t, "auto", askedTrace(t, 1, 1), "gittins")
	if now := chosen(t, "auto", askedTrace(t, 1, 5), "gittins"); fmt.Sprint(now) != fmt.Sprint(was) {
		t.Errorf("with longer jobs in test %v, expected %v", now, was)
	}
	if now := chosen(t, "auto", askedTrace(t, 0.5, 1), "gittins"); fmt.Sprint(now) == fmt.Sprint(was) {
		t.Errorf("with other requests before test still %v", now)
	}
	s, err := choosingOn(t, "auto", askedTrace(t, 1, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if now, err := s.Chosen(t.Context(), "gittins"); err != nil || fmt.Sprint(now) != fmt.Sprint(was) {
				t.Errorf("%v (%v), expected %v", now, err, was)
			}
		})
	}
	wait.Wait()
}

// A policy that reads no prediction has the choice of the policy that is stated; candidates, windows
// and jobs are bounded by the settings; without requests request is none of them.
func TestAutoCandidates(t *testing.T) {
	csv := askedTrace(t, 0.2, 1)
	if c := chosen(t, "auto", csv, "las"); c.Policy != defaultJudge {
		t.Errorf("for las: %v", c)
	}
	c := chosen(t, "auto:of=size+ridge,windows=2", csv, "")
	if len(c.Candidates) != 2 || c.Candidates[0].Predictor != "size" || c.Windows != 2 || c.Policy != defaultJudge {
		t.Errorf("%v", c)
	}
	if c := chosen(t, "auto:jobs=65", csv, ""); c.Windows != 2 || c.Jobs < 65 {
		t.Errorf("up to 65 jobs: %v", c)
	}
	if c := chosen(t, "auto", traceFile(t, 2000), ""); strings.Contains(c.String(), "request") ||
		!strings.Contains(c.String(), "ridge") {
		t.Errorf("without requests: %v", c)
	}
}

// Luck does not choose: a candidate must be ahead of mix, or of the first that is named, by the
// stated standard errors.
func TestAutoNeedsMargin(t *testing.T) {
	csv := askedTrace(t, 0.7, 1)
	if c := chosen(t, "auto:margin=1000", csv, "gittins"); c.Predictor != "mix" {
		t.Errorf("%v, expected mix", c)
	}
	if c := chosen(t, "auto:of=global+request,margin=1000", csv, "gittins"); c.Predictor != "global" {
		t.Errorf("%v, expected the first", c)
	}
	c := chosen(t, "auto:of=global+request", csv, "gittins")
	if c.Predictor != "request" || c.Candidates[0].Ahead != 0 || c.Candidates[1].Ahead < 1 {
		t.Errorf("%v, expected request", c)
	}
	if got := ahead([]float64{1, 2, 3}, []float64{2, 4, 6}); math.Abs(got-2/math.Sqrt(1.0/3)) > 1e-12 {
		t.Errorf("1, 2, 3 are %v standard errors ahead of 2, 4, 6", got)
	}
	if ahead([]float64{1}, []float64{2}) != 0 || ahead([]float64{1, 1}, []float64{1, 1}) != 0 {
		t.Error("one pair, or the same, is ahead")
	}
}

// What cannot be chosen is refused, with the nearest name where there is one.
func TestAutoFaults(t *testing.T) {
	csv := askedTrace(t, 0.2, 1)
	for predict, want := range map[string]string{"auto:of=size+rigde": `did you mean "ridge"`,
		"auto:of=size+auto": "of has auto", "auto:of=none": "of has none", "auto:of=size+size": "twice",
		"auto:of=request:sigma=1": "as they are", "auto:windows=0": "windows", "autp": `did you mean "auto"`,
		"auto:widows=3": "windows"} {
		if _, err := choosingOn(t, predict, csv, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", predict, err, want)
		}
	}
	s, err := choosingOn(t, "auto", csv, func(c *Scenario) {
		c.Cuts.Warm, c.Cuts.Horizon, c.Cuts.WindowJobs, c.Cuts.TestStarts = 0, 0, 100, []int{300}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Predictor(Test, 0, ""); err == nil || !strings.Contains(err.Error(), "behind validation in time") {
		t.Errorf("validation behind test: %v", err)
	}
	if s, err = choosingOn(t, "auto", csv, func(c *Scenario) { c.Cuts.Part = "" }); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Chosen(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "part=test") {
		t.Errorf("without parts: %v", err)
	}
}

// ending is a context that ends when it has been asked a number of times.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// A choice ends with its context at any moment: before the first simulation, in the middle of one and
// before the last. The next call chooses what an undisturbed one does.
func TestAutoEndsWithItsContext(t *testing.T) {
	csv := askedTrace(t, 0.7, 1)
	want := chosen(t, "auto:of=ridge+request", csv, "gittins")
	s, err := choosingOn(t, "auto:of=ridge+request", csv, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := &ending{t.Context(), 1 << 30}
	count, err := choosingOn(t, "auto:of=ridge+request", csv, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := count.Chosen(all, "gittins"); err != nil {
		t.Fatal(err)
	}
	asked := 1<<30 - all.left
	if asked < want.Jobs {
		t.Fatalf("the context was asked %d times in simulations of %d jobs, expected once for each event", asked, want.Jobs)
	}
	for _, after := range []int{0, 3, asked / 2, asked - 1} {
		if c, err := s.Chosen(&ending{t.Context(), after}, "gittins"); !errors.Is(err, context.Canceled) {
			t.Fatalf("%v, %v: asked %d times the context ends the choice", c, err, after)
		}
	}
	got, err := s.Chosen(t.Context(), "gittins")
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v after choices that were given up, expected %v", got, err, want)
	}
}
