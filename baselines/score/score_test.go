package score

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestScoreByHand(t *testing.T) {
	f, err := New([]string{"rank", "age", "pressure_gpus", "wait2"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(f.Names(), " "), "rank age pressure_gpus wait2 unit1.bias unit1.rank unit1.age "+
		"unit1.pressure unit1.out"; got != want {
		t.Fatalf("names %s, want %s", got, want)
	}
	f.Set([]float64{2, -0.5, 0.25, 1, 0.1, 0.2, -0.3, 0.4, 3})
	x := Inputs{Rank: 3, Age: 5, GPUs: 1.5, Wait: 6, Pressure: 0.5, Running: 1}
	want := 2*3 - 0.5*5 + 0.25*0.5*(1.5-2) + 1*1 + 3*math.Tanh(0.1+0.2*3-0.3*5+0.4*0.5)
	if got := f.Score(&x); math.Abs(got-want) > 1e-12 {
		t.Errorf("score %v, want %v", got, want)
	}
	for i, reads := range map[Input]bool{Rank: true, Age: true, GPUs: true, Wait: true, Pressure: true, Running: false,
		Attained: false} {
		if f.Reads(i) != reads {
			t.Errorf("reads %s: %v", InputNames()[i], f.Reads(i))
		}
	}
	f.Set(make([]float64, len(f.Names())))
	for i := range NumInputs {
		if f.Reads(i) {
			t.Errorf("without weights it reads %s", InputNames()[i])
		}
	}
	if f.Score(&x) != 0 {
		t.Error("without weights the score is not 0")
	}
}

// Every term moves the score, as Reads states, and Split is linear in the pressure.
func TestEveryTerm(t *testing.T) {
	for i, n := range TermNames() {
		f, err := New([]string{n}, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.Set([]float64{1})
		x := Inputs{Spread: 0.5, Pressure: 1}
		for k := range x {
			if x[k] = 1.5; Input(k) == Pressure {
				continue
			}
			before := f.Score(&x)
			x[k] = 3.25
			if moved := f.Score(&x) != before; moved != f.Reads(Input(k)) {
				t.Errorf("term %d, %s: %s moves the score: %v", i, n, InputNames()[k], moved)
			}
		}
		fixed, slope := f.Split(&x)
		if got, want := f.Score(&x), fixed+slope*x[Pressure]; got != want ||
			(slope != 0) != strings.HasPrefix(n, "pressure") {
			t.Errorf("%s: score %v, split %v and %v", n, got, fixed, slope)
		}
	}
}

// A product with the spread is by how much the law is to be trusted, times what is off the centre.
func TestSpreadProducts(t *testing.T) {
	names := BaseTerms()
	if more := TermNames()[len(names):]; !slices.Equal(more, []string{"spread_rank", "spread_gpus", "spread_attained"}) {
		t.Fatalf("beyond the base there are %v", more)
	}
	f, err := New(TermNames()[len(names):], 0)
	if err != nil {
		t.Fatal(err)
	}
	f.Set([]float64{1, 10, 100})
	x := Inputs{Rank: 7, Spread: 2, GPUs: 3, Attained: 4.5, Pressure: 9}
	if got := f.Score(&x); got != 2*(7-4)+10*2*(3-2)+100*2*(4.5-4) {
		t.Errorf("score %v, want 126", got)
	}
	if got := f.With(f.Weights(), &x); got != 126 {
		t.Errorf("score under weights %v, want 126", got)
	}
}

func TestCopies(t *testing.T) {
	f, _ := New([]string{"rank", "gpus"}, 2)
	w := make([]float64, len(f.Names()))
	for i := range w {
		w[i] = float64(i)
	}
	f.Set(w)
	c := f.Clone()
	var d Func
	d.CopyFrom(f)
	f.Set(make([]float64, len(w)))
	if !slices.Equal(c.Weights(), w) || !slices.Equal(d.Weights(), w) {
		t.Errorf("copies have %v and %v, want %v", c.Weights(), d.Weights(), w)
	}
	if n := testing.AllocsPerRun(10, func() { f.Set(w); f.Score(&Inputs{}) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestNewFaults(t *testing.T) {
	_, err := New([]string{"rnk", "age", "age", "pressure"}, 65)
	for _, want := range []string{`the feature "rnk" is unknown, expected some of rank, spread`,
		"the feature age is given twice, expected once",
		`the feature "pressure" is unknown`, "65 hidden units, expected 0 to 64"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := New(nil, 0); err == nil {
		t.Error("no feature is no fault")
	}
}
