package stats

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"tarry/sim/rng"
)

// plainProfile is the twin of Profile: each tau resamples the scores themselves.
func plainProfile(s *rng.Stream, st Strata, taus []float64, o Options) []Interval {
	out := make([]Interval, len(taus))
	for i, tau := range taus {
		out[i] = Stratified(s, st, func(st Strata) float64 {
			n, over := 0, 0
			for _, x := range st {
				for _, v := range x {
					n++
					if v > tau {
						over++
					}
				}
			}
			return float64(over) / float64(n)
		}, o)
	}
	return out
}

// sameIntervals wants the same bits and the same warnings.
func sameIntervals(t *testing.T, what string, got, want []Interval) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d intervals, want %d", what, len(got), len(want))
	}
	for i := range got {
		g, w := got[i], want[i]
		for k, v := range [][2]float64{{g.Point, w.Point}, {g.Lo, w.Lo}, {g.Hi, w.Hi}} {
			if math.Float64bits(v[0]) != math.Float64bits(v[1]) && !(math.IsNaN(v[0]) && math.IsNaN(v[1])) {
				t.Fatalf("%s: number %d of interval %d is %v, want %v", what, k, i, v[0], v[1])
			}
		}
		if g.N != w.N || fmt.Sprint(g.Warnings) != fmt.Sprint(w.Warnings) {
			t.Fatalf("%s: interval %d is of %d %v, want %d %v", what, i, g.N, g.Warnings, w.N, w.Warnings)
		}
	}
}

// someProfile draws strata of 1 to 50 values, some of them tied or not finite, and bounds among them.
func someProfile(r *rng.Stream) Profiled {
	least := 1 + r.IntN(2)
	p := Profiled{Options: Options{Reps: 1 + r.IntN(40), Level: []float64{0, 0.5, 0.9}[r.IntN(3)]}}
	for range r.IntN(8) {
		x := make([]float64, least+r.IntN(50))
		for i := range x {
			switch x[i] = r.NormFloat64(); r.IntN(40) {
			case 0:
				x[i] = nan
			case 1:
				x[i] = -inf
			case 2, 3, 4, 5, 6, 7, 8:
				x[i] = float64(r.IntN(3))
			}
		}
		p.Scores = append(p.Scores, x)
	}
	for range r.IntN(7) {
		tau := []float64{r.NormFloat64(), float64(r.IntN(3)), -1, inf, nan, -inf}[r.IntN(6)]
		p.Taus = append(p.Taus, tau)
	}
	return p
}

// TestProfilesAreOfSingleDraws: many profiles at a time are those of the twin, bit for bit, and leave the stream where the longest does.
func TestProfilesAreOfSingleDraws(t *testing.T) {
	r := stream("profiles")
	for round := range 300 {
		var of []Profiled
		for range 1 + r.IntN(4) {
			p := someProfile(r)
			of = append(of, p)
			for range r.IntN(12) { // of the same shape, so that they share tables
				q := Profiled{Taus: p.Taus[:r.IntN(len(p.Taus)+1)], Options: p.Options}
				for _, x := range p.Scores {
					y := make([]float64, len(x))
					for i := range y {
						if y[i] = float64(r.IntN(5)) / 2; math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
							y[i] = inf
						}
					}
					q.Scores = append(q.Scores, y)
				}
				of = append(of, q)
			}
		}
		name := fmt.Sprint("round ", round)
		s := stream(name)
		far := stream(name) // where the longest leaves its stream
		most := -1
		for i, got := range Profiles(s, of) {
			twin := stream(name)
			sameIntervals(t, name, got, plainProfile(twin, of[i].Scores, of[i].Taus, of[i].Options))
			if n := drawsOf(of[i]); n > most {
				most, far = n, twin
			}
		}
		if a, b := state(t, s), state(t, far); !reflect.DeepEqual(a, b) {
			t.Fatalf("%s: the stream is elsewhere", name)
		}
	}
}

// drawsOf counts what the twin draws.
func drawsOf(p Profiled) int {
	n := 0
	for _, x := range p.Scores {
		x, _ = Finite(x)
		if len(x) < 2 {
			return 0
		}
		n += len(x)
	}
	return n * len(p.Taus) * p.Options.reps()
}

func state(t *testing.T, s *rng.Stream) []byte {
	t.Helper()
	b, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPairedMeans: the same as Paired, bit for bit, but for what it leaves out; and Paired draws one index after the other.
func TestPairedMeans(t *testing.T) {
	r := stream("paired means")
	for round := range 200 {
		a, b := make([]float64, r.IntN(50)), []float64(nil)
		for i := range a {
			if a[i] = r.NormFloat64(); r.IntN(30) == 0 {
				a[i] = nan
			}
			b = append(b, math.Abs(r.NormFloat64()))
			if r.IntN(10) == 0 {
				b[i] = a[i]
			}
		}
		o := Options{Reps: 1 + r.IntN(50), Method: Method(r.IntN(3))}
		want, err := Paired(stream("p"), a, b, o)
		got, err2 := PairedMeans(stream("p"), a, b, o)
		if err != nil || err2 != nil || got.Ties != want.Ties {
			t.Fatal(err, err2, got, want)
		}
		name := fmt.Sprint("round ", round)
		sameIntervals(t, name, []Interval{got.Diff, got.Ratio}, []Interval{want.Diff, want.Ratio})
	}
}

// BenchmarkProfiles: the bands of a report's profile: ten settings of 500 instances, 60 steps.
func BenchmarkProfiles(b *testing.B) {
	steps, reps := 60, 1000
	if testing.Short() {
		steps, reps = 6, 100
	}
	r := stream("bench")
	var of []Profiled
	for range 10 {
		p := Profiled{Scores: make(Strata, 1), Options: Options{Reps: reps}}
		for range 500 {
			p.Scores[0] = append(p.Scores[0], -1-r.ExpFloat64())
		}
		for k := range steps {
			p.Taus = append(p.Taus, -1-float64(k)/20)
		}
		of = append(of, p)
	}
	for b.Loop() {
		Profiles(stream("bench"), of)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*10*500*steps*reps), "ns/draw")
}
