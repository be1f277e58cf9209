package scenario

import (
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/param"
)

// Windows have jobs that come one after another at the times of the trace; no job of test is in
// training or validation, nor one of training in validation.
func TestConsecutive(t *testing.T) {
	path := listed(t, 300)
	for options, want := range map[string][3]int{
		// 210 jobs are free: 0..49, 100..199, 240..299; training has 172 of them, in rows of 50,
		// 100 and 22
		"window_jobs=20,test_starts=50+60+200,test_jobs=40":       {115, 19, 3},
		"window_jobs=20,test_starts=50,test_jobs=40,shares=1:1:1": {92, 111, 1},
		"window_jobs=30": {181, 16, 1},
		"window_jobs=30,test_jobs=10,shares=20:20:60,rate=2": {31, 31, 18},
		"window_jobs=20,test_starts=rlscheduler":             {},
	} {
		s := param.Parse("test", "cluster=2x2x4,warm=0,horizon=0,lease_s=100,trace="+path+","+options)
		made := cutting(s)
		if err := s.Err(); want == [3]int{} {
			if err == nil || !strings.Contains(err.Error(), "test window 0 has the jobs 1981 to 2000, expected "+
				"numbers in 0..299") {
				t.Errorf("%s: error %v", options, err)
			}
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		src := made.Windows.(*Consecutive)
		for i, p := range []Part{Train, Validation, Test} {
			if got := src.Windows(p); got != want[i] {
				t.Errorf("%s: %d windows in part %s, want %d", options, got, p, want[i])
			}
			for k, w := range all(t, src, p) {
				checkConsecutive(t, options, src, p, k, w)
			}
		}
		owner := map[string]Part{}
		for _, p := range []Part{Train, Validation, Test} {
			for _, j := range src.Jobs(p).Jobs {
				if other, known := owner[j.ID]; known {
					t.Fatalf("%s: job %s is in %s and %s", options, j.ID, other, p)
				}
				owner[j.ID] = p
			}
		}
	}
}

// checkConsecutive holds a window to the trace of listed.
func checkConsecutive(t *testing.T, options string, src *Consecutive, p Part, k int, w *sim.Workload) {
	t.Helper()
	if len(w.Jobs) != src.sizes[p] {
		t.Fatalf("%s: %d jobs in window %d of %s, want %d", options, len(w.Jobs), k, p, src.sizes[p])
	}
	for i, j := range w.Jobs {
		from := src.whole.Jobs[src.First(p, k)+i]
		if j != from || !slices.ContainsFunc(src.Jobs(p).Jobs, func(o sim.Job) bool { return o.ID == j.ID }) {
			t.Fatalf("%s: job %d of window %d of %s is %+v, in the trace %+v", options, i, k, p, j, from)
		}
	}
}

// Any first few training windows are spread over the part.
func TestConsecutiveIsSpread(t *testing.T) {
	src := over(t, listed(t, 1000), "window_jobs=10,horizon=0").(*Consecutive)
	var first []int
	for i := range 6 {
		first = append(first, src.First(Train, i))
	}
	slices.Sort(first)
	for i := 1; i < len(first); i++ {
		if d := first[i] - first[i-1]; d < 50 || d > 300 {
			t.Errorf("the first windows begin at %v", first)
		}
	}
}

func TestConsecutiveFaults(t *testing.T) {
	path := listed(t, 100)
	for options, want := range map[string]string{
		"window_jobs=80":                "part train has no 80 jobs in a row",
		"window_jobs=5,warm=3":          "warm is 3 with window_jobs, expected 0",
		"window_jobs=5,thin=3":          "thin is given with window_jobs, expected none",
		"window_jobs=5,test_starts=1+x": `test_starts has "x", expected rlscheduler, or whole numbers`,
		"window_jobs=5,test_starts=-3":  `test_starts has "-3"`,
		"window_jobs=5,test_starts=96": "test window 0 has the jobs 96 to 100, expected numbers " +
			"in 0..99",
		"test_starts=3,horizon=4":                      "test_starts is given without window_jobs, expected none",
		"window_jobs=5,test_starts=10,shares=1000:1:1": "part validation has no 5 jobs in a row",
	} {
		if !strings.Contains(options, "warm") {
			options += ",warm=0"
		}
		if !strings.Contains(options, "horizon") {
			options += ",horizon=0"
		}
		s := param.Parse("test", "cluster=2x2x4,lease_s=100,trace="+path+","+options)
		cutting(s)
		if err := s.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", options, err, want)
		}
	}
}
