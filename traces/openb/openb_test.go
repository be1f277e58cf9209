package openb

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const (
	header = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time," +
		"scheduled_time\n"
	sample = header + "p0,12000,16384,2,1000,V100M16,LS,Running,100,12537496,200\n" +
		"p1,6000,12288,1,460,,LS,Running,427061,12902960,427061\n" +
		"p2,6000,12288,0,0,,LS,Running,50,12902960,427061\n" +
		"p3,6000,12288,1,1000,V100M16|V100M32,BE,Failed,427061,12902960,427061\n" +
		"p4,6000,12288,1,1000,,BE,Pending,427061,12902960,\n" +
		"p5,6000,12288,1,1000,,BE,Failed,427061,427061,427061\n"
)

func TestFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Table: true, Parse: Parse, Sample: sample, Duplicate: sample +
		"p1,1,1,1,1000,,LS,Running,1000,5000,2000\n", Unlisted: 3})
}

func TestFields(t *testing.T) {
	w, report, err := Parse("s", strings.NewReader(sample), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	tracetest.Records(t, w, "p0 1m40s -", "p1 0s -", "p3 0s -")
	want := []sim.Job{
		{ID: "p0", State: "Running", GPUs: 2, GPUType: "V100M16", CPUMilli: 6000, MemMiB: 8192, Work: 2 *
			(12537496 - 200) * sim.Second},
		{ID: "p1", State: "Running", GPUs: 1, ShareMilli: 460, CPUMilli: 6000, MemMiB: 12288, Submit: 426961 *
			sim.Second, Work: (12902960 - 427061) * 460 * sim.Second / 1000},
	}
	for i := range want {
		if w.Jobs[i] != want[i] {
			t.Errorf("got %+v, want %+v", w.Jobs[i], want[i])
		}
	}
	const cut = "2 of 3 pods were still Running when the trace ends: their runs are cut there, which is a lower bound"
	if w.Jobs[2].GPUType != "" || len(report.Notes) != 2 || report.Notes[1] != cut {
		t.Errorf("a choice of types gave %q and the notes %q", w.Jobs[2].GPUType, report.Notes)
	}
}

func TestWrong(t *testing.T) {
	row := func(s string) string { return header + s + "\n" }
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "",
			`f:1: the file is empty, expected a header with the columns name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time,deletion_time,scheduled_time`},
		{"node list", "sn,cpu_milli,memory_mib,gpu,model\n", strings.Join([]string{
			`f:1: column "name" is missing, the header has "sn,cpu_milli,memory_mib,gpu,model"`,
			`f:1: column "num_gpu" is missing, the header has "sn,cpu_milli,memory_mib,gpu,model"`,
			`f:1: column "gpu_milli" is missing, the header has "sn,cpu_milli,memory_mib,gpu,model"`,
			`f:1: column "creation_time" is missing, the header has "sn,cpu_milli,memory_mib,gpu,model"`,
			`f:1: column "deletion_time" is missing, the header has "sn,cpu_milli,memory_mib,gpu,model"`,
			`f:1: column "scheduled_time" is missing, the header has "sn,cpu_milli,memory_mib,gpu,model"`}, "\n")},
		{"share above one", row("p,1,1,1,1500,,LS,R,1,9,2"),
			`f:2: column "gpu_milli" is "1500", expected a whole number from 0 to 1000`},
		{"share of nothing", row("p,1,1,1,0,,LS,R,1,9,2"),
			`f:2: column "gpu_milli" is "0", expected a whole number from 1 to 1000 for a pod with GPUs`},
		{"share of several", row("p,1,1,2,500,,LS,R,1,9,2"),
			`f:2: the job asks for 500 thousandths of 2 GPUs, expected a share only on 1 GPU`},
		{"negative GPUs", row("p,1,1,-1,500,,LS,R,1,9,2"),
			`f:2: column "num_gpu" is "-1", expected a whole number from 0 to 1000000`},
		{"deleted before scheduled", row("p,1,1,1,500,,LS,R,1,9,20"),
			`f:2: column "deletion_time" is "9", expected seconds not before scheduled_time 20`},
		{"NaN", row("p,1,1,1,500,,LS,R,NaN,9,2"), `f:2: column "creation_time" is "NaN", expected seconds >= 0`},
		{"negative time", row("p,1,1,1,500,,LS,R,1,9,-2"),
			`f:2: column "scheduled_time" is "-2", expected seconds >= 0`},
		{"memory in words", row("p,1,1Gi,1,500,,LS,R,1,9,2"),
			`f:2: column "memory_mib" is "1Gi", expected a whole number from 0 to 1000000000`},
		{"short row", row("p,1,1"), `f:2: 3 fields, expected 11`},
		{"no name", row(",1,1,1,500,,LS,R,1,9,2"), `f:2: the job has no id, expected a name`},
	})
}

func FuzzParse(f *testing.F) { tracetest.Fuzz(f, Parse, sample, header) }

// The published default list: 8152 pods, 7064 with GPUs, of which 861 were never scheduled.
func TestSharedList(t *testing.T) {
	w, report, err := Read(tracetest.Shared(t, "alibaba-gpu-2023/openb_pod_list_default.csv"),
		intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	shares := 0
	for _, j := range w.Jobs {
		if j.ShareMilli > 0 {
			shares++
		}
	}
	if report.Rows != 8152 || report.Dropped[0].Rows != 8152-7064 || report.Dropped[1].Rows != 861 ||
		len(w.Jobs) != 7064-861 || report.Wrong() != 0 {
		t.Errorf("%v", report)
	}
	if shares == 0 || shares > 3078 {
		t.Errorf("%d pods with a share of a GPU, the list has 3078 in all", shares)
	}
}
