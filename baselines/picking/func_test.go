package picking

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestScoreByHand(t *testing.T) {
	f, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	names := f.Names()
	if len(names) != f.Len() || f.Len() != NumTerms+perUnit || names[NumTerms] != "unit1.bias" ||
		names[f.Len()-1] != "unit1.out" || names[NumTerms+1] != "unit1.request" {
		t.Fatalf("names %v", names)
	}
	w := make([]float64, f.Len())
	for name, v := range map[string]float64{"request": 2, "request_share": 3, "procs2": 4, "share_fits": 5,
		"request_queue": 6, "unit1.bias": 0.1, "unit1.wait": 0.2, "unit1.queue": -0.3, "unit1.out": 7} {
		w[slices.Index(names, name)] = v
	}
	f.Set(w)
	x := Inputs{Request: 1.5, Procs: 2, Share: 0.25, Wait: 3, Fits: 1, Queue: 0.5}
	want := 2*1.5 + 3*1.5*0.25 + 4*0.125*4 + 5*0.25 + 6*0.125*1.5*0.5 + 7*math.Tanh(0.1+0.2*3-0.3*0.5)
	if got := f.Score(&x); math.Abs(got-want) > 1e-12 {
		t.Errorf("score %v, want %v", got, want)
	}
	c := f.Clone()
	f.Set(make([]float64, f.Len()))
	if f.Score(&x) != 0 || math.Abs(c.Score(&x)-want) > 1e-12 {
		t.Errorf("without weights %v, the copy %v", f.Score(&x), c.Score(&x))
	}
	if n := testing.AllocsPerRun(10, func() { c.Score(&x) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Every weight moves the score of some job.
func TestEveryWeight(t *testing.T) {
	f, _ := New(2)
	x := Inputs{Request: 1.5, Procs: 2, Share: 0.25, Wait: 3, Late: 0.5, Stretch: 0.7, Fits: 1, Free: 0.4, Queue: 0.5}
	for i, n := range f.Names() {
		w := make([]float64, f.Len())
		for k := NumTerms; k < len(w); k++ {
			w[k] = 0.1
		}
		f.Set(w)
		before := f.Score(&x)
		w[i]++
		if f.With(w, &x) == before {
			t.Errorf("%s moves nothing", n)
		}
	}
}

// The named rules order jobs as they do in the tables.
func TestNamed(t *testing.T) {
	type job struct{ asked, n, submit float64 }
	const now = 5000.0
	jobs := []job{{60, 4, 100}, {3600, 1, 4000}, {10, 200, 4990}, {600, 64, 2000}, {600, 3, 2000}, {59, 256, 1}}
	score := map[string]func(j job) float64{
		"sjf": func(j job) float64 { return j.asked }, "fcfs": func(j job) float64 { return j.submit },
		"f1": func(j job) float64 { return math.Log10(j.asked)*j.n + 870*math.Log10(j.submit) },
	}
	for rule, want := range score {
		f, _ := New(3)
		if err := f.Named(rule, 256); err != nil {
			t.Fatal(err)
		}
		own := func(j job) float64 {
			wait := now - j.submit
			return f.Score(&Inputs{Request: math.Log(j.asked / 60), Procs: math.Log(j.n), Share: j.n / 256,
				Wait: math.Log1p(wait / 60), Late: math.Log(now / j.submit),
				Stretch: math.Log(max(1, (wait+j.asked)/max(j.asked, 10))), Queue: 3, Free: 0.5})
		}
		for _, a := range jobs {
			for _, b := range jobs {
				if x, y := want(a), want(b); x < y && !(own(a) < own(b)) {
					t.Errorf("%s: %v is not before %v", rule, a, b)
				}
			}
		}
	}
	f, _ := New(0)
	if err := f.Named("lifo", 256); err == nil || !strings.Contains(err.Error(), "expected one of [sjf fcfs f1]") {
		t.Errorf("error %v", err)
	}
	for _, n := range []int{-1, MostHidden + 1} {
		if _, err := New(n); err == nil {
			t.Errorf("%d hidden units are no fault", n)
		}
	}
}
