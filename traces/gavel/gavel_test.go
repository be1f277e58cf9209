package gavel

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const (
	head  = "job_id,job_type,model,batch_size,scale_factor,total_steps,arrival_s,priority_weight,slo\n"
	one   = "0,ResNet-18 (batch size 256),ResNet-18,256,1,74161,0.0,1.0,\n"
	two   = "1,A3C,A3C,,1,100,3.5,5.0,1.2\n"
	three = "2,LM (batch size 5),LM,5,4,8000,3.5,,-1\n"
	lineA = "LM (batch size 5)\tpython main.py --data " +
		"'%s/it\"s'\tgpusched/lm\t--steps\t1\t10027\t2\t1\t-1.000000\t60.5\n"
	lineB = "CycleGAN\tpython3 cyclegan.py\t--n_steps\t1\t295\t1\t1\t1.5\t0\n"
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
		{ID: "0", Model: "ResNet-18 (batch size 256)", GPUs: 1, Work: 74161 * 97_085, Iterations: 74161,
			IterS: 0.097085, Priority: 1},
		{ID: "1", Model: "A3C", GPUs: 1, Submit: 3_500_000, Work: 100 * 139_358, Iterations: 100, IterS: 0.139358,
			Priority: 5, Deadline: 3_500_000 + 16_722_960},
		{ID: "2", Model: "LM (batch size 5)", GPUs: 4, Submit: 3_500_000, Work: 8000 * 9160, Iterations: 8000,
			IterS: 0.00916},
	} {
		if jobs[i] != want {
			t.Errorf("got %+v, want %+v", jobs[i], want)
		}
	}
}

// step_s and duration_s replace what is known of models, and stand in for what is not.
func TestOwnModels(t *testing.T) {
	jobs := parse(t, "job_id,job_type,scale_factor,total_steps,arrival_s,slo,step_s,duration_s\na,A3C,2,10,0,2,0.5,"+
		"100\nb,mine,1,10,1,2,0.25,\nc,other,1,10,2,2,,\n")
	for i, want := range []sim.Job{
		{ID: "a", Model: "A3C", GPUs: 2, Work: 5 * sim.Second, Iterations: 10, IterS: 0.5, Deadline: 200 * sim.Second},
		{ID: "b", Model: "mine", GPUs: 1, Submit: sim.Second, Work: 2_500_000, Iterations: 10, IterS: 0.25,
			Deadline: 6 * sim.Second},
		{ID: "c", Model: "other", GPUs: 1, Submit: 2 * sim.Second, Work: sim.Second, Iterations: 10, IterS: 0.1,
			Deadline: 4 * sim.Second, Drawn: origin.Work},
	} {
		if jobs[i] != want {
			t.Errorf("got %+v, want %+v", jobs[i], want)
		}
	}
}

// Gavel's own layouts, with and without the working directory.
func TestOwnLayout(t *testing.T) {
	jobs := parse(t, lineA+strings.Replace(lineA, "10027", "20", 1))
	want := sim.Job{ID: "0", Model: "LM (batch size 5)", GPUs: 2, Submit: 60_500_000, Work: 10027 * 9160,
		Iterations: 10027, IterS: 0.00916, Priority: 1}
	if len(jobs) != 2 || jobs[0] != want || jobs[1].ID != "1" || jobs[1].Iterations != 20 {
		t.Errorf("got %+v, want %+v", jobs, want)
	}
	want = sim.Job{ID: "0", Model: "CycleGAN", GPUs: 1, Work: 295 * 225_933, Iterations: 295, IterS: 0.225933,
		Priority: 1, Deadline: 99_975_352}
	if jobs = parse(t, "\ufeff"+lineB); jobs[0] != want {
		t.Errorf("got %+v, want %+v", jobs[0], want)
	}
}

// The layouts of six and seven fields, and the jobs without a GPU in lists made from Philly.
func TestOldLayouts(t *testing.T) {
	const seven = "LM (batch size 5)\tcd %s/lm && python main.py\t--steps\t1\t100\t0.000000\t1\n" +
		"A3C\tcd %s/rl\t--max-steps\t0\t50\t11.500000\t8\nA3C\tcd\t--max-steps\t0\t50\t12\t0\n"
	const six = "LM (batch size 5)\tcd\t--steps\t100\t0\t1\nA3C\tcd\t--max-steps\t50\t11.5\t8\n" +
		"A3C\tcd\t--max-steps\t50\t12\t0\n"
	want := []sim.Job{
		{ID: "0", Model: "LM (batch size 5)", GPUs: 1, Work: 100 * 9160, Iterations: 100, IterS: 0.00916},
		{ID: "1", Model: "A3C", GPUs: 8, Submit: 11_500_000, Work: 50 * 139_358, Iterations: 50, IterS: 0.139358},
	}
	for _, text := range []string{seven, six} {
		w, report, err := Parse("s", strings.NewReader(text), intake.Options{Strict: true})
		if err != nil || len(w.Jobs) != 2 || w.Jobs[0] != want[0] || w.Jobs[1] != want[1] || len(report.Dropped) != 1 ||
			report.Dropped[0].Text != "the job asks for no GPU: its scale_factor is 0" {
			t.Errorf("%q gives %+v, %v, %v", text, w, report, err)
		}
	}
}

func with(from, to string) string { return head + strings.Replace(one, from, to, 1) }

func TestWrong(t *testing.T) {
	const fields = `expected six (job_type, command, num_steps_arg, total_steps, arrival_time, scale_factor), seven (the same with needs_data_dir before total_steps), nine or ten (job_type, command, perhaps working_directory, num_steps_arg, needs_data_dir, total_steps, scale_factor, priority_weight, SLO, arrival_time), or CSV with a header`
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "",
			`f:1: the file is empty, expected a header with the columns job_id,job_type,scale_factor,total_steps,arrival_s`},
		{"other header", "job_type,a\n", "f:1: column \"job_id\" is missing, the header has \"job_type,a\"\nf:1: " +
			"column \"scale_factor\" is missing, the header has \"job_type,a\"\n" +
			"f:1: column \"total_steps\" is missing, the header has \"job_type,a\"\nf:1: column \"arrival_s\" is " +
			"missing, the header has \"job_type,a\""},
		{"five fields", "0\tresnet50\tcd\t5\t5\n", `f:1: 5 tab-separated fields, ` + fields},
		{"eight fields", "A3C\tcd\t-n\t1\t100\t1\t1\t0\n", `f:1: 8 tab-separated fields, ` + fields},
		{"seven in another order", "A3C\tcd\t-n\t4\t100\t0.0\t1\n",
			`f:1: column "needs_data_dir" is "4", expected a whole number from 0 to 1`},
		{"no GPUs in ten fields", strings.Replace(lineA, "\t2\t1\t", "\t0\t1\t", 1),
			`f:1: column "scale_factor" is "0", expected a whole number from 1 to 1000000`},
		{"twelve fields", "A3C\tcd\td\t-n\t1\t100\t1\tstatic\t1\t-1\t5\t0\n", `f:1: 12 tab-separated fields, ` +
			fields},
		{"a field too few", lineA + lineB, `f:2: 9 fields, expected 10`},
		{"no steps", with("74161", "0"), `f:2: column "total_steps" is "0", expected a whole number >= 1`},
		{"no GPUs", with(",1,74161", ",0,74161"),
			`f:2: column "scale_factor" is "0", expected a whole number from 1 to 1000000`},
		{"half a weight", with("1.0", "1.5"),
			`f:2: column "priority_weight" is "1.5", expected a whole number from 0 to 2147483646`},
		{"arrival", with("0.0", "-1"), `f:2: column "arrival_s" is "-1", expected seconds >= 0`},
		{"slo", with("1.0,", "1.0,soon"), `f:2: column "slo" is "soon", expected a number >= -1e+12`},
		{"far deadline", with("1.0,", "1.0,1e12"),
			`f:2: column "slo" is "1e12", expected a deadline at most 1e12 s after the arrival`},
		{"no model", with("ResNet-18 (batch size 256)", ""),
			`f:2: column "job_type" is "", expected a model and its batch size`},
		{"endless", with("74161", "9007199254740992"),
			`f:2: column "total_steps" is "9007199254740992", expected at most 1e12 s of work in total_steps x 0.097085 s`},
		{"no id", head + "," + one[2:], `f:2: the job has no id, expected a name`},
	})
}

func FuzzParse(f *testing.F) {
	tracetest.Fuzz(f, Parse, head+one+two+three, lineA, lineB, head+one, "A3C\tcd\t-n\t100\t0\t1\n",
		"A3C\tcd\t-n\t1\t100\t0.0\t0\nA3C\tcd\t-n\t1\t100\t0.0\t1\n",
		"job_id\tjob_type\tscale_factor\ttotal_steps\tarrival_s\n0\tA3C\t1\t5\t0\n")
}

// The shared traces: as many jobs and steps as their files have.
func TestSharedTraces(t *testing.T) {
	for _, c := range []struct {
		file  string
		jobs  int
		steps int64
		last  float64
	}{
		{"max_min_fairness", 96, 18166806, 46317}, {"small_test", 20, 53402, 0},
		{"genhi_2000", 2000, 511253197, 238005},
	} {
		w, report, err := Read(tracetest.Shared(t, "gavel/"+c.file+".csv"), intake.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		var steps int64
		for i := range w.Jobs {
			j := &w.Jobs[i]
			steps += j.Iterations
			if j.Drawn != 0 || j.Deadline != 0 || j.Priority != 1 ||
				float64(j.Work) != float64(j.Iterations)*float64(j.IterS*1e6) {
				t.Fatalf("%s: %+v", c.file, *j)
			}
		}
		_, last := w.Span()
		if report.Rows != c.jobs || len(w.Jobs) != c.jobs || steps != c.steps || last.Seconds() != c.last {
			t.Errorf("%s: %d jobs, %d steps, the last at %v", c.file, len(w.Jobs), steps, last.Seconds())
		}
	}
}
