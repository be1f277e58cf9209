package deepshare

import (
	"path/filepath"
	"strings"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/origin"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const (
	head  = "job,model,num_gpus,total_samples,submit_s,sample_s\n"
	one   = "0,MoE,8,130785.648,,\n"
	two   = "1,mobilenetv3,2,2439373.682,7.5,\n"
	three = "2,net,4,1000,,0.25\n"
	four  = "3,net,4,1000.4,0,\n"
)

func TestFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Table: true, Parse: Parse,
		Sample: head + one + two + three + four, Duplicate: head + one +
			two + three + four + two})
}

// own are the jobs of the authors' own files.
const own = `{"0": {"model": "MoE", "gpu_demand": 8, "total_samples_to_train": 1307.6},
 "10": {"model": "DLRM", "gpu_demand": 2.0, "total_samples_to_train": 442.2, "more": [1]},
 "2": {"total_samples_to_train": "442.2", "gpu_demand": "4", "model": "net"}}`

func TestMembers(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Parse: Parse, Sample: own, Duplicate: strings.TrimSuffix(own, "}") +
		`, "0": {"model": "MoE", "gpu_demand": 8, "total_samples_to_train": 1}}`})
	w, _, err := Parse("m", strings.NewReader(own), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	csv, _, err := Parse("m", strings.NewReader("job,model,num_gpus,total_samples\n0,MoE,8,1307.6\n2,net,4,442.2\n"+
		"10,DLRM,2,442.2\n"), intake.Options{Strict: true})
	if err != nil || w.Hash() != csv.Hash() || w.Jobs[2].ID != "10" {
		t.Errorf("%+v, %v, expected the jobs of the CSV in the order of their numbers %+v", w.Jobs, err, csv)
	}
}

func TestWrongMembers(t *testing.T) {
	of := func(text string) string { return `{"7": {` + text + `}}` }
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"cut off", own[:90], `f:2: the file ends inside element 2 of the object: is it cut off?`},
		{"cut off behind a job", own[:73], `f:1: the file ends inside the object: is it cut off?`},
		{"none", "{}", `f: no job can be kept: it holds no rows`},
		{"more behind it", of(`"model": "m", "gpu_demand": 1, "total_samples_to_train": 1`) + "{}",
			`f:1: text after the closing bracket, expected the end of the file`},
		{"a list for a job", `{"7": [1]}`, `f:1: the element is a array, expected an object`},
		{"no model", of(`"gpu_demand": 1, "total_samples_to_train": 1`), `f:1: column "model" is "", expected a model`},
		{"no GPUs", of(`"model": "m", "total_samples_to_train": 1`),
			`f:1: column "num_gpus" is "", expected a whole number from 1 to 1000000`},
		{"half a GPU", of(`"model": "m", "gpu_demand": 0.5, "total_samples_to_train": 1`),
			`f:1: column "num_gpus" is "0.5", expected a whole number from 1 to 1000000`},
		{"no samples", of(`"model": "m", "gpu_demand": 1, "total_samples_to_train": null`),
			`f:1: column "total_samples" is "", expected a number > 0`},
		{"no name", `{"": {"model": "m", "gpu_demand": 1, "total_samples_to_train": 1}}`,
			`f:1: the job has no id, expected a name`},
		{"a list of models", of(`"model": ["m"], "gpu_demand": 1, "total_samples_to_train": 1`),
			`f:1: a field is a list or an object, expected text or a number`},
	})
}

func TestFields(t *testing.T) {
	w, _, err := Parse("m", strings.NewReader(head+one+two+three+four), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []sim.Job{
		{ID: "0", Model: "MoE", GPUs: 8, Iterations: 130786, IterS: 2 / 12.29, Work: 21283262490},
		{ID: "1", Model: "mobilenetv3", GPUs: 2, Iterations: 2439374, IterS: 2 / 677.6, Work: 7200040384,
			Submit: 7500 * sim.Second / 1000},
		{ID: "2", Model: "net", GPUs: 4, Iterations: 1000, IterS: 0.25, Work: 250 * sim.Second},
		{ID: "3", Model: "net", GPUs: 4, Iterations: 1000, IterS: 0.001, Work: 1000400, Drawn: origin.Work},
	} {
		for _, got := range w.Jobs {
			// products by hand have five digits
			if d := got.Work - want.Work; got.ID == want.ID && d > -2e5 && d < 2e5 {
				if e := got.IterS / want.IterS; e < 1-1e-12 || e > 1+1e-12 {
					t.Errorf("job %s has samples of %v s, want %v", got.ID, got.IterS, want.IterS)
				}
				got.Work, got.IterS = want.Work, want.IterS
				if got != want {
					t.Errorf("got %+v, want %+v", got, want)
				}
			} else if got.ID == want.ID {
				t.Errorf("job %s has %d us of work, want %d", got.ID, got.Work, want.Work)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	for in, want := range map[string]string{
		"":                     "m:1: the file is empty",
		"job\n":                `m:1: column "model" is missing`,
		"job,model,num_gpus\n": `m:1: column "total_samples" is missing`,
		head + "x,a,0,1,,\n":   `m:2: column "num_gpus" is "0"`,
		head + "x,a,1.5,1,,\n": `m:2: column "num_gpus" is "1.5"`,
		head + "x,,1,1,,\n":    `m:2: column "model" is ""`,
		head + "x,a,1,0,,\n":   `m:2: column "total_samples" is "0"`,
		head + "x,a,1,z,,\n":   `m:2: column "total_samples" is "z"`,
		head + "x,a,1,1,-1,\n": `m:2: column "submit_s" is "-1"`,
		head + "x,a,1,1,,0\n":  `m:2: column "sample_s" is "0"`,
		head +
			"x,a,1,1e13,,1\n": `m:2: column "total_samples" is "1e13", expected 1e-6 s to 1e12 s of work in samples of 1 s each`,
		head + "x,a,1,1e-9,,1\n":        `m:2: column "total_samples" is "1e-9"`,
		head + "x,a,1,1,,\nx,a,1,2,,\n": `"x"`,
		head + "x,a,2000001,1,,\n":      `m:2: column "num_gpus" is "2000001"`,
	} {
		_, _, err := Parse("m", strings.NewReader(in), intake.Options{Strict: true})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}

// The published lists: 256 jobs of 2, 4 and 8 GPUs, all at the start, each of about an hour alone.
func TestPublished(t *testing.T) {
	dir := sharedata.Path(t, "traces", "deepshare")
	for _, name := range []string{"real_trace0", "simulate_trace0"} {
		w, _, err := Read(filepath.Join(dir, name+".csv"), intake.Options{Strict: true})
		if err != nil || len(w.Jobs) != 256 {
			t.Fatalf("%s: %v, want 256 jobs", name, err)
		}
		for i := range w.Jobs {
			if j := &w.Jobs[i]; j.Submit != 0 || j.Drawn != 0 || j.GPUs != 2 && j.GPUs != 4 && j.GPUs != 8 ||
				j.Work < sim.Time(1800*sim.Second)*sim.Time(j.GPUs) ||
				j.Work > sim.Time(7200*sim.Second)*sim.Time(j.GPUs) {
				t.Errorf("%s: %+v", name, j)
			}
		}
	}
}

func FuzzParse(f *testing.F) { tracetest.Fuzz(f, Parse, own, head+one+two+three, head+one+four) }
