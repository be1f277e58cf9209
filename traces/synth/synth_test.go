package synth

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/rng"
)

func generate(t *testing.T, spec string, seed uint64) *sim.Workload {
	t.Helper()
	c, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	w, err := Generate(c, rng.Source{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestEveryPresetGivesAWorkload(t *testing.T) {
	for _, p := range Presets() {
		w := generate(t, p.Name+":jobs=300", 1)
		if len(w.Jobs) != 300 || w.Name != "synth:"+p.Name || p.Doc == "" || len(w.Origins) < 3 {
			t.Errorf("%s: %d jobs named %q", p.Name, len(w.Jobs), w.Name)
		}
		if generate(t, p.Name+",jobs=300", 1).Hash() != w.Hash() {
			t.Errorf("%s: the same seed gives other jobs", p.Name)
		}
		if generate(t, p.Name+",jobs=300", 2).Hash() == w.Hash() {
			t.Errorf("%s: another seed gives the same jobs", p.Name)
		}
	}
}

// The jobs of a seed are part of every published result.
func TestGolden(t *testing.T) {
	for spec, want := range map[string]string{
		"demo":                       "a78bd84d4a699812",
		"bursty:jobs=200,law=philly": "9e7f126ab87cd4aa",
		"diurnal:jobs=200,law=hyper": "06b2d19fbb16c46d",
		"gavel:jobs=200":             "d557d50a2f94b334",
		"recur:jobs=500":             "4a67271dcd2b26b5",
		"recur-drift:jobs=500,request=4,arrivals=bursty": "c7a51529c3dddac4",
	} {
		h := sha256.New()
		for _, j := range generate(t, spec, 42).Jobs {
			fmt.Fprintln(h, j.ID, int64(j.Submit), j.GPUs, int64(j.Work), j.Model, j.User, j.VC)
			if j.Request > 0 {
				fmt.Fprintln(h, int64(j.Request))
			}
		}
		if got := fmt.Sprintf("%.8x", h.Sum(nil)); got != want {
			t.Errorf("%s: hash %s, want %s", spec, got, want)
		}
	}
}

// Another draw of one kind leaves the other kinds alone.
func TestStreamsAreApart(t *testing.T) {
	a := generate(t, "poisson:jobs=200", 3)
	b := generate(t, "poisson:jobs=200,models=VGG+BERT,users=7,arrivals=batch", 3)
	for i := range a.Jobs {
		byID := slices.IndexFunc(b.Jobs, func(j sim.Job) bool { return j.ID == a.Jobs[i].ID })
		x, y := a.Jobs[i], b.Jobs[byID]
		if x.GPUs != y.GPUs || x.Work != y.Work {
			t.Fatalf("job %s: %+v became %+v when models, users and arrivals changed", x.ID, x, y)
		}
	}
}

// The load that is asked for is the load of the jobs, within sampling error.
func TestLoadIsKept(t *testing.T) {
	for _, c := range []struct {
		spec      string
		gpus      int
		load, tol float64
	}{
		{"poisson:jobs=40000,load=0.8", 512, 0.8, 0.03},
		{"bursty:jobs=40000,load=0.5", 512, 0.5, 0.03},
		{"diurnal:jobs=40000,load=1.2,gpus=64", 64, 1.2, 0.05},
		{"mm1:jobs=40000,load=0.7", 1, 0.7, 0.03},
		{"mmk:jobs=40000", 8, 0.8, 0.03},
		{"philly:jobs=200000,gpus=1024,load=0.9", 1024, 0.9, 0.06},
		{"helios:jobs=200000", 4096, 0.8, 0.15},
	} {
		w := generate(t, c.spec, 5)
		work := 0.0
		for _, j := range w.Jobs {
			work += j.Work.Seconds()
		}
		_, last := w.Span()
		if got := work / (last.Seconds() * float64(c.gpus)); math.Abs(got-c.load) > c.tol*c.load {
			t.Errorf("%s: load %.4f", c.spec, got)
		}
	}
}

func TestRateAndSettings(t *testing.T) {
	w := generate(t, "mm1:jobs=50000,rate=0.25,mean=2", 9)
	_, last := w.Span()
	if got := 50000 / last.Seconds(); math.Abs(got-0.25) > 0.005 {
		t.Errorf("rate %.4f, want 0.25", got)
	}
	c, err := Parse("philly:models=none,users=0")
	if err != nil {
		t.Fatal(err)
	}
	if w, err := Generate(c, rng.Source{}); err != nil || w.Jobs[0].Model != "" || w.Jobs[0].User != "" ||
		w.Jobs[0].Drawn&(origin.Model|origin.User) != 0 {
		t.Errorf("models=none,users=0 gave %+v, %v", w.Jobs[0], err)
	}
	if w := generate(t, "helios:gpus=8,jobs=2000", 1); slices.ContainsFunc(w.Jobs,
		func(j sim.Job) bool { return j.GPUs > 8 }) {
		t.Error("a job asks for more GPUs than the cluster has")
	}
}

func TestWrongSpecs(t *testing.T) {
	for spec, want := range map[string]string{
		"":                 `synth: unknown preset "", expected one of demo, philly, helios, batch, poisson, bursty, diurnal, million, gavel, ada-srsf, recur, recur-drift, mm1, mmk, mg1`,
		"demos":            `synth: unknown preset "demos", expected one of demo, philly, helios, batch, poisson, bursty, diurnal, million, gavel, ada-srsf, recur, recur-drift, mm1, mmk, mg1; did you mean "demo"?`,
		"demo:jobs=0":      `synth:demo: jobs is "0", expected a whole number in 1..50000000`,
		"demo,jobs=1e3":    `synth:demo: jobs is "1e3", expected a whole number in 1..50000000`,
		"demo:load=NaN":    `synth:demo: load is "NaN", expected a number in 1e-06..1000`,
		"demo:load=0":      `synth:demo: load is "0", expected a number in 1e-06..1000`,
		"demo:gpus=-1":     `synth:demo: gpus is "-1", expected a whole number in 1..10000000`,
		"demo:law=phily":   `synth:demo: law is "phily", expected multi, philly, helios, exp, det, lognormal, hyper, gavel, gavel-single, ada-srsf; did you mean "philly"?`,
		"demo:jobs":        `synth:demo: "jobs": expected key=value`,
		"demo:models=a++b": `synth:demo: models is "a++b", expected none, paper, heavy or names separated by +`,
		"demo:signal=0.5":  `synth:demo: signal is given and templates is 0, expected templates >= 1: the jobs do not recur`,
		"recur:users=0":    `synth:recur: users is 0 and templates 6, expected users >= 1: templates belong to users`,
		"recur:law=exp,renew=0.5": `synth:recur: law is exp with templates, expected philly, helios, multi or lognormal
synth:recur: renew is 0.5, expected 0 (never) or a number >= 1`,
		"recur:session=0":       `synth:recur: session is "0", expected a number in 1..1e+06`,
		"demo:rate=1,load=1":    `synth:demo: load and rate are both given, expected one of them`,
		"mg1:law=hyper,scv=0.5": `synth:mg1: scv is 0.5, expected a number >= 1 for law=hyper`,
		"bursty:burst=20":       `synth:bursty: burst is 20 with burst_frac 0.1, expected burst <= 1/burst_frac = 10`,
	} {
		if _, err := Parse(spec); err == nil || err.Error() != want {
			t.Errorf("%s: got\n%v\nwant\n%s", spec, err, want)
		}
	}
	_, err := Parse("demo:jbos=3,users=x")
	if err == nil || !strings.Contains(err.Error(), `users is "x"`) ||
		!strings.Contains(err.Error(), `did you mean "jobs"?`) {
		t.Errorf("two faults are not told together: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("demo")
	f.Add("philly:jobs=10,load=0.5")
	f.Add("bursty,burst=3,burst_frac=0.2,cycle=60")
	f.Add("recur:renew=3,stay=9,drift=2,request=5,site=0,arrivals=diurnal")
	f.Add("mg1:law=hyper,scv=9,rate=0.001")
	f.Fuzz(func(t *testing.T, spec string) {
		c, err := Parse(spec)
		if err != nil {
			return
		}
		c.Jobs = min(c.Jobs, 50)
		c.Users = min(c.Users, 100)
		if c.Arrivals == "bursty" && c.CycleS < 1e-3/c.MeanRate() {
			return // thousands of states between two jobs
		}
		w, err := Generate(c, rng.Source{})
		if err == nil {
			err = w.Validate()
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

func ExampleParse() {
	c, err := Parse("philly:jobs=5000,gpus=256,load=0.95")
	fmt.Println(c.Jobs, c.GPUs, c.Load, c.Law, err)
	_, err = Parse("philly:lod=0.95")
	fmt.Println(strings.SplitAfter(err.Error(), "; ")[1])
	// Output:
	// 5000 256 0.95 philly <nil>
	// did you mean "load"?
}

func BenchmarkMillion(b *testing.B) {
	c, err := Parse("million")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Generate(c, rng.Source{}); err != nil {
			b.Fatal(err)
		}
	}
}

// The load is of the cluster, unless gpus= states another size, and then the note states what it
// comes to.
func TestLoadIsOfTheCluster(t *testing.T) {
	for _, c := range []struct {
		spec string
		on   int
		gpus int
		note string
	}{
		{"demo,load=1", 64, 64, ""},
		{"demo", 128, 128, ""},
		{"million,jobs=5", 16, 16, ""},
		{"demo,load=1,gpus=64", 64, 64, ""},
		{"demo,load=1,gpus=128", 64, 128, "load 1 is of 128 GPUs, since gpus=128 is given; on the cluster's 64 " +
			"GPUs it is 2"},
		{"batch,gpus=8", 64, 8, "gpus=8 is given and the cluster has 64 GPUs: no job asks for more than 8"},
		{"demo,rate=1,gpus=256", 64, 256, "gpus=256 is given and the cluster has 64 GPUs: no job asks for more " +
			"than 256"},
	} {
		law, err := Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		on, note := law.For(c.on)
		if on.GPUs != c.gpus || note != c.note {
			t.Errorf("%s on %d GPUs is for %d, note %q, expected %d, %q", c.spec, c.on, on.GPUs, note, c.gpus, c.note)
		}
	}
}

// The jobs of a long workload fill the share of the cluster that load= states, on every cluster.
func TestLoadIsMet(t *testing.T) {
	for _, gpus := range []int{16, 64, 512} {
		law, err := Parse("poisson,load=0.7,jobs=20000")
		if err != nil {
			t.Fatal(err)
		}
		law, _ = law.For(gpus)
		w, err := Generate(law, rng.Source{Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		work := 0.0
		for i := range w.Jobs {
			work += w.Jobs[i].Work.Seconds()
		}
		first, last := w.Span()
		if load := work / (last - first).Seconds() / float64(gpus); math.Abs(load-0.7) > 0.05 {
			t.Errorf("on %d GPUs the load is %.3f, expected 0.7", gpus, load)
		}
	}
}
