package elastic

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/rng"
)

func rule(t *testing.T, spec string) *Rule {
	t.Helper()
	r, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func put(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "limits.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The range of a job of so many GPUs: least, most, size of a worker; "" = it stays rigid.
func TestSpans(t *testing.T) {
	limits := put(t, "model,min_gpus,max_gpus,worker_gpus\nBERT,2,4,\nGPT,,16,4\n*,,8,\n")
	for _, c := range []struct {
		spec, model string
		gpus        int32
		want        string
	}{
		{"min=1", "", 4, "1..4"},
		{"min=1", "", 1, ""},
		{"max=2x", "", 4, "4..8"},
		{"min=0.5x,max=2x", "", 5, "3..10"},
		{"min=0.7x", "", 10, "7..10"},
		{"max=1.1x", "", 10, "10..11"},
		{"max=1.09x", "", 10, ""},
		{"min=0.001x", "", 4, "1..4"},
		{"min=1x,max=1x", "", 4, ""},
		{"min=2,max=6", "", 4, "2..6"},
		{"min=2,max=6", "", 1, "1..6"},
		{"min=2,max=6", "", 8, "2..8"},
		{"min=9,max=12", "", 4, "4..12"},
		{"min=1,max=4x,most=16", "", 8, "1..16"},
		{"min=1,max=4x,most=4", "", 8, "1..8"},
		{"min=1+8:0.5x,max=2x+4:8", "", 2, "1..4"},
		{"min=1+8:0.5x,max=2x+4:8", "", 4, "1..8"},
		{"min=1+8:0.5x,max=2x+4:8", "", 16, "8..16"},
		{"min=4:1,max=8:2x", "", 3, ""},
		{"min=4:1,max=8:2x", "", 4, "1..4"},
		{"min=1,max=3x,powers=true", "", 4, "1..8"},
		{"min=3,max=15,powers=true", "", 6, "4..8"},
		{"min=5,max=7,powers=true", "", 6, ""},
		{"min=1,max=12,powers=true", "", 12, "1..12"},
		{"min=1,max=4x,worker=4", "", 8, "4..32 in 4"},
		{"min=1,max=4x,worker=4", "", 6, "2..24 in 2"},
		{"min=1,max=10,worker=4", "", 4, "4..8 in 4"},
		{"min=1,worker=4", "", 3, "1..3"},
		{"min=1,max=2x,worker=4", "", 2, "2..4 in 2"},
		{"min=1,worker=8", "", 8, ""},
		{"min=1,max=4x,only=bert+GPT", "Bert", 4, "1..16"},
		{"min=1,max=4x,only=bert+GPT", "BERT (batch size 8)", 4, "1..16"},
		{"min=1,max=4x,only=bert+GPT", "VGG", 4, ""},
		{"min=1,max=4x,limits=" + limits, "bert", 3, "2..4"},
		{"min=1,max=4x,limits=" + limits, "GPT (batch size 1)", 8, "4..16 in 4"},
		{"min=1,max=4x,limits=" + limits, "VGG", 4, "1..8"},
		{"min=1,max=4x,limits=" + limits, "VGG", 16, "1..16"},
		{"limits=" + limits, "bert", 3, ""},
		{"max=1e6x", "", 1 << 30, ""},
	} {
		j := sim.Job{ID: "a", GPUs: c.gpus, Model: c.model, Work: 1}
		was := j
		rule(t, c.spec).job(&j, rng.Source{Seed: 1}.Stream(draws))
		got := ""
		if j != was {
			if got = fmt.Sprintf("%d..%d", j.MinGPUs, j.MaxGPUs); j.WorkerGPUs > 0 {
				got += fmt.Sprintf(" in %d", j.WorkerGPUs)
			}
			if err := j.Check(); err != nil || j.Drawn != origin.Range {
				t.Errorf("%+v: %v", j, err)
			}
			if lo, hi := j.Range(); lo != j.MinGPUs || hi != j.MaxGPUs {
				t.Errorf("%+v has the range %d..%d", j, lo, hi)
			}
		}
		if got != c.want {
			t.Errorf("%s of %d GPUs of %q is %q, expected %q", c.spec, c.gpus, c.model, got, c.want)
		}
	}
}

// What a trace gives stays, unless it is to be replaced.
func TestGivenRangesStay(t *testing.T) {
	given := []sim.Job{{ID: "a", GPUs: 4, MinGPUs: 2, Work: 1}, {ID: "b", GPUs: 4, MaxGPUs: 6, Work: 1},
		{ID: "c", GPUs: 4, WorkerGPUs: 2, Work: 1}, {ID: "d", GPUs: 1, ShareMilli: 500, Work: 1},
		{ID: "e", GPUs: 4, Work: 1}}
	of := func(spec string) string {
		w, err := sim.NewWorkload("w", slices.Clone(given))
		if err == nil {
			w, err = rule(t, spec).Apply(w, rng.Source{Seed: 1})
		}
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, j := range w.Jobs {
			text += fmt.Sprintf("%s %d %d %d %v;", j.ID, j.MinGPUs, j.MaxGPUs, j.WorkerGPUs, j.Drawn)
		}
		return text
	}
	for spec, want := range map[string]string{
		"min=1":                          "a 2 0 0 ;b 0 6 0 ;c 2 4 2 range;d 0 0 0 ;e 1 4 0 range;",
		"min=1,replace=true":             "a 1 4 0 range;b 1 4 0 range;c 2 4 2 range;d 0 0 0 ;e 1 4 0 range;",
		"min=1,replace=true,fraction=0":  "a 0 0 0 range;b 0 0 0 range;c 0 0 2 ;d 0 0 0 ;e 0 0 0 ;",
		"min=1x,max=1x":                  "a 2 0 0 ;b 0 6 0 ;c 0 0 2 ;d 0 0 0 ;e 0 0 0 ;",
		"min=1,fraction=0,max=7,only=xy": "a 2 0 0 ;b 0 6 0 ;c 0 0 2 ;d 0 0 0 ;e 0 0 0 ;",
	} {
		if got := of(spec); got != want {
			t.Errorf("%s gives %s, expected %s", spec, got, want)
		}
	}
}

// A job is elastic by its number in the stream alone: a larger fraction makes more of the same jobs
// elastic, and no other rule moves that.
func TestFraction(t *testing.T) {
	jobs := make([]sim.Job, 4000)
	for i := range jobs {
		jobs[i] = sim.Job{ID: fmt.Sprint(i), GPUs: int32(2 + i%7), Submit: sim.Time(i), Work: 1,
			Model: []string{"a", "b"}[i%2]}
	}
	w, err := sim.NewWorkload("w", jobs)
	if err != nil {
		t.Fatal(err)
	}
	src := rng.Source{Seed: 3, Replicate: 2}
	of := func(spec string) (out []bool, n int) {
		got, err := rule(t, spec).Apply(w, src)
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range got.Jobs {
			if out = append(out, j.MinGPUs > 0); j.MinGPUs > 0 {
				n++
			}
		}
		return out, n
	}
	third, n := of("min=1,fraction=0.3")
	if n < 1100 || n > 1300 {
		t.Errorf("%d of 4000 jobs are elastic, expected about 1200", n)
	}
	half, _ := of("max=3x,fraction=0.5")
	named, _ := of("max=3x,fraction=0.5,only=b")
	for i := range third {
		if third[i] && !half[i] || named[i] != (half[i] && i%2 == 1) {
			t.Fatalf("job %d: %v of 0.3, %v of 0.5, %v of those of model b", i, third[i], half[i], named[i])
		}
	}
	if want, _ := rule(t, "min=1,fraction=0.3").Apply(w, src); streamed(t, w, src).Hash() != want.Hash() {
		t.Error("jobs that come one by one have other ranges")
	}
}

func streamed(t *testing.T, w *sim.Workload, src rng.Source) *sim.Workload {
	s, change := w.Stream(), rule(t, "min=1,fraction=0.3").Changes(src)
	var out []sim.Job
	for j := (sim.Job{}); s.Next(&j); {
		change(&j)
		out = append(out, j)
	}
	got, err := sim.NewWorkload("w", out)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestWrongRules(t *testing.T) {
	bad := put(t, "model,min_gpus,max_gpus\nBERT,4,2\nbert,1,x\n,1,1\n")
	odd := put(t, "model,most\na,1\n")
	bound := `expected a count such as 4, a multiple such as 0.5x, or these by size, FROM:VALUE joined by +, with rising sizes`
	for spec, want := range map[string]string{
		"": "elastic: min or max is missing, expected at least one, such as min=1,max=2x, or " +
			"limits=FILE",
		"fraction=0.5":           "elastic: min or max is missing",
		"min=0":                  `elastic: min is "0", ` + bound,
		"min=1,max=x":            `max is "x", ` + bound,
		"max=-1x":                `max is "-1x", ` + bound,
		"max=1e7x":               `max is "1e7x", ` + bound,
		"max=2x+2x":              `max is "2x+2x", ` + bound,
		"max=8:2x+4:1x":          `max is "8:2x+4:1x", ` + bound,
		"max=0:2x":               `max is "0:2x", ` + bound,
		"min=1,fraction=2,mox=1": "unknown key \"mox\"",
		"min=1,fraction=1.5":     `fraction is "1.5", expected a number in 0..1`,
		"min=1,worker=0":         `worker is "0", expected a whole number in 1..1000000`,
		"min=1,only=a+":          `only is "a+", expected names of models joined by +`,
		"limits=none.csv":        "none.csv: no such file",
		"limits=" + odd: odd +
			`:1: unknown column "most", expected some of model,min_gpus,max_gpus,worker_gpus`,
		"limits=" + bad: bad + ":2: min_gpus 4 is above max_gpus 2\n" + bad +
			`:3: column "max_gpus" is "x", expected a whole number from 0 to 1000000`,
		"min=x,limits=" + bad: bad + `:4: column "model" is "", expected the name of a model, or * for all others`,
	} {
		if _, err := Parse(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected one with %s", spec, err, want)
		}
	}
	if got := Files("min=1,limits=a.csv"); len(got) != 1 || got[0] != "a.csv" || Files("min=1") != nil {
		t.Errorf("files %v", got)
	}
	if rule(t, "min=1,max=2x").String() != "min=1,max=2x" {
		t.Error("a rule is not as it was written")
	}
}
