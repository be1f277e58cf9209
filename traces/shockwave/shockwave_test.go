package shockwave

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
	head = "job,job_type,total_steps,scale_factor,mode,priority_weight,slo,duration_s,arrival_s,needs_data_dir," +
		"raw_steps_arg\n"
	one   = "0,LM (batch size 10),134583,1,gns,1,-1.000000,1418,0,1,--steps\n"
	two   = "1,ResNet-18 (batch size 32),143450,2,accordion,5.0,1.5,3338,55.5,1,--num_steps\n"
	three = "2,VGG (batch size 64),100,4,static,,,,64,1,x\n"
	line  = "Recommendation (batch size 512)\tpython3 train.py --x " +
		"'it\"s'\trec\t-n\t1\t121931\t1\tstatic\t1\t-1.000000\t720\t1322.5\n"
)

func TestFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Table: true, Parse: Parse,
		Sample: head + one + two + three, Duplicate: head + one + two +
			three + one})
}

func parse(t *testing.T, text string) []sim.Job {
	t.Helper()
	w, _, err := Parse("s", strings.NewReader(text), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	return w.Jobs
}

func TestFields(t *testing.T) {
	jobs := parse(t, head+one+two+three)
	for i, want := range []sim.Job{
		{ID: "0", Model: "LM (batch size 10)", BatchSize: 10, VC: "gns", GPUs: 1, Work: 134583 * 10_536,
			Iterations: 134583, IterS: 0.010536, Priority: 1},
		{ID: "1", Model: "ResNet-18 (batch size 32)", BatchSize: 32, VC: "accordion", GPUs: 2, Submit: 55_500_000,
			Work: 143450 * 23_269, Iterations: 143450, IterS: 0.023269, Priority: 5,
			Deadline: 55_500_000 + 5007*sim.Second},
		{ID: "2", Model: "VGG (batch size 64)", BatchSize: 64, VC: "static", GPUs: 4, Submit: 64 * sim.Second,
			Work: 10 * sim.Second, Iterations: 100, IterS: 0.1, Drawn: origin.Work},
	} {
		if jobs[i] != want {
			t.Errorf("got %+v, want %+v", jobs[i], want)
		}
	}
}

// Shockwave's own layout, and a step of one's own.
func TestOwnLayout(t *testing.T) {
	jobs := parse(t, line+strings.Replace(line, "1322.5", "2000", 1))
	want := sim.Job{ID: "0", Model: "Recommendation (batch size 512)", BatchSize: 512, VC: "static", GPUs: 1,
		Submit: 1_322_500_000, Work: 121931 * 5905, Iterations: 121931, IterS: 0.005905, Priority: 1}
	if len(jobs) != 2 || jobs[0] != want || jobs[1].ID != "1" || jobs[1].Submit != 2000*sim.Second {
		t.Errorf("got %+v, want %+v", jobs, want)
	}
	if j := parse(t, "job,job_type,total_steps,scale_factor,mode,arrival_s,step_s\na,LM (batch size "+
		"10),10,1,gns,0,0.5\n")[0]; j.Work != 5*sim.Second || j.IterS != 0.5 {
		t.Errorf("got %+v", j)
	}
}

func TestRefused(t *testing.T) {
	for in, want := range map[string]string{
		"":               "s:1: the file is empty",
		"job,job_type\n": `s:1: column "total_steps" is missing`,
		"a\tb\tc\n":      "s:1: 3 tab-separated fields, expected twelve (job_type,",
		head +
			"x,LM,1,1,gns,1,,,0,,\n": `s:2: column "job_type" is "LM", expected a model and its batch size, such as LM (batch size 10)`,
		head + "x,LM (batch size 0),1,1,gns,1,,,0,,\n": `s:2: column "job_type" is "LM (batch size 0)"`,
		head +
			"x,LM (batch size 5),1,1,often,1,,,0,,\n": `s:2: column "mode" is "often", expected static, accordion or gns`,
		head +
			"x,LM (batch size 5),0,1,gns,1,,,0,,\n": `s:2: column "total_steps" is "0", expected a whole number >= 1`,
		head + "x,LM (batch size 5),1,0,gns,1,,,0,,\n":  `s:2: column "scale_factor" is "0"`,
		head + "x,LM (batch size 5),1,1,gns,-1,,,0,,\n": `s:2: column "priority_weight" is "-1"`,
		head +
			"x,LM (batch size 5),1,1,gns,1,,,-4,,\n": `s:2: column "arrival_s" is "-4", expected seconds >= 0`,
		head +
			"x,LM (batch size 5),1,1,gns,1,1e11,1e3,0,,\n": `s:2: column "slo" is "1e11", expected a deadline at most 1e12 s after the arrival`,
		head +
			"x,LM (batch size 5),900000000000000,1,gns,1,,,0,,\n": `s:2: column "total_steps" is "900000000000000", expected at most 1e12 s of work`,
	} {
		_, _, err := Parse("s", strings.NewReader(in), intake.Options{Strict: true})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}

// The published traces: as many jobs as their names state, none drawn.
func TestPublished(t *testing.T) {
	dir := sharedata.Path(t, "traces", "shockwave")
	for name, n := range map[string]int{"tacc32_120": 120, "scale64_220": 220, "scale128_460": 460} {
		w, _, err := Read(filepath.Join(dir, name+".csv"), intake.Options{Strict: true})
		if err != nil || len(w.Jobs) != n {
			t.Fatalf("%s: %v, want %d jobs", name, err, n)
		}
		for i := range w.Jobs {
			if w.Jobs[i].Drawn != 0 {
				t.Errorf("%s: job %s has no step", name, w.Jobs[i].ID)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	tracetest.Fuzz(f, Parse, head+one+two+three, line, head+one)
}
