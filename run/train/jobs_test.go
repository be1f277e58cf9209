package train

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/catalogue/traces"
	"tarry/sim"
	"tarry/sim/entry"
	"tarry/sim/rng"
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

// The jobs of an excerpt are known whatever was done to them; jobs of the other half of the trace
// are not, although four out of five of them in the Philly trace have the GPUs and the work of one
// of the first half.
func TestMarksOnPhilly(t *testing.T) {
	const path = "../../../shared/traces/philly/philly.csv"
	if _, err := os.Stat(path); err != nil {
		t.Skip("the Philly trace is not there: ", err)
	}
	w, _, err := traces.All().Open("philly:"+path, entry.TraceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	half := len(w.Jobs) / 2
	m := marks{}
	m.add(rest(t, w.Jobs[:half], func(int, *sim.Job) {}))
	if n := m.known(rest(t, w.Jobs[half:], func(int, *sim.Job) {}), ""); n > half/1000 {
		t.Errorf("%d of %d jobs of the other half are known", n, half)
	}
	part := w.Jobs[half/3 : half/2]
	renamed := rest(t, part, func(i int, j *sim.Job) {
		j.ID, j.Submit = fmt.Sprint("row", i),
			j.Submit+12345*sim.Second
	})
	if n := m.known(renamed, ""); n < len(part)*99/100 {
		t.Errorf("%d of %d jobs of a renamed excerpt are known", n, len(part))
	}
	sample, err := transform.Sample(rest(t, part, func(_ int, j *sim.Job) { j.User, j.Model = "u", "m" }), 100,
		rng.Source{}.Stream("x"))
	if err != nil {
		t.Fatal(err)
	}
	if n := m.known(sample, ""); n != 100 {
		t.Errorf("%d of 100 sampled jobs are known", n)
	}
}

func TestMarksAreKept(t *testing.T) {
	m := marks{}
	m.add(rest(t, []sim.Job{{ID: "a", GPUs: 1, Work: 1}, {ID: "b", GPUs: 1, Work: 1}, {ID: "c", GPUs: 2, Work: 3},
		{ID: "d", GPUs: 1, Work: 1, Submit: 5}}, func(int, *sim.Job) {}))
	names, chains := m.text()
	got, err := readMarks(&seen{Names: names, Chains: chains, Trace: "x"})
	again, same := got.text()
	if err != nil || len(got.names) != 1 || len(got.names[0]) != 4 || len(got.chains) != 1 || got.trace != "x" ||
		!slices.Equal(again, names) || same != chains {
		t.Errorf("%+v, %v, want a mark for each job and one for the four", got, err)
	}
	for _, bad := range []string{"*", "AAAA"} {
		for _, s := range []*seen{{Jobs: bad}, {Chains: bad}, {Names: []string{bad}}} {
			if _, err := readMarks(s); err == nil {
				t.Errorf("%+v is read as marks", s)
			}
		}
	}
	if none, err := readMarks(&seen{}); err != nil || len(none.names)+len(none.chains)+len(none.plain) != 0 {
		t.Errorf("nothing gives %+v, %v", none, err)
	}
}

// Equal jobs are not the same job: of a trace of arrays with the same GPUs and work the second half
// is not known by the marks of the first, nor are the jobs of another trace that numbers its jobs
// as well; the same jobs are, in the trace itself and in another file.
func TestEqualJobsAreNotTheSame(t *testing.T) {
	r := rng.Source{Seed: 3}.Stream("arrays")
	arrays := func(n int) (out []sim.Job) {
		at := sim.Time(0)
		for i := range n {
			if i%20 == 0 { // an array of 20 each hour or so
				at += sim.Time(3000+r.IntN(1200)) * sim.Second
			} else if i%20 > 10 {
				at += 60 * sim.Second
			}
			out = append(out, sim.Job{ID: fmt.Sprint(i), GPUs: 2, Work: 7200 * sim.Second, Submit: at})
		}
		return out
	}
	all := arrays(2000)
	for i := 1; i < 20; i++ { // and two that only look alike
		all[1000+i].Submit = all[1000].Submit + sim.Time(i)*60*sim.Second
	}
	m := marks{trace: "this"}
	m.add(rest(t, all[:1000], func(int, *sim.Job) {}))
	m.add(rest(t, all[1000:1200], func(_ int, j *sim.Job) { j.Submit -= all[1000].Submit }))
	later, none := rest(t, all[1200:], func(int, *sim.Job) {}), func(int, *sim.Job) {}
	for what, c := range map[string]struct {
		w     *sim.Workload
		trace string
		want  [2]int // from, to
	}{
		"later jobs of the trace":    {later, "this", [2]int{0, 0}},
		"later jobs in another file": {later, "that", [2]int{0, 10}},
		"later jobs under other names": {rest(t, all[1200:],
			func(i int, j *sim.Job) { j.ID = fmt.Sprint("x", i) }), "", [2]int{0, 10}},
		"another trace that counts its jobs": {rest(t, arrays(800), none), "that", [2]int{0, 40}},
		"seen jobs of the trace":             {rest(t, all[300:500], none), "this", [2]int{200, 200}},
		"seen jobs in another file, later": {rest(t, all[300:500],
			func(_ int, j *sim.Job) { j.Submit += 777 * sim.Second }), "that", [2]int{200, 200}},
		"seen jobs at another rate": {rest(t, all[300:500],
			func(_ int, j *sim.Job) { j.Submit = j.Submit * 3 / 2 }), "that", [2]int{200, 200}},
		"seen jobs, every seventh, to a second": {rest(t, every(all[300:1000], 7),
			func(_ int, j *sim.Job) { j.Submit = j.Submit * 2 / 3 / sim.Second * sim.Second }), "that",
			[2]int{100, 100}},
		"seen jobs of two parts": {rest(t, all[900:1100], none), "that", [2]int{200, 200}},
		"a copy of a seen job": {rest(t, all[5:6], func(_ int, j *sim.Job) { j.ID += "#2" }), "this",
			[2]int{1, 1}},
	} {
		if n := m.known(c.w, c.trace); n < c.want[0] || n > c.want[1] {
			t.Errorf("%s: %d of %d are known, expected %d to %d", what, n, len(c.w.Jobs), c.want[0], c.want[1])
		}
	}
}

// every gives each n-th of some jobs.
func every(jobs []sim.Job, n int) (out []sim.Job) {
	for i := 0; i < len(jobs); i += n {
		out = append(out, jobs[i])
	}
	return out
}

// A run continues in another folder than the folder that its trace's path counts from, to the same
// bytes.
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
