package dlrm

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const (
	head = "instance_sn,role,app_name,cpu_request,gpu_request,memory_request,max_instance_per_node,creation_time," +
		"scheduled_time,deletion_time\n"
	sample = head + "instance_1,HN,app_0,12,1,120.0,8,,,\n" +
		"instance_2,CN,app_1,64,0,320.0,-1,14.0,14.0,2000.0\n" +
		"instance_3,HN,app_0,12,2,120.0,8,100.5,110.5,210.5\n" +
		"instance_4,HN,app_0,,1,,8,NaN,NaN,60.0\n" +
		"instance_5,HN,app_2,12,1,120.0,8,500.0,600.0,\n" +
		"instance_6,HN,app_2,12,1,120.0,8,500.0,,\n" +
		"instance_7,HN,app_2,12,1,120.0,8,700.0,700.0,700.0\n"
)

func TestFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Table: true, Parse: Parse,
		Sample: sample, Duplicate: sample + "instance_4,HN,app_0,,1,,8,NaN,NaN,60.0\n", Unlisted: 3})
}

func TestFields(t *testing.T) {
	w, report, err := Parse("s", strings.NewReader(sample), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []sim.Job{
		{ID: "instance_1", VC: "app_0", GPUs: 1, CPUMilli: 12_000, MemMiB: 122_880, Work: 2000 * sim.Second},
		{ID: "instance_4", VC: "app_0", GPUs: 1, Work: 60 * sim.Second},
		{ID: "instance_3", VC: "app_0", GPUs: 2, CPUMilli: 6_000, MemMiB: 61_440, Submit: 100_500_000,
			Work: 200 * sim.Second},
		{ID: "instance_5", VC: "app_2", GPUs: 1, CPUMilli: 12_000, MemMiB: 122_880, Submit: 500 * sim.Second,
			Work: 1400 * sim.Second},
	} {
		if w.Jobs[i] != want {
			t.Errorf("got %+v, want %+v", w.Jobs[i], want)
		}
	}
	const notes = "2 instances were there before the trace: submitted at 0, their runs are a lower bound|2 instances " +
		"were not deleted: their runs end with the latest time of the list, a lower bound"
	if got := strings.Join(report.Notes, "|"); got != notes {
		t.Errorf("the notes are %s", got)
	}
}

func TestWrong(t *testing.T) {
	row := func(from, to string) string {
		return head + strings.Replace("i3,HN,a,12,2,120.0,8,100.5,110.5,210.5\n", from, to, 1)
	}
	const seconds = "expected seconds >= 0"
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "", "f:1: the file is empty, expected a header with the columns instance_sn,app_name,gpu_request," +
			"creation_time,scheduled_time,deletion_time"},
		{"no column", strings.Replace(sample, "gpu_request", "gpus", 1), `f:1: column "gpu_request" is missing, the header ` +
			`has "instance_sn,role,app_name,cpu_request,gpus,memory_request,ma"...`},
		{"no rows", head, `f: no job can be kept: it holds no rows`},
		{"an empty row", head + ",,,,,,,,,\n", `f:2: column "gpu_request" is "", expected a whole number from 0 to 1000000`},
		{"before the trace", row("100.5", "-1.0"), `f:2: column "creation_time" is "-1.0", ` + seconds},
		{"scheduled in words", row("110.5", "soon"), `f:2: column "scheduled_time" is "soon", ` + seconds},
		{"scheduled before it was created", row("110.5", "100.4"),
			`f:2: column "scheduled_time" is "100.4", expected seconds not before creation_time 100.5`},
		{"deleted before it was scheduled", row("210.5", "110.4"),
			`f:2: column "deletion_time" is "110.4", expected seconds not before scheduled_time 110.5`},
		{"a part of a GPU", row(",2,", ",0.5,"),
			`f:2: column "gpu_request" is "0.5", expected a whole number from 0 to 1000000`},
		{"CPUs", row(",12,", ",-12,"), `f:2: column "cpu_request" is "-12", expected a number >= 0`},
		{"memory", row("120.0", "much"), `f:2: column "memory_request" is "much", expected a number >= 0`},
		{"no name", row("i3", ""), `f:2: the job has no id, expected a name`},
		{"nothing ran", row("210.5", "110.5"),
			`f: no job can be kept of 1 rows: 1 dropped: the instance ran for 0 s (f:2)`},
	})
}

func FuzzParse(f *testing.F) { tracetest.Fuzz(f, Parse, sample, head, head+"a,HN,b,1,1,1,1,,,\n") }
