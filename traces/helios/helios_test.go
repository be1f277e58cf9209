package helios

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const (
	header = "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n"
	rows   = "77,uA,vcB,8,48,1,COMPLETED,2020-04-01 00:00:10,2020-04-01 00:01:00,2020-04-01 01:01:00,3600,50\n" +
		"78,uA,vcB,0,4,1,COMPLETED,2020-03-31 00:00:00,2020-04-01 00:01:00,2020-04-01 01:01:00,3600,50\n" +
		"79,uC,vcB,1,,1,FAILED,2020-04-01 00:00:05,2020-04-01 00:01:00,2020-04-01 00:01:07,7,55\n" +
		"80,uC,vcD,16,16,2,CANCELLED,2020-04-01 00:00:06,None,2020-04-01 00:01:07,,61\n" +
		"81,uC,vcD,16,16,2,TIMEOUT,2020-04-01 00:00:07,2020-04-01 00:00:07,2020-04-01 00:00:08,1,0\n" +
		"82,uC,vcD,16,16,2,CANCELLED,2020-04-01 00:00:07,2020-04-01 00:00:07,2020-04-01 00:00:07,0,0\n"
	sample = header + rows
)

func TestFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Table: true, Parse: Parse, Sample: sample, Unlisted: 3,
		Duplicate: sample + "77,uA,vcB,8,48,1,COMPLETED,2020-04-01 00:00:10,2020-04-01 00:01:00,2020-04-01 " +
			"01:01:00,3600,50\n"})
}

func TestFields(t *testing.T) {
	w, report, err := Parse("s", strings.NewReader(sample), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	tracetest.Records(t, w, "79 55s -", "81 0s -", "77 50s -")
	want := sim.Job{ID: "77", User: "uA", VC: "vcB", State: "COMPLETED", GPUs: 8, CPUMilli: 6000, Submit: 5 *
		sim.Second, Work: 8 * 3600 * sim.Second}
	if got := w.Jobs[2]; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if text := report.String(); !strings.Contains(text, "1 dropped: the job asks for no GPU (s:3)") {
		t.Errorf("the report says\n%s", text)
	}
}

// A duration that counts from the submit has the wait in it; another odd one is taken as it is.
func TestDurationWithTheWait(t *testing.T) {
	const day = "2020-04-01 00:0"
	w, report, err := Parse("s", strings.NewReader(header+
		"1,u,v,2,2,1,DONE,"+day+"0:00,"+day+"0:10+00:00,"+day+"0:18,18,10\n"+
		"2,u,v,2,2,1,DONE,"+day+"0:01,"+day+"0:10,"+day+"0:18,8,10\n"+
		"3,u,v,2,2,1,DONE,"+day+"0:02,"+day+"0:10,"+day+"0:18,9,10\n"+
		"4,u,v,2,2,1,DONE,"+day+"0:03,None,"+day+"0:18,15,10\n"), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []sim.Time{16, 16, 18, 30} {
		if w.Jobs[i].Work != want*sim.Second {
			t.Errorf("job %s has the work %v, expected %v", w.Jobs[i].ID, w.Jobs[i].Work, want*sim.Second)
		}
	}
	if want := "2 of 3 jobs have another duration than end_time - start_time: duration is taken; 1 of them end_time - " +
		"submit_time, with the wait: end_time - start_time is taken"; len(report.Notes) != 1 || report.Notes[0] != want {
		t.Errorf("the notes are %q", report.Notes)
	}
}

func TestWrong(t *testing.T) {
	row := func(old, new string) string {
		return header + strings.Replace("77,uA,vcB,8,48,1,DONE,2020-04-01 00:00:10,x,x,3600,50\n", old, new, 1)
	}
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "",
			`f:1: the file is empty, expected a header with the columns job_id,user,vc,gpu_num,state,submit_time,duration`},
		{"missing column", strings.Replace(sample, "vc,", "vd,", 1),
			`f:1: column "vc" is missing, the header has "job_id,user,vd,gpu_num,cpu_num,node_num,state,submit_time,st"...`},
		{"AcmeTrace", strings.Replace(sample, ",vc,", ",type,", 1), `f:1: column "vc" is missing, the header has ` +
			`"job_id,user,type,gpu_num,cpu_num,node_num,state,submit_time,"...; AcmeTrace, which has these columns, is ` +
			`--trace acme:FILE`},
		{"no rows", header, `f: no job can be kept: it holds no rows`},
		{"only CPU jobs", row(",8,", ",0,"),
			`f: no job can be kept of 1 rows: 1 dropped: the job asks for no GPU (f:2)`},
		{"negative GPUs", row(",8,", ",-8,"),
			`f:2: column "gpu_num" is "-8", expected a whole number from 0 to 1000000`},
		{"GPUs in words", row(",8,", ",eight,"),
			`f:2: column "gpu_num" is "eight", expected a whole number from 0 to 1000000`},
		{"negative duration", row("3600", "-1"), `f:2: column "duration" is "-1", expected seconds >= 0`},
		{"infinite duration", row("3600", "inf"), `f:2: column "duration" is "inf", expected seconds >= 0`},
		{"huge duration", row("3600", "1e13"), `f:2: column "duration" is "1e13", expected seconds >= 0`},
		{"no submit", row("2020-04-01 00:00:10", "None"),
			`f:2: column "submit_time" is "None", expected a time YYYY-MM-DD hh:mm:ss`},
		{"submit as a number", row("2020-04-01 00:00:10", "1585699210"),
			`f:2: column "submit_time" is "1585699210", expected a time YYYY-MM-DD hh:mm:ss`},
		{"broken CPU count", row(",48,", ",4.5,"),
			`f:2: column "cpu_num" is "4.5", expected a whole number from 0 to 1000000`},
		{"no id", row("77,", ","), `f:2: the job has no id, expected a name`},
		{"short row", header + "77,uA\n", `f:2: 2 fields, expected 12`},
		{"not UTF-8", row("uA", "\xc3("), `f:2: column "user" is "\xc3(", expected UTF-8 text`},
	})
}

func FuzzParse(f *testing.F) {
	tracetest.Fuzz(f, Parse, sample, header, header+"1,,,1,,,,2020-04-01 00:00:10,,,1,\n")
}
