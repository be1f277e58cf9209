package knowable

import (
	"math"
	"testing"

	"tarry/traces/intake"
	"tarry/traces/itp"
	"tarry/traces/swf"
	"tarry/traces/tracetest"
)

// The figures that were measured apart for the recorded logs, by a program with the recorded
// waits. Ours take every job to start at its submit, and differ in the ridge: R2 agrees within
// 0.06, the spread that is left within 0.12.
func TestAgainstTheLogs(t *testing.T) {
	const none = 99
	for _, c := range []struct {
		file                      string
		jobs, test                int
		spread, newUsers          float64
		history, historySpread    float64
		both, bothSpread, request float64
		categories                float64
	}{
		{"sdsc-sp2/sdsc-sp2", 54006, 10480, 2.45, .39, .52, 1.69, .60, 1.56, .49, .24},
		{"sdsc-blue/sdsc-blue", 116732, 26239, 2.30, .10, .53, 1.59, .57, 1.50, .18, .30},
		{"kth-sp2/kth-sp2", 28481, 8324, 2.96, .27, .52, 2.06, .62, 1.83, .56, .24},
		{"llnl-atlas/llnl-atlas", 36600, 16655, 3.28, .33, .62, 2.02, .64, 1.97, .22, .21},
		{"curie-thin-120d/curie-thin-120d", 123586, 40321, 3.04, .14, .62, 1.88, .64, 1.83, .06, .35},
		{"curie-hybrid-gpu/curie-hybrid-gpu", 13408, 4233, 2.16, .62, .35, 1.61, .47, 1.53, .11, none},
		{"unilu-gaia-2014/unilu-gaia-2014", 51859, 38777, 1.89, .27, .19, 1.71, .04, 1.83, -.47, none},
		{"hpc2n-2002/hpc2n-2002-first3194", 3145, 1248, 2.67, .13, .33, 2.10, .37, 2.04, .19, .05},
		{"theta-2022/theta-2022", 23911, 6442, 1.78, 0, .04, 1.74, .29, 1.50, .27, none},
	} {
		t.Run(c.file, func(t *testing.T) {
			w, _, err := swf.Read(tracetest.Shared(t, c.file+".swf"), intake.Options{Strict: true})
			if err != nil {
				t.Fatal(err)
			}
			r := Of(w)
			if len(w.Jobs) != c.jobs || r.Test != c.test || math.Abs(r.Spread-c.spread) > 0.005001 ||
				math.Abs(r.NewUsers-c.newUsers) > 0.005001 {
				t.Errorf("%s: %d jobs, %d measured, spread %.3f, new users %.3f; expected %d, %d, %.2f, %.2f", c.file,
					len(w.Jobs), r.Test, r.Spread, r.NewUsers, c.jobs, c.test, c.spread, c.newUsers)
			}
			for name, want := range map[string]float64{"history": c.history, "history, request": c.both,
				"request": c.request, "all of these and their products": c.categories} {
				if want == none {
					continue
				}
				if got := find(t, r, name).R2; math.Abs(got-want) > 0.06 {
					t.Errorf("%s: %s has R2 %.3f, expected %.2f", c.file, name, got, want)
				}
			}
			for name, want := range map[string]float64{"history": c.historySpread, "history, request": c.bothSpread} {
				if got := find(t, r, name).Spread; math.Abs(got-want) > 0.12 {
					t.Errorf("%s: %s leaves %.3f, expected %.2f", c.file, name, got, want)
				}
			}
		})
	}
}

// ITP has no users: its clusters take their place, in history as in the figures measured apart (R2
// 0.15, 1.22 left of 1.33).
func TestAgainstITP(t *testing.T) {
	w, _, err := itp.Read(tracetest.Shared(t, "itp-2021/itp-2021.csv"), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	r := Of(w)
	if s := find(t, r, "history"); r.Test != 15440 || math.Abs(r.Spread-1.33) > 0.005 || math.Abs(s.R2-0.15) > 0.06 ||
		math.Abs(s.Spread-1.22) > 0.06 {
		t.Errorf("%d jobs measured, spread %.3f, history %+v", r.Test, r.Spread, s)
	}
}
