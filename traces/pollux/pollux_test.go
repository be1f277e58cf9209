package pollux

import (
	"fmt"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const (
	head  = "name,time,application,num_replicas,batch_size\n"
	one   = "cifar10-0,107,cifar10,6,2048\n"
	two   = "ncf-1,135,ncf,1,32768\n"
	three = "bert-2,200.5,bert,80,384\n"
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
	for i, want := range []sim.Job{
		{ID: "cifar10-0", Model: "cifar10", Submit: 107 * sim.Second, GPUs: 6, MinGPUs: 1, MaxGPUs: 64,
			BatchSize: 2048, Work: 4027984406, Iterations: 39063, IterS: 0.10311532334277504},
		{ID: "ncf-1", Model: "ncf", Submit: 135 * sim.Second, GPUs: 1, BatchSize: 32768, Work: 1444077276,
			Iterations: 194174, IterS: 0.007437026977539062},
		{ID: "bert-2", Model: "bert", Submit: 200_500_000, GPUs: 80, MinGPUs: 1, MaxGPUs: 80, BatchSize: 384,
			Work: 13614472559, Iterations: 14774, IterS: 0.9215156733989716},
	} {
		if got := parse(t, head+one+two+three)[i]; got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

// Jobs of one time keep the order of their lines; only jobs that would lose it are moved.
func TestOrder(t *testing.T) {
	text := head
	for _, id := range []string{"b", "a", "c", "d", "e"} {
		at := map[string]int{"d": 70, "e": 70}[id]
		if at == 0 {
			at = 60
		}
		text += fmt.Sprintf("%s,%d,ncf,1,32768\n", id, at)
	}
	got := ""
	for _, j := range parse(t, text) {
		got += fmt.Sprintf(" %s at %d", j.ID, j.Submit)
	}
	if want := " b at 59999998 a at 59999999 c at 60000000 d at 70000000 e at 70000000"; got != want {
		t.Errorf("got%s, want%s", got, want)
	}
	// there is no time before
	if jobs := parse(t, head+"b,0,ncf,1,9\na,0,ncf,1,9\n"); jobs[0].ID != "a" || jobs[1].Submit != 0 {
		t.Errorf("%+v", jobs)
	}
}

func with(from, to string) string { return head + strings.Replace(one, from, to, 1) }

func TestWrong(t *testing.T) {
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "",
			`f:1: the file is empty, expected a header with the columns name,time,application,num_replicas,batch_size`},
		{"no batch", "name,time,application,num_replicas\n",
			`f:1: column "batch_size" is missing, the header has "name,time,application,num_replicas"`},
		{"no name", with("cifar10-0", ""), `f:2: the job has no id, expected a name`},
		{"no application", with(",cifar10,", ",,"),
			`f:2: column "application" is "", expected one of bert, cifar10, deepspeech2, imagenet, ncf, yolov3`},
		{"another application", with(",cifar10,", ",vgg,"),
			`f:2: column "application" is "vgg", expected one of bert, cifar10, deepspeech2, imagenet, ncf, yolov3`},
		{"no GPU", with(",6,", ",0,"), `f:2: column "num_replicas" is "0", expected a whole number from 1 to 1000000`},
		{"half a batch", with("2048", "20.5"), `f:2: column "batch_size" is "20.5", expected a whole number >= 1`},
		{"no sample", with("2048", "0"), `f:2: column "batch_size" is "0", expected a whole number >= 1`},
		{"before the clock", with(",107,", ",-1,"), `f:2: column "time" is "-1", expected seconds >= 0`},
		{"no time", with(",107,", ",,"), `f:2: column "time" is "", expected seconds >= 0`},
	})
}

func FuzzParse(f *testing.F) {
	tracetest.Fuzz(f, Parse, head+one+two+three, head+one, head+"b,60,ncf,1,1\na,60,ncf,1,1\n")
}

// The authors' workloads.
func TestSharedTraces(t *testing.T) {
	for file, jobs := range map[string]int{"workload-1": 160, "workload-2": 160, "workload-3": 160, "workload-4": 160,
		"workload-5": 160, "workload-6": 160, "workload-7": 160, "workload-8": 160,
		"load0.5-workload-1": 80, "load1.5-workload-6": 240, "load2.0-workload-1": 320} {
		w, report, err := Read(tracetest.Shared(t, "pollux/"+file+".csv"), intake.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		if report.Rows != jobs || len(w.Jobs) != jobs || w.Jobs[0].Submit == 0 {
			t.Errorf("%s: %d rows, the first at %v", file, report.Rows, w.Jobs[0].Submit)
		}
		for i, j := range w.Jobs { // names end in the number of the line
			if !strings.HasSuffix(j.ID, fmt.Sprintf("-%d", i)) {
				t.Fatalf("%s: job %d is %q", file, i, j.ID)
			}
		}
	}
}
