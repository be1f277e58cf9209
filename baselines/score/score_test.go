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
		x := Inputs{Spread: 0.5, Pressure: 1, Lull: 1, Doubt: 1}
		for k := range x {
			if x[k] = 1.5; Input(k) == Pressure || Input(k) == Lull || Input(k) == Doubt {
				continue
			}
			before := f.Score(&x)
			x[k] = 3.25
			if moved := f.Score(&x) != before; moved != f.Reads(Input(k)) {
				t.Errorf("term %d, %s: %s moves the score: %v", i, n, InputNames()[k], moved)
			}
		}
		fixed, slope := f.Split(&x)
		x[Pressure], x[Lull], x[Doubt] = 1, 0.25, 0.5
		if got, want := f.Score(&x), fixed+slope.At(x.common()); got != want ||
			(slope.Pressure != 0) != strings.HasPrefix(n, "pressure") ||
			(slope.PressureLull != 0) != strings.HasPrefix(n, "lull_pressure") ||
			(slope.PressureDoubt != 0) != strings.HasPrefix(n, "doubt_pressure") ||
			f.Reads(Lull) != strings.HasPrefix(n, "lull") || f.Reads(Doubt) != strings.HasPrefix(n, "doubt") {
			t.Errorf("%s: score %v, split %v and %v", n, got, fixed, slope)
		}
	}
}

// A product with the spread is by how much the law is to be trusted, times what is off the centre.
func TestSpreadProducts(t *testing.T) {
	names := TermNames()[len(BaseTerms()):][:3]
	if !slices.Equal(names, []string{"spread_rank", "spread_gpus", "spread_attained"}) {
		t.Fatalf("beyond the base there are %v", names)
	}
	f, err := New(names, 0)
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

// Terms of the time that is left, by the law and by the request, are as other times' are, and follow
// the base.
func TestTimeLeft(t *testing.T) {
	names := TermNames()[len(BaseTerms())+3:][:6]
	if !slices.Equal(names, []string{"left", "pressure_left", "left2", "request", "pressure_request", "request2"}) {
		t.Fatalf("beyond the base there are %v", names)
	}
	f, err := New(names, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.Set([]float64{1, 10, 100, 1000, 1e4, 1e5})
	x := Inputs{Rank: 99, Left: 6, Request: 8, Pressure: 0.5}
	if got, with := f.Score(&x), f.With(f.Weights(), &x); got != 6+10*0.5*(6-4)+100*1+1000*8+1e4*0.5*(8-4)+1e5*4 ||
		with != got {
		t.Errorf("score %v and under weights %v, want 428116", got, with)
	}
	other, _ := New(BaseTerms(), 0)
	if !f.Foresees() || other.Foresees() {
		t.Error("one of the functions alone reads the time that is left")
	}
}

// lull_NAME is the lull times NAME, doubt_NAME the doubt, for every other term: with the weights of
// another function less the first's weights there, the score goes from the first to the other.
func TestGates(t *testing.T) {
	n := len(BaseTerms()) + 9
	names := TermNames()[:n]
	for i, name := range TermNames()[n:] {
		if want := []string{"lull_", "doubt_"}[i/n] + names[i%n]; name != want {
			t.Fatalf("term %d is %s, expected %s", n+i, name, want)
		}
	}
	plain, _ := New(names, 0)
	gated, err := New(TermNames(), 0)
	if err != nil {
		t.Fatal(err)
	}
	var first, quiet, unsure []float64
	for i := range names {
		first = append(first, float64(i%5)-2)
		quiet = append(quiet, float64(i%7)*0.5)
		unsure = append(unsure, float64(i%3)-0.5)
	}
	all := slices.Clone(first)
	for _, of := range [][]float64{quiet, unsure} {
		for i := range of {
			all = append(all, of[i]-first[i])
		}
	}
	gated.Set(all)
	x := Inputs{Rank: 7, Spread: 2, GPUs: 3, Attained: 4.5, Age: 2, Running: 1, Pressure: 1.5}
	a, b, c := plain.With(first, &x), plain.With(quiet, &x), plain.With(unsure, &x)
	for _, at := range [][2]float64{{0, 0}, {1, 0}, {0, 1}, {0.25, 0.5}} {
		x[Lull], x[Doubt] = at[0], at[1]
		want := a + at[0]*(b-a) + at[1]*(c-a)
		if got, with := gated.Score(&x), gated.With(all, &x); math.Abs(got-want) > 1e-12 || got != with {
			t.Errorf("lull and doubt %v: score %v and %v, want %v", at, got, with, want)
		}
	}
	if !gated.Gated() || plain.Gated() {
		t.Error("one of the functions alone is gated")
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
