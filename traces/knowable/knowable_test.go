package knowable

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"tarry/sim"
	"tarry/sim/rng"
	"tarry/traces/synth"
)

// law draws jobs whose log run time is the sum of independent normal parts with the given
// deviations: what belongs to the user and size, and noise. Requests know the run up to a normal
// error of deviation 1.
func law(t *testing.T, n int, pair, noise float64) *sim.Workload {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	parts := map[[2]int]float64{}
	jobs := make([]sim.Job, n)
	for i := range jobs {
		k := [2]int{r.IntN(20), r.IntN(3)}
		if _, ok := parts[k]; !ok {
			parts[k] = pair * float64(1-2*(len(parts)%2)) // the 60 parts have exactly this deviation
		}
		y := parts[k] + noise*r.NormFloat64()
		run := math.Exp(y)
		g := int32(1) << k[1]
		jobs[i] = sim.Job{ID: fmt.Sprint(i), Submit: sim.Time(i) * 1000 * sim.Second, GPUs: g, Work: sim.Seconds(run) *
			sim.Time(g), User: fmt.Sprint("u", k[0]),
			VC: "all", Request: sim.Seconds(run * math.Exp(r.NormFloat64()))}
	}
	w, err := sim.NewWorkload("law", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func find(t *testing.T, r Report, name string) Source {
	t.Helper()
	for _, s := range r.Sources {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no source %q in %+v", name, r.Sources)
	return Source{}
}

// Where the law is known, so is R2.
func TestAgainstKnownLaws(t *testing.T) {
	for _, c := range []struct{ pair, noise float64 }{{1, 0.5}, {1, 1}, {0.5, 1}, {0, 1}} {
		r := Of(law(t, 40_000, c.pair, c.noise))
		s2, n2 := c.pair*c.pair, c.noise*c.noise
		all := s2 + n2
		want := map[string]float64{
			"all of these and their products": s2 / all,
			// The best line from the mean of the last five to the next: covariance^2 / (both
			// variances).
			"history": s2 * s2 / ((s2 + n2/5) * all),
			// The best line from log request, which is y plus noise of variance 1.
			"request": all / (all + 1),
		}
		for name, x := range want {
			got := find(t, r, name)
			if math.Abs(got.R2-x) > 0.02 || math.Abs(got.Spread-math.Sqrt(all*(1-x))) > 0.02 {
				t.Errorf("parts %+v: %s has R2 %.3f and spread %.3f, expected %.3f and %.3f", c, name, got.R2,
					got.Spread, x, math.Sqrt(all*(1-x)))
			}
		}
		if math.Abs(r.Spread-math.Sqrt(all)) > 0.02 || r.NewUsers != 0 || r.Fit+r.Test < 35_900 ||
			r.Fit+r.Test > 36_100 {
			t.Errorf("parts %+v: %+v", c, r)
		}
		if best := find(t, r, "everything").R2; best < want["request"]-0.01 || best < want["history"]-0.01 {
			t.Errorf("parts %+v: everything has R2 %.3f, less than a part of it", c, best)
		}
	}
}

// The recurring workloads are as predictable as their lines in the list state, in the mean over
// sites.
func TestRecurringWorkloads(t *testing.T) {
	mean := func(spec, name string) (r2, spread float64) {
		const sites = 6
		for site := range sites {
			c, err := synth.Parse(fmt.Sprintf("%s:site=%d", spec, site+1))
			if err != nil {
				t.Fatal(err)
			}
			w, err := synth.Generate(c, rng.Source{Seed: uint64(site)})
			if err != nil {
				t.Fatal(err)
			}
			s := find(t, Of(w), name)
			r2, spread = r2+s.R2/sites, spread+s.Spread/sites
		}
		return r2, spread
	}
	for _, c := range []struct {
		spec, name string
		r2, spread float64
	}{
		{"recur", "everything", 0.65, 0.72}, {"recur", "history", 0.49, 0.86}, {"recur-drift", "history", 0.52, 0.87},
		{"recur-drift", "all of these and their products", 0.2, 1.11},
		{"poisson,users=40,load=0.9,jobs=10000", "user", 0, 1.24},
	} {
		if c.spec[0] == 'p' {
			l, err := synth.Parse(c.spec)
			if err != nil {
				t.Fatal(err)
			}
			w, err := synth.Generate(l, rng.Source{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if s := find(t, Of(w), c.name); math.Abs(s.R2) > 0.03 {
				t.Errorf("%s: %s explains %.3f of jobs that do not recur", c.spec, c.name, s.R2)
			}
			continue
		}
		if r2, spread := mean(c.spec, c.name); math.Abs(r2-c.r2) > 0.06 || math.Abs(spread-c.spread) > 0.06 {
			t.Errorf("%s: R2 %.3f and spread %.3f from %s, expected %.2f and %.2f", c.spec, r2, spread, c.name, c.r2,
				c.spread)
		}
	}
}

// What cannot be estimated is left out, and what all jobs share is no source.
func TestWhatIsLeftOut(t *testing.T) {
	if r := Of(law(t, 90, 1, 1)); len(r.Sources) != 0 || r.Fit >= 60 {
		t.Errorf("90 jobs give %+v", r)
	}
	if r := Of(&sim.Workload{}); !reflect.DeepEqual(r, Report{}) {
		t.Errorf("no jobs give %+v", r)
	}
	names := func(w *sim.Workload) (out []string) {
		for _, s := range Of(w).Sources {
			out = append(out, s.Name)
		}
		return out
	}
	w := law(t, 400, 1, 1)
	if got := fmt.Sprint(names(w)); got != "[size user all of these and their products history request history, "+
		"request everything]" {
		t.Errorf("sources %s", got)
	}
	same := law(t, 400, 1, 1)
	for i := range same.Jobs {
		j := &same.Jobs[i]
		j.Work, j.GPUs, j.User, j.Request = j.Work/sim.Time(j.GPUs), 1, "u", 5*sim.Second
	}
	if got := fmt.Sprint(names(same)); got != "[history]" {
		t.Errorf("jobs of one user, size and request have the sources %s", got)
	}
	for i := range same.Jobs {
		same.Jobs[i].Work = 7 * sim.Second
	}
	if r := Of(same); len(r.Sources) != 0 || r.Spread != 0 || r.Test == 0 {
		t.Errorf("jobs of one length give %+v", r)
	}
}

// Jobs that come at once are measured in the order of the list; nothing has ended before.
func TestBatch(t *testing.T) {
	w := law(t, 4000, 1, 0.5)
	for i := range w.Jobs {
		w.Jobs[i].Submit = 0
	}
	r := Of(w)
	if r.Fit != 2400 || r.Test != 1200 {
		t.Errorf("parts of %d and %d jobs, expected 2400 and 1200", r.Fit, r.Test)
	}
	if s := find(t, r, "all of these and their products"); math.Abs(s.R2-0.8) > 0.03 {
		t.Errorf("categories have R2 %.3f, expected 0.8", s.R2)
	}
	if s := find(t, r, "history"); math.Abs(s.R2) > 0.01 {
		t.Errorf("history has R2 %.3f where nothing has ended, expected 0", s.R2)
	}
}

// Nothing of the measured part is in the predictions: other run times there, in jobs that end after
// the last submit, do not move them.
func TestNothingOfTheFuture(t *testing.T) {
	a, b := law(t, 2000, 1, 1), law(t, 2000, 1, 1)
	da := newData(a)
	for i := da.fit; i < len(b.Jobs); i++ {
		b.Jobs[i].Work = sim.Time(1e6+i) * 1000 * sim.Second
	}
	db := newData(b)
	for k, s := range da.sources() {
		pa, pb := predict(da.y, da.fit, s.columns), predict(db.y, db.fit, db.sources()[k].columns)
		if s.name == "history" || s.name == "history, request" || s.name == "everything" {
			pa, pb = pa[:da.fit+1], pb[:db.fit+1] // later ones see fewer ended jobs
		}
		if !reflect.DeepEqual(pa, pb) {
			t.Errorf("%s: run times of the measured part are in the predictions", s.name)
		}
	}
}

func TestSameEachTime(t *testing.T) {
	w := law(t, 3000, 1, 1)
	if a, b := Of(w), Of(w); !reflect.DeepEqual(a, b) {
		t.Errorf("twice the same gives %+v and %+v", a, b)
	}
}
