package scenario

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/speeds"
	"tarry/catalogue/traces"
	"tarry/sim"
	"tarry/sim/param"
)

// listed writes a trace of n jobs, a job every 100 s from 1000 s on, and gives its path.
func listed(t *testing.T, n int) string {
	t.Helper()
	text := "id,submit_s,gpus,work_s,deadline_s\n"
	for i := range n {
		text += fmt.Sprintf("j%d,%d,%d,%d,%d\n", i, 1000+100*i, 1+i%4, 1000+i, 5000+100*i)
	}
	path := filepath.Join(t.TempDir(), "list.csv")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// over reads an environment's settings on a trace.
func over(t *testing.T, path, options string) Source {
	t.Helper()
	s := param.Parse("test", "cluster=2x2x4,lease_s=100,gap=0,warm=0,trace="+path+","+options)
	made := cutting(s)
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return made.Windows
}

// cutting reads and builds a scenario with windows; all faults are in the set.
func cutting(s *param.Set) *Setup {
	c := Default()
	c.Speed, c.Cuts.Part = "tiers", Train
	c.Read(s)
	c.ReadCuts(s)
	made, err := c.Build(Catalogues{Traces: traces.All(), Speeds: speeds.All()})
	Report(s, err)
	return made
}

// all gives the windows of a part.
func all(t *testing.T, src Source, p Part) []*sim.Workload {
	t.Helper()
	out := make([]*sim.Workload, src.Windows(p))
	for i := range out {
		w, err := src.Window(p, i)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := src.Window(p, i); err != nil || again.Hash() != w.Hash() {
			t.Errorf("%s %d is not the same twice (%v)", p, i, err)
		}
		out[i] = w
	}
	return out
}

// No job is in two parts, however windows are made, nor in two windows but for draws out of one
// part.
func TestCutsAreDisjoint(t *testing.T) {
	path := listed(t, 2000)
	for _, c := range []struct {
		options string
		draws   bool
	}{
		{"horizon=9", false},
		{"horizon=9,rate=2.5", false},
		{"horizon=9,rate=0.3,shares=40:20:40", false},
		{"horizon=9,thin=3", false},
		{"horizon=9,thin=50,shares=1:1:1,data_seed=8", false},
		{"horizon=19,thin=4,rate=3,shares=0.2:0.3:0.5", false},
		{"horizon=0,batch_jobs=30,windows=12", true},
		{"horizon=0,batch_jobs=500,copies=3,windows=3", true},
		{"horizon=30,batch_jobs=30,windows=12,rate=4,shares=40:20:40,data_seed=3", true},
	} {
		src := over(t, path, c.options)
		part, window := map[string]Part{}, map[string]string{}
		for _, p := range []Part{Train, Validation, Test} {
			if src.Windows(p) < 2 {
				t.Errorf("%s: %d windows in part %s, expected more", c.options, src.Windows(p), p)
			}
			known := map[string]bool{}
			name := func(id string) string { before, _, _ := strings.Cut(id, "#"); return before }
			for _, j := range src.(Listed).Jobs(p).Jobs {
				known[j.ID] = true
			}
			for i, w := range all(t, src, p) {
				here := fmt.Sprint(p, i)
				twice := map[string]bool{}
				for _, j := range w.Jobs {
					if twice[j.ID] {
						t.Fatalf("%s: job %s is twice in %s", c.options, j.ID, here)
					}
					twice[j.ID] = true
					j.ID = name(j.ID)
					if other, ok := part[j.ID]; ok && other != p {
						t.Fatalf("%s: job %s is in parts %s and %s", c.options, j.ID, other, p)
					}
					if other, ok := window[j.ID]; ok && !c.draws {
						t.Fatalf("%s: job %s is in windows %s and %s", c.options, j.ID, other, here)
					}
					if !known[j.ID] {
						t.Fatalf("%s: job %s of window %s is not among the jobs of part %s", c.options, j.ID, here, p)
					}
					part[j.ID], window[j.ID] = p, here
				}
			}
		}
	}
}

// Thinned windows are the windows of the whole trace, each torn into classes: together they have
// its jobs, at their times.
func TestThin(t *testing.T) {
	path := listed(t, 2000)
	whole, thin := over(t, path, "horizon=19"), over(t, path, "horizon=19,thin=3")
	for _, p := range []Part{Train, Validation, Test} {
		if n := whole.Windows(p); thin.Windows(p) != 3*n {
			t.Errorf("%s has %d windows of three classes, expected 3 x %d", p, thin.Windows(p), n)
		}
		jobs := func(ws []*sim.Workload) (out []string) {
			for _, w := range ws {
				for _, j := range w.Jobs {
					out = append(out, fmt.Sprint(j))
				}
			}
			slices.Sort(out)
			return out
		}
		a, b := all(t, whole, p), all(t, thin, p)
		if !slices.Equal(jobs(a), jobs(b)) {
			t.Errorf("the jobs of %s are others when they are thinned", p)
		}
		// A round has each slice of time once, in other classes than the round before.
		slice := map[string]int{}
		for i, w := range a {
			for _, j := range w.Jobs {
				slice[j.ID] = i
			}
		}
		for r := range 3 {
			seen := map[int]bool{}
			for i := range a {
				seen[slice[b[r*len(a)+i].Jobs[0].ID]] = true
			}
			if len(seen) != len(a) {
				t.Errorf("round %d of %s has %d of %d slices", r, p, len(seen), len(a))
			}
		}
		if p == Train { // the first three windows are spread over the part
			first := []int{slice[b[0].Jobs[0].ID], slice[b[1].Jobs[0].ID], slice[b[2].Jobs[0].ID]}
			slices.Sort(first)
			if least := len(a) / 6; first[1]-first[0] < least || first[2]-first[1] < least {
				t.Errorf("the first windows are slices %v of %d", first, len(a))
			}
		}
	}
	if other := over(t, path, "horizon=19,thin=3,data_seed=1"); fmt.Sprint(all(t, other, Test)[0].Jobs) == fmt.Sprint(
		all(t, thin, Test)[0].Jobs) {
		t.Error("another data_seed gives the same classes")
	}
	r := whole.(*Recorded)
	for _, wrong := range []int{-1, 0, 1, maxThin + 1} {
		if err := r.Thin(wrong, 0); err == nil || !strings.Contains(err.Error(), "expected 2..10000") {
			t.Errorf("%d classes give %v", wrong, err)
		}
	}
}

// Windows without a job are left out.
func TestThinLeavesOutEmpty(t *testing.T) {
	src := over(t, listed(t, 300), "horizon=3,thin=40")
	for _, p := range []Part{Train, Validation, Test} {
		n := 0
		for _, w := range all(t, src, p) {
			n += len(w.Jobs)
		}
		if n == 0 || n < src.Windows(p) {
			t.Errorf("%s has %d jobs in %d windows", p, n, src.Windows(p))
		}
	}
}

func TestStride(t *testing.T) {
	for n := 1; n < 300; n++ {
		seen, step := map[int]bool{}, stride(n)
		for i := range n {
			seen[i*step%n] = true
		}
		if len(seen) != n {
			t.Errorf("strides of %d reach %d of %d", step, len(seen), n)
		}
	}
}

// A rate divides submits and nothing else: windows r times as short have the jobs of the slow ones.
func TestRate(t *testing.T) {
	path := listed(t, 1000)
	slow, fast := all(t, over(t, path, "horizon=29"), Test), all(t, over(t, path, "horizon=9,rate=3"), Test)
	id := func(w *sim.Workload) (out []string) {
		for _, j := range w.Jobs {
			out = append(out, j.ID)
		}
		return out
	}
	if len(slow) != len(fast) || len(fast) < 4 {
		t.Fatalf("%d and %d windows", len(slow), len(fast))
	}
	for i, w := range fast {
		if a, b := id(slow[i]), id(w); math.Abs(float64(len(a)-len(b))) > 1 || a[1] != b[1] {
			t.Errorf("window %d has jobs %v, three times as fast %v", i, a, b)
		}
		for k, j := range w.Jobs {
			if k > 0 && j.Submit-w.Jobs[k-1].Submit-100*sim.Second/3 > 1 {
				t.Errorf("%v after %v", j.Submit, w.Jobs[k-1].Submit)
			}
			if j.Deadline-j.Submit != 4000*sim.Second {
				t.Errorf("a deadline leaves %v, expected 4000 s", j.Deadline-j.Submit)
			}
		}
	}
}

// Jobs that are drawn keep their times, and come at the same rate to every window.
func TestDraws(t *testing.T) {
	path := listed(t, 500)
	for options, n := range map[string]map[Part]int{
		"horizon=0,batch_jobs=40,windows=6":                 {Train: 350, Validation: 75, Test: 75},
		"horizon=0,batch_jobs=40,windows=6,shares=40:20:40": {Train: 200, Validation: 100, Test: 200},
	} {
		src := over(t, path, options)
		for p, jobs := range n {
			if got := len(src.(Listed).Jobs(p).Jobs); got != jobs || src.Windows(p) != 6 {
				t.Errorf("%s: %s has %d jobs and %d windows, want %d and 6", options, p, got, src.Windows(p), jobs)
			}
			ws := all(t, src, p)
			if fmt.Sprint(ws[0].Jobs) == fmt.Sprint(ws[1].Jobs) {
				t.Errorf("%s: two draws for %s are the same", options, p)
			}
			for _, w := range ws {
				if len(w.Jobs) != 40 {
					t.Errorf("a window has %d jobs, want 40", len(w.Jobs))
				}
				for _, j := range w.Jobs {
					var i int
					if _, err := fmt.Sscanf(j.ID, "j%d", &i); err != nil || j.Submit != sim.Time(i)*100*sim.Second ||
						j.Deadline != j.Submit+4000*sim.Second {
						t.Errorf("job %s comes at %v, deadline %v", j.ID, j.Submit, j.Deadline)
					}
				}
			}
		}
	}
	if w, err := over(t, path, "horizon=0,rate=50,batch_jobs=60,windows=3").Window(Train, 2); err != nil ||
		len(w.Jobs) != 60 {
		t.Errorf("a window is %v, %v", w, err)
	}
}

// Copies are in the urn beside their jobs, evenly over the list's time: a draw of all has as many
// of each third.
func TestCopies(t *testing.T) {
	src := over(t, listed(t, 900), "horizon=0,batch_jobs=900,copies=3,windows=2,shares=1:1:1")
	for _, p := range []Part{Train, Validation, Test} {
		at := map[string]sim.Time{}
		for _, j := range all(t, src, p)[0].Jobs {
			at[j.ID] = j.Submit
			if j.Deadline != j.Submit+4000*sim.Second {
				t.Errorf("%s leaves %v", j.ID, j.Deadline-j.Submit)
			}
		}
		const third, span = 29966666666, 89900 * sim.Second
		for _, j := range src.(Listed).Jobs(p).Jobs {
			if a, b, c := at[j.ID], at[j.ID+"#2"], at[j.ID+"#3"]; a != j.Submit || b != (a+third)%span ||
				c != (a+2*third)%span {
				t.Errorf("%s comes at %v, %v and %v", j.ID, a, b, c)
			}
		}
		if len(at) != 900 {
			t.Errorf("%s has %d names, want 900", p, len(at))
		}
	}
}

// Every fault of these settings is reported, all at once and word for word.
func TestCutFaults(t *testing.T) {
	path, dir := listed(t, 40), t.TempDir()
	batch := filepath.Join(dir, "batch.csv")
	if err := os.WriteFile(batch, []byte("id,submit_s,gpus,work_s\na,0,1,1\nb,0,1,1\nc,0,1,1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for options, want := range map[string][]string{
		"shares=70:30,horizon=0,rate=0,thin=0,trace=" + path: {
			`shares is "70:30", expected three numbers in 1e-06..1e+06 such as 70:15:15`, "rate", "thin",
			"horizon is 0 with a trace, expected > 0: it is the length of the windows"},
		"shares=1:0:1,batch_jobs=99,thin=2,trace=" + path: {
			`shares is "1:0:1", expected three numbers in 1e-06..1e+06 such as 70:15:15`,
			"thin is 2, expected 1: a window has batch_jobs of the jobs of trace " + path +
				", or a whole part of them"},
		"shares=1:1:1,rate=2,thin=3,trace=" + batch: {
			"rate is 2, expected 1: the jobs of trace " + batch + " come all at once",
			"thin is 3, expected 1: a window has batch_jobs of the jobs of trace " + batch},
		"batch_jobs=7,load=0.5,workload=demo,trace=" + path: {"its parts have 28, 6 and 6 jobs, expected " +
			"at least 7 in each", "load is given with a trace, expected none", "workload is given"},
		"batch_jobs=1,shares=1e-3:1:1,trace=" + path: {"its parts have 0, 20 and 20 jobs, " +
			"expected at least 1 in each"},
		"thin=2,shares=1:1:1": {"thin is given without a trace, expected none", "shares is given without a trace"},
		"horizon=1,warm=0,gap=0,lease_s=100,data_seed=4,trace=" + path: {"data_seed is given with a trace that is " +
			"cut, expected none"},
		"horizon=1,warm=0,gap=0,rate=1e6,trace=" + path: {"expected at least one window of"},
	} {
		s := param.Parse("test", options)
		cutting(s)
		for _, line := range want {
			if err := s.Err(); err == nil || !strings.Contains(err.Error(), line) {
				t.Errorf("%s gives %v, want %s", options, err, line)
			}
		}
	}
}

// What is read as shares is three numbers > 0 that can be written and read again.
func FuzzShares(f *testing.F) {
	for _, text := range []string{"70:15:15", "1:1", "1:1:1:1", "", ":::", "nan:1:1", "inf:1:1", "-1:1:1",
		"1e-6:1e6:0x1p3", " 1:1:1", "1_0:1:1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseShares(text)
		if err != nil {
			if !strings.Contains(err.Error(), "three numbers") {
				t.Errorf("%q gives %v", text, err)
			}
			return
		}
		for _, x := range got {
			if !(x > 0) || math.IsInf(x, 0) {
				t.Errorf("%q gives %v", text, got)
			}
		}
		if again, err := parseShares(fmt.Sprintf("%v:%v:%v", got[0], got[1], got[2])); err != nil || again != got {
			t.Errorf("%q gives %v, written and read again %v, %v", text, got, again, err)
		}
	})
}
