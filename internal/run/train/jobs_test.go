package train

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/sim"
	"tarry/sim/rng"
	"tarry/traces"
	"tarry/traces/transform"
)

// rest gives some jobs as a workload of their own.
func rest(t *testing.T, jobs []sim.Job, do func(i int, j *sim.Job)) *sim.Workload {
	t.Helper()
	jobs = append([]sim.Job{}, jobs...)
	for i := range jobs {
		do(i, &jobs[i])
	}
	w, err := sim.NewWorkload("rest", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The jobs of an excerpt are known whatever was done to them; those of the other half of the trace are not, although
// four out of five of them in the Philly trace have the GPUs and the work of one of the first half.
func TestMarksOnPhilly(t *testing.T) {
	const path = "../../../../shared/traces/philly/philly.csv"
	if _, err := os.Stat(path); err != nil {
		t.Skip("the Philly trace is not there: ", err)
	}
	w, _, err := traces.All().Open("philly:"+path, traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	half := len(w.Jobs) / 2
	m := marks{}
	m.add(rest(t, w.Jobs[:half], func(int, *sim.Job) {}))
	if n := m.known(rest(t, w.Jobs[half:], func(int, *sim.Job) {})); n > half/1000 {
		t.Errorf("%d of %d jobs of the other half are known", n, half)
	}
	part := w.Jobs[half/3 : half/2]
	renamed := rest(t, part, func(i int, j *sim.Job) { j.ID, j.Submit = fmt.Sprint("row", i), j.Submit+12345*sim.Second })
	if n := m.known(renamed); n < len(part)*99/100 {
		t.Errorf("%d of %d jobs of a renamed excerpt are known", n, len(part))
	}
	sample, err := transform.Sample(rest(t, part, func(_ int, j *sim.Job) { j.User, j.Model = "u", "m" }), 100, rng.Source{}.Stream("x"))
	if err != nil {
		t.Fatal(err)
	}
	if n := m.known(sample); n != 100 {
		t.Errorf("%d of 100 sampled jobs are known", n)
	}
}

func TestMarksAreKept(t *testing.T) {
	m := marks{}
	m.add(rest(t, []sim.Job{{ID: "a", GPUs: 1, Work: 1}, {ID: "b", GPUs: 1, Work: 1}, {ID: "c", GPUs: 2, Work: 3}, {ID: "d", GPUs: 1, Work: 1, Submit: 5}}, func(int, *sim.Job) {}))
	got, err := readMarks(m.text())
	if err != nil || len(got) != 5 || got.text() != m.text() {
		t.Errorf("%d marks, %v, want one for each job and one for the four", len(got), err)
	}
	for _, bad := range []string{"*", "AAAA"} {
		if _, err := readMarks(bad); err == nil {
			t.Errorf("%q is read as marks", bad)
		}
	}
	if none, err := readMarks(""); err != nil || len(none) != 0 {
		t.Errorf("nothing gives %v, %v", none, err)
	}
}

// A run continues in another folder than the one that its trace's path counts from, to the same bytes.
func TestResumeElsewhere(t *testing.T) {
	home := t.TempDir()
	t.Chdir(home)
	text := "id,submit_s,gpus,work_s\n"
	for i := range 300 {
		text += fmt.Sprintf("%d,%d,%d,%d\n", i, 400*i, 1+i%5, 1500)
	}
	if err := os.WriteFile("jobs.csv", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg := short(t, "tarry/DelayTimer-v0:cluster=2x2x4,warm=1,horizon=4,lease_s=1800,gap=0,trace=csv:jobs.csv")
	if _, err := Run(context.Background(), cfg, Options{Out: "whole"}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, cfg, Options{Out: "parts"}); err == nil {
		t.Fatal("an interrupted run ended")
	}
	t.Chdir(t.TempDir())
	pieces := filepath.Join(home, "parts")
	again, err := Recorded(shipped.All(), pieces)
	if err != nil {
		t.Fatal(err)
	}
	if again, err = again.With("", "", nil, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), again, Options{Out: pieces, Resume: true}); err != nil {
		t.Fatal(err)
	}
	same(t, "elsewhere", contents(t, filepath.Join(home, "whole")), contents(t, pieces))
	if err := os.Remove(filepath.Join(home, "jobs.csv")); err != nil {
		t.Fatal(err)
	}
	if again, err = Recorded(shipped.All(), pieces); err == nil {
		_, err = again.With("", "", nil, nil)
	}
	if err == nil || !strings.Contains(err.Error(), "jobs.csv") {
		t.Errorf("a trace that is gone gives %v", err)
	}
}
