package spot

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const (
	head   = "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type\n"
	sample = head + "239,13,A10,20,1,1,0,1000,HP\n" +
		"440,57,A100-SXM4-80GB,15,1,16,50,410,SPOT\n" +
		"441,57,A100-SXM4-80GB,120,8.0,4,60,940,Spot\n" +
		"442,57,,4,0.25,1,70.5,100,HP\n" +
		"443,9,A10,4,0.5,3,70,100,HP\n" +
		"444,9,A10,4,0,3,70,100,HP\n" +
		"445,9,A10,4,1,3,70,0,HP\n" +
		"446,NaN,nan,,1,2,0,10,Spot\n"
)

func TestFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Table: true, Parse: Parse,
		Sample: sample, Duplicate: sample + "446,9,A10,4,1,3,70,7,HP\n",
		Unlisted: 2})
}

func TestFields(t *testing.T) {
	w, report, err := Parse("s", strings.NewReader(sample), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []sim.Job{
		{ID: "239", VC: "13", GPUType: "A10", GPUs: 1, Priority: 1, CPUMilli: 20_000, Work: 1000 * sim.Second},
		{ID: "446", GPUs: 2, Work: 20 * sim.Second},
		{ID: "440", VC: "57", GPUType: "A100-SXM4-80GB", GPUs: 16, CPUMilli: 15_000, Submit: 50 * sim.Second,
			Work: 16 * 410 * sim.Second},
		{ID: "441", VC: "57", GPUType: "A100-SXM4-80GB", GPUs: 32, WorkerGPUs: 8, CPUMilli: 15_000, Submit: 60 * sim.Second,
			Work: 32 * 940 * sim.Second},
		{ID: "443", VC: "9", GPUType: "A10", GPUs: 2, Priority: 1, CPUMilli: 6_000, Submit: 70 * sim.Second,
			Work: 200 * sim.Second},
		{ID: "442", VC: "57", GPUs: 1, ShareMilli: 250, Priority: 1, CPUMilli: 4_000, Submit: 70_500_000,
			Work: 25 * sim.Second},
	} {
		if w.Jobs[i] != want {
			t.Errorf("got %+v, want %+v", w.Jobs[i], want)
		}
	}
	const notes = "2 of 6 jobs are submitted at 0: their runs may have begun before the trace, a lower bound|" +
		"1 jobs have parts of GPUs in several workers: their demand is rounded up to whole GPUs"
	if got := strings.Join(report.Notes, "|"); got != notes {
		t.Errorf("the notes are %s", got)
	}
	if got := strings.Join(report.Cut, ","); got != "239,441" {
		t.Errorf("jobs %s end where the log ends, expected 239 and 441", got)
	}
}

func TestWrong(t *testing.T) {
	row := func(from, to string) string {
		return head + strings.Replace("440,57,A10,15,1,16,50,410,Spot\n", from, to, 1)
	}
	const seconds = "expected seconds >= 0"
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "", `f:1: the file is empty, expected a header with the columns job_name,organization,gpu_model,` +
			`gpu_request,worker_num,submit_time,duration,job_type`},
		{"no column", strings.Replace(sample, "worker_num", "workers", 1), `f:1: column "worker_num" is missing, the header ` +
			`has "job_name,organization,gpu_model,cpu_request,gpu_request,work"...`},
		{"no rows", head, `f: no job can be kept: it holds no rows`},
		{"submit", row(",50,", ",-1.0,"), `f:2: column "submit_time" is "-1.0", ` + seconds},
		{"no duration", row(",410,", ",NaN,"), `f:2: column "duration" is "NaN", ` + seconds},
		{"kind of job", row("Spot", "spotty"), `f:2: column "job_type" is "spotty", expected HP or Spot`},
		{"GPUs in words", row(",1,", ",one,"), `f:2: column "gpu_request" is "one", expected a number >= 0`},
		{"GPUs of a country", row(",1,", ",1e7,"), `f:2: column "gpu_request" is "1e7", expected a number from 0 to 1000000`},
		{"too many in all", row(",1,16,", ",999999,999999,"),
			`f:2: the job asks for 1000001 GPUs, expected 1 to 1000000`},
		{"no workers", row(",16,", ",0,"), `f:2: column "worker_num" is "0", expected a whole number from 1 to 1000000`},
		{"CPUs", row(",15,", ",-15,"), `f:2: column "cpu_request" is "-15", expected a number >= 0`},
		{"no name", row("440", ""), `f:2: the job has no id, expected a name`},
	})
}

func FuzzParse(f *testing.F) { tracetest.Fuzz(f, Parse, sample, head, head+"1,,,,1e6,1e6,1,1,HP\n") }
