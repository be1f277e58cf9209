package predict

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/rng"
	"tarry/traces/transform"
)

// all lists the predictors that learn.
func all() Catalogue {
	return Catalogue{Global(), Size(), UserSize(), Last2(), Request(), Ridge(), Mix(), Stack()}
}

func parse(t testing.TB, spec string) Predictor {
	t.Helper()
	p, err := all().Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func job(user string, gpus int32, submit, run float64) sim.Job {
	return sim.Job{ID: fmt.Sprint(user, gpus, submit), User: user, GPUs: gpus, Submit: sim.Seconds(submit),
		Work: sim.Seconds(run * float64(gpus))}
}

// site draws n jobs of users whose runs differ by user and size, with log-normal spread sd.
func site(n int, sd float64, seed uint64) []sim.Job {
	r := rng.Source{Seed: seed}.Stream("site")
	out := make([]sim.Job, n)
	for i := range out {
		u, g := r.IntN(12), int32(1<<r.IntN(4))
		y := 7 + 0.3*float64(u%5) - 0.7*float64(u%3) + 0.5*float64(g%3)
		out[i] = job(fmt.Sprint("u", u), g, float64(i)*50, math.Exp(y+sd*r.NormFloat64()))
		out[i].ID, out[i].Model = fmt.Sprint(i), fmt.Sprint("m", r.IntN(3))
	}
	return out
}

func TestByHand(t *testing.T) {
	past := []sim.Job{job("a", 1, 0, 100), job("a", 1, 1000, 400), job("b", 2, 2000, 900)}
	for _, c := range []struct {
		spec string
		of   sim.Job
		want float64 // median, s
	}{
		{"global", job("z", 4, 0, 1), math.Exp((math.Log(100) + math.Log(400) + math.Log(900)) / 3)},
		{"last2", job("a", 1, 0, 1), 250},
		{"last2", job("a", 8, 0, 1), 250}, // of the user
		{"last2", job("b", 2, 0, 1), 900},
		{"request:raw=true", sim.Job{ID: "r", GPUs: 1, Work: 1, Request: 77 * sim.Second}, 77},
	} {
		p := parse(t, c.spec)
		p.Fit(past)
		if got := p.Predict(0, &c.of).Median(); math.Abs(got/c.want-1) > 1e-12 {
			t.Errorf("%s of %s: %v s, expected %v", c.spec, c.of.ID, got, c.want)
		}
	}
	// size: the first of 2 GPUs lies log(900) - log(200) above the mean of those before it, and is
	// averaged with two jobs at 0.
	p := parse(t, "size:memory=0")
	p.Fit(past)
	mean := (math.Log(100) + math.Log(400) + math.Log(900)) / 3
	of := job("z", 2, 0, 1)
	if got, want := p.Predict(0, &of).LogMedian, mean+(math.Log(900)-math.Log(200))/3; math.Abs(got-want) > 1e-12 {
		t.Errorf("size: %v, expected %v", got, want)
	}
	blank := parse(t, "user-size")
	if l := blank.Predict(0, &of); math.Abs(l.Median()-priorMedianS) > 1e-6 || l.Sigma() != priorSigma {
		t.Errorf("knowing nothing: %v s, sigma %v", l.Median(), l.Sigma())
	}
}

// Every predictor: what it states is a function of what has ended and of the public part of a job;
// clones part ways; a second Fit forgets.
func TestAllPredictors(t *testing.T) {
	past, future := site(400, 0.6, 1), site(150, 0.6, 2)
	for _, e := range all() {
		t.Run(e.Name, func(t *testing.T) {
			p, again := parse(t, e.Name), parse(t, e.Name+":history=390")
			p.Fit(past)
			again.Fit(site(99, 3, 7))
			again.Fit(past)
			q := p.Clone()
			if reflect.DeepEqual(Assess(again, future), Assess(p, future)) && e.Name != "last2" {
				t.Error("a history of 390 jobs gives the same as one of 400")
			}
			if a, b := Assess(p, future), Assess(p, future); a != b || a.Jobs != len(future) {
				t.Errorf("%+v, then %+v", a, b)
			}
			for i := range future {
				secret := future[i]
				secret.Work, secret.Iterations, secret.State = 1, 5, "Pass"
				l := p.Predict(0, &future[i])
				if other := p.Predict(0, &secret); other != l {
					t.Fatalf("the work of a job that has not ended moves its prediction from %v to %v", l, other)
				}
				p.Ended(0, hidden(&future[i]), future[i].RunTime())
			}
			fresh := parse(t, e.Name)
			fresh.Fit(past)
			for i := range future {
				if a, b := q.Predict(0, &future[i]), fresh.Predict(0, &future[i]); a.LogMedian != b.LogMedian ||
					a.Sigma() != b.Sigma() {
					t.Fatalf("a clone says %v, a new one %v, after the original learned", a, b)
				}
			}
			if n := testing.AllocsPerRun(20, func() { p.Predict(0, &future[3]) }); n != 0 {
				t.Errorf("%v allocations for a prediction", n)
			}
		})
	}
}

// A job that has not ended at another's submit teaches nothing: the error made at its submit is
// from what had ended.
func TestFitKnowsOnlyWhatHadEnded(t *testing.T) {
	var past []sim.Job
	for i := range 40 { // each user's jobs come together: none depends on the other
		for k := range 3 {
			past = append(past, job(fmt.Sprint("u", i), 1, float64(i)*10_000+float64(k), math.Exp(3+float64(i%7))))
		}
	}
	p := parse(t, "user-size:refit=0").(*online)
	p.Fit(past)
	if p.all.shape.Sigma() < 1 {
		t.Errorf("the errors spread by %v, expected that of users nobody has seen", p.all.shape.Sigma())
	}
}

func TestAccuracyOfASite(t *testing.T) {
	past, future := site(3000, 0.5, 1), site(1500, 0.5, 2)
	for spec, least := range map[string]float64{"global": -0.05, "size": 0, "user-size": 0.4, "ridge": 0.5,
		"mix": 0.5, "stack": 0.5,
		"stack:of=user-size+ridge+last2":             0.5,
		"mix:of=user-size+ridge+last2,weights=1/2/1": 0.5,
		"last2": 0.2} {
		p := parse(t, spec)
		p.Fit(past)
		a := Assess(p, future)
		t.Logf("%s %+v", spec, a)
		if a.R2 < least || math.Abs(a.Within-0.8) > 0.05 || math.Abs(a.Below-0.5) > 0.05 ||
			math.Abs(a.SD/a.Spread-1) > 0.12 {
			t.Errorf("%s: %+v, expected R2 of at least %v and calibrated laws", spec, a, least)
		}
	}
}

// The fit is the solution of the normal equations, found by elimination.
func TestRidgeAgainstElimination(t *testing.T) {
	jobs := site(60, 1, 5)
	for i := range jobs {
		jobs[i].Request = sim.Seconds(float64(100 + 37*i))
	}
	r := newRidge(2, 0)
	for i := range jobs {
		r.add(&jobs[i], logRun(jobs[i].RunTime()))
	}
	for range 200 {
		r.solve()
	}
	first, n := [kinds]int{}, 1
	for k := range r.coef {
		first[k] = n - 1
		n += len(r.coef[k])
	}
	a, b, coef := make([][]float64, n), make([]float64, n), make([]float64, n)
	for i := range a {
		a[i] = make([]float64, n)
	}
	a[n-1][n-1], coef[n-1] = r.lambda, r.slope
	for k := range r.coef {
		for c, x := range r.coef[k] {
			a[first[k]+c][first[k]+c], coef[first[k]+c] = r.penalty(kind(k)), x
		}
	}
	for i, y := range r.since.y {
		x := map[int]float64{n - 1: r.since.asked[i] - r.centre}
		for k := range r.since.at {
			x[first[k]+int(r.since.at[k][i])]++
		}
		for p, u := range x {
			b[p] += u * (y - r.mean)
			for q, v := range x {
				a[p][q] += u * v
			}
		}
	}
	for i, want := range eliminate(a, b) {
		if math.Abs(coef[i]-want) > 5e-3 {
			t.Errorf("coefficient %d is %v, expected %v", i, coef[i], want)
		}
	}
}

// eliminate solves a x = b.
func eliminate(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		for j := i + 1; j < n; j++ {
			f := a[j][i] / a[i][i]
			for k := i; k < n; k++ {
				a[j][k] -= f * a[i][k]
			}
			b[j] -= f * b[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			b[i] -= a[i][k] * b[k]
		}
		b[i] /= a[i][i]
	}
	return b
}

func TestGuess(t *testing.T) {
	w, err := sim.NewWorkload("w", site(2000, 1, 3))
	if err != nil {
		t.Fatal(err)
	}
	g, err := transform.Guess(w, 0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	var e, ee float64
	for i := range g.Jobs {
		x := math.Log(g.Jobs[i].Request.Seconds() / g.Jobs[i].RunTime().Seconds())
		e += x / 2000
		ee += x * x / 2000
	}
	if math.Abs(e) > 0.05 || math.Abs(math.Sqrt(ee)-0.5) > 0.03 || w.Jobs[0].Request != 0 {
		t.Errorf("errors of mean %v and spread %v, expected 0 and 0.5", e, math.Sqrt(ee))
	}
	part, _ := sim.NewWorkload("p", slices.Clone(w.Jobs[700:900]))
	h, _ := transform.Guess(part, 0.5, 1)
	if h.Jobs[3].Request != g.Jobs[703].Request {
		t.Error("a job has another request in another window")
	}
	p := parse(t, "request:sigma=0,raw=true")
	if s, ok := p.(Guesses).Guesses(); !ok || s != 0 || !p.(Guesses).Exact() {
		t.Error("sigma 0 is not exact")
	}
	exact, _ := transform.Guess(w, 0, 1)
	p.Fit(exact.Jobs[:1000])
	if a := Assess(p, exact.Jobs[1000:]); a.R2 < 1-1e-9 || a.Spread != 0 {
		t.Errorf("%+v, expected R2 1", a)
	}
}

// The longest jobs of a log end last. They count no more than others for predictors that remember
// the latest jobs best.
func TestLastToEndAreNotTheLatest(t *testing.T) {
	var past []sim.Job
	for i := range 3000 {
		run := 100.0
		if i%10 == 0 {
			run = 1e7 // ends after all were submitted
		}
		past = append(past, job("a", 1, float64(i), run))
	}
	want := math.Log(100) + 0.1*(math.Log(1e7)-math.Log(100))
	for _, spec := range []string{"global:law=lognormal", "size:law=lognormal", "user-size:law=lognormal"} {
		p := parse(t, spec)
		p.Fit(past)
		j := job("a", 1, 0, 1)
		if y, _ := p.(*online).est.point(&j); math.Abs(y-want) > 0.1 {
			t.Errorf("%s: predicts ln(run time) %.2f, expected %.2f", spec, y, want)
		}
	}
	p := parse(t, "last2")
	p.Fit(past)
	j := job("a", 1, 0, 1)
	if y, _ := p.(*online).est.point(&j); math.Abs(y-math.Log(100)) > 1e-9 {
		t.Errorf("last2: predicts %.0f s, the last two took 100", math.Exp(y))
	}
}
