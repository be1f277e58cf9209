package itp

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const sample = "job,cluster,submission_time,duration,num_gpu\n0,07,1999,13423,1\n1,01,2001.5,600,64\n2,07,2060,1000,8\n"

func TestFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Table: true, Parse: Parse,
		Sample: sample, Duplicate: sample + "2,07,2060,1000,8\n"})
}

func TestFields(t *testing.T) {
	w, _, err := Parse("s", strings.NewReader(sample), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	want := sim.Job{ID: "1", VC: "01", GPUs: 64, Submit: 2500 * sim.Second / 1000, Work: 38400 * sim.Second}
	if w.Jobs[1] != want || w.Jobs[0].Submit != 0 || len(w.Jobs) != 3 {
		t.Errorf("got %+v, want %+v", w.Jobs[1], want)
	}
	// A file of one cluster, with what its publisher generated.
	one, _, err := Parse("s", strings.NewReader("job_id,submission_time,num_iteration,model_name,deadline,"+
		"batch_size,num_gpu,duration\n965d,1932025,45775,resnet50,1933904,256,64,2429\n"), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := (sim.Job{ID: "965d", GPUs: 64, Work: 64 * 2429 * sim.Second}); one.Jobs[0] != want {
		t.Errorf("got %+v, want %+v", one.Jobs[0], want)
	}
}

func TestWrong(t *testing.T) {
	row := func(s string) string { return "job,cluster,submission_time,duration,num_gpu\n" + s + "\n" }
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "", `f:1: the file is empty, expected a header with the columns submission_time,duration,num_gpu`},
		{"only a header", row("")[:44], `f: no job can be kept: it holds no rows`},
		{"no name", "submission_time,duration,num_gpu\n1,2,3\n",
			`f:1: expected exactly one of the columns "job" and "job_id"`},
		{"two names", "job,job_id,submission_time,duration,num_gpu\n",
			`f:1: expected exactly one of the columns "job" and "job_id"`},
		{"no GPU", row("a,01,5,60,0"), `f:2: column "num_gpu" is "0", expected a whole number from 1 to 1000000`},
		{"half a GPU", row("a,01,5,60,0.5"),
			`f:2: column "num_gpu" is "0.5", expected a whole number from 1 to 1000000`},
		{"negative submit", row("a,01,-5,60,1"), `f:2: column "submission_time" is "-5", expected seconds >= 0`},
		{"no duration", row("a,01,5,0,1"), `f:2: column "duration" is "0", expected seconds > 0`},
		{"duration in words", row("a,01,5,long,1"), `f:2: column "duration" is "long", expected seconds > 0`},
		{"NaN duration", row("a,01,5,NaN,1"), `f:2: column "duration" is "NaN", expected seconds > 0`},
		{"no id", row(",01,5,60,1"), `f:2: the job has no id, expected a name`},
		{"short line", row("a,01,5,60"), `f:2: 4 fields, expected 5`},
		{"longer than a life", row("a,01,5,2e9,1"),
			`f:2: the job runs for 2e+09s on each of its 1 GPUs, expected at most 1e+09s (31.7 years)`},
		{"two faults", row("a,01,x,60,y"), "f:2: column \"num_gpu\" is \"y\", expected a whole number from 1 to " +
			"1000000\nf:2: column \"submission_time\" is \"x\", expected seconds >= 0"},
	})
}

func TestTheTrace(t *testing.T) {
	w, report, err := Read(tracetest.Shared(t, "itp-2021/itp-2021.csv"), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	clusters := map[string]int{}
	shortest := sim.Never
	for i := range w.Jobs {
		clusters[w.Jobs[i].VC]++
		shortest = min(shortest, w.Jobs[i].Work/sim.Time(w.Jobs[i].GPUs))
	}
	if len(w.Jobs) != 69_351 || len(clusters) != 10 || shortest != 600*sim.Second || clusters["10"] == 0 ||
		report.Rows != 69_351 {
		t.Errorf("%d jobs of %v, the shortest runs %v", len(w.Jobs), clusters, shortest)
	}
	one, _, err := Read(tracetest.Shared(t, "elasticflow/itp_cluster06.csv"), intake.Options{Strict: true})
	if err != nil || len(one.Jobs) != 2396 {
		t.Errorf("the list of one cluster: error %v", err)
	}
}

func FuzzParse(f *testing.F) {
	tracetest.Fuzz(f, Parse, sample, "job_id,submission_time,duration,num_gpu\na,1,2,3\n", "job,job_id\n")
}
