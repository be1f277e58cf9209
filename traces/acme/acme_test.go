package acme

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const (
	seren = "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time\n" +
		"71,u1,1,8,128,Other,FAILED,2023-03-01 00:18:22+08:00,2023-03-01 00:18:54+08:00,2023-03-01 00:20:51+08:00," +
		"117,32,936.0\n" +
		"72,u1,2,16,,SFT,COMPLETED,2023-03-01 00:18:20+08:00,2023-03-01 00:24:11+08:00,2023-03-01 00:24:12+08:00," +
		"1,351,16.0\n" +
		"73,u2,1,0,8,Other,COMPLETED,2023-03-01 00:25:00+08:00,2023-03-01 00:25:01+08:00,2023-03-01 00:26:01+08:00," +
		"60,1,0.0\n" +
		"74,u3,4,32,512,Pretrain,CANCELLED,2023-03-01 00:30:00+08:00,,2023-03-01 03:31:00+08:00,,,\n" +
		"75,u3,4,32,512,Pretrain,RUNNING,2023-03-01 00:30:00+08:00,2023-03-01 00:30:10+08:00,NaT,,,\n" +
		"76,u3,4,32,512,Pretrain,FAILED,2023-03-01 00:30:00+08:00,2023-03-01 00:30:10+08:00," +
		"2023-03-01 00:30:10+08:00,0,10,0.0\n" +
		"77.0,nan,1,1,16.0,,TIMEOUT,2023-02-28 16:18:30Z,2023-02-28 16:18:29Z,2023-02-28 16:18:39Z,10.0,,\n"
	kalosHead = "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,submit_time," +
		"start_time,end_time,fail_time,stop_time,duration,queue,gpu_time\n"
	kalos = "dlca,uf1,8,64,960,1000,100.0,Other,FAILED,2023-05-17 11:00:58+00:00,2023-05-17 11:01:08+00:00," +
		"2023-05-17 11:01:16+00:00,2023-05-17 11:01:16+00:00,,18,10.0,1152.0\n"
)

func TestFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Table: true, Parse: Parse, Sample: seren, Unlisted: 4, Duplicate: seren +
		"71,u1,1,8,128,Other,FAILED,2023-03-01 00:18:22+08:00,2023-03-01 00:18:54+08:00,2023-03-01 00:20:51+08:00," +
		"117,32,936.0\n"})
}

func parse(t *testing.T, text string) (*sim.Workload, *intake.Report) {
	t.Helper()
	w, report, err := Parse("s", strings.NewReader(text), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	return w, report
}

func TestFields(t *testing.T) {
	w, report := parse(t, seren)
	tracetest.Records(t, w, "72 5m51s -", "71 32s -", "77 none")
	for i, want := range []sim.Job{
		{ID: "72", User: "u1", VC: "SFT", State: "COMPLETED", GPUs: 16, Work: 16 * sim.Second},
		{ID: "71", User: "u1", VC: "Other", State: "FAILED", GPUs: 8, CPUMilli: 16_000, Submit: 2 * sim.Second,
			Work: 8 * 117 * sim.Second},
		{ID: "77", State: "TIMEOUT", GPUs: 1, CPUMilli: 16_000, Submit: 10 * sim.Second, Work: 10 * sim.Second},
	} {
		if w.Jobs[i] != want {
			t.Errorf("got %+v, want %+v", w.Jobs[i], want)
		}
	}
	const want = "times are in 2 zones (+08:00; Z), each read as written|1 jobs have a start_time before their submit_time"
	if notes := strings.Join(report.Notes, "|"); notes != want {
		t.Errorf("the notes are %s", notes)
	}
	text := report.String()
	for _, reason := range []string{"the job asks for no GPU (s:4)", "the job never ran: no start_time (s:5)",
		"the job was still running at the end of the log: no end_time (s:6)", "the job ran for 0 s (s:7)"} {
		if !strings.Contains(text, "  1 dropped: "+reason) {
			t.Errorf("no %q in\n%s", reason, text)
		}
	}
}

// Kalos' duration is end - submit: the run is end - start. Memory is stated for a pod, of which there
// is one on each node.
func TestKalos(t *testing.T) {
	w, report := parse(t, kalosHead+kalos+strings.NewReplacer("dlca", "dlcb", ",18,", ",8,").Replace(kalos)+
		strings.NewReplacer("dlca", "dlcc", ",18,", ",20,").Replace(kalos))
	tracetest.Records(t, w, "dlca 10s -", "dlcb 10s -", "dlcc 10s -")
	want := sim.Job{ID: "dlca", User: "uf1", VC: "Other", State: "FAILED", GPUs: 64, CPUMilli: 15_000,
		MemMiB: 119_209, Work: 64 * 8 * sim.Second}
	if w.Jobs[0] != want {
		t.Errorf("got %+v, want %+v", w.Jobs[0], want)
	}
	const notes = "times are in the zone +00:00|2 of 3 jobs have another duration than end_time - start_time, which is " +
		"taken; 1 of them end_time - submit_time, with the wait"
	if got := strings.Join(report.Notes, "|"); got != notes {
		t.Errorf("the notes are %s", got)
	}
}

// Columns in another order, quoted, in another case, with a row number, and a column vc.
func TestColumns(t *testing.T) {
	w, _ := parse(t, ",VC,End_Time,Start_Time,Submit_Time,State,Gpu_Num,User,Job_ID,Type\n"+
		"0,\"v,1\",2023-03-01T00:00:09,2023-03-01T00:00:02,2023-03-01T00:00:01,DONE,2.0,u,a,SFT\n")
	tracetest.Records(t, w, "a 1s -")
	want := sim.Job{ID: "a", User: "u", VC: "v,1", State: "DONE", GPUs: 2, Work: 14 * sim.Second}
	if w.Jobs[0] != want {
		t.Errorf("got %+v, want %+v", w.Jobs[0], want)
	}
}

func TestWrong(t *testing.T) {
	const clock = "expected a time YYYY-MM-DD hh:mm:ss"
	row := func(from, to string) string { return kalosHead + strings.Replace(kalos, from, to, 1) }
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "",
			`f:1: the file is empty, expected a header with the columns job_id,user,gpu_num,state,submit_time,start_time,end_time`},
		{"no header", "a,b\n", others("job_id", "user", "gpu_num", "state", "submit_time", "start_time", "end_time")},
		{"no rows", kalosHead, `f: no job can be kept: it holds no rows`},
		{"no submit", row("2023-05-17 11:00:58+00:00", "None"), `f:2: column "submit_time" is "None", ` + clock},
		{"submit in words", row("2023-05-17 11:00:58", "yesterday"), `f:2: column "submit_time" is "yesterday+00:00", ` +
			clock},
		{"start without a time", row("2023-05-17 11:01:08+00:00", "11:01:08"),
			`f:2: column "start_time" is "11:01:08", ` + clock},
		{"ends before it starts", row("2023-05-17 11:01:16+00:00", "2023-05-17 11:01:07+00:00"), `f:2: column ` +
			`"end_time" is "2023-05-17 11:01:07+00:00", expected a time not before start_time 2023-05-17 11:01:08+00:00`},
		{"a part of a GPU", row(",64,", ",0.5,"), `f:2: column "gpu_num" is "0.5", expected a whole number from 0 to 1000000`},
		{"unknown GPUs", row(",64,", ",,"), `f:2: column "gpu_num" is "", expected a whole number from 0 to 1000000`},
		{"negative GPUs", row(",64,", ",-1.0,"), `f:2: column "gpu_num" is "-1.0", expected a whole number from 0 to 1000000`},
		{"CPUs", row(",960,", ",many,"), `f:2: column "cpu_num" is "many", expected a number >= 0`},
		{"nodes", row(",8,", ",-8,"), `f:2: column "node_num" is "-8", expected a whole number from 0 to 1000000`},
		{"memory", row(",1000,", ",-1,"), `f:2: column "mem_per_pod_GB" is "-1", expected a number >= 0`},
		{"no id", row("dlca,", ","), `f:2: the job has no id, expected a name`},
		{"a field too many", row("dlca,", "dlca,x,"), `f:2: 18 fields, expected 17`},
	})
}

// others is the error that names missing columns.
func others(columns ...string) string {
	var out []string
	for _, c := range columns {
		out = append(out, "f:1: column \""+c+"\" is missing, the header has \"a,b\"")
	}
	return strings.Join(out, "\n")
}

func FuzzParse(f *testing.F) { tracetest.Fuzz(f, Parse, seren, kalosHead+kalos, kalosHead) }
