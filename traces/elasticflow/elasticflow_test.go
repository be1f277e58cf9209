package elasticflow

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const (
	head  = "job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu,duration,best_effort\n"
	one   = "0,100,7246,resnet50,5996,256,1,3930,0\n"
	two   = "1,4686.5,100,deepspeech2,5000,32,128,75,1\n"
	three = "2,4686.5,50,mine,,8,4,100,\n"
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
		{ID: "0", Model: "resnet50 (batch size 256)", GPUs: 1, MinGPUs: 1, MaxGPUs: 64, Work: 7246 * 542_483,
			Iterations: 7246, IterS: 0.542483, Deadline: 5896 * sim.Second},
		{ID: "1", Model: "deepspeech2 (batch size 32)", GPUs: 128, MinGPUs: 1, MaxGPUs: 128, Submit: 4_586_500_000,
			Work: 100 * 330_780, Iterations: 100, IterS: 0.33078},
		{ID: "2", Model: "mine (batch size 8)", GPUs: 4, MinGPUs: 1, MaxGPUs: 64, Submit: 4_586_500_000, Work: 400 *
			sim.Second, Iterations: 50},
	} {
		if jobs[i] != want {
			t.Errorf("got %+v, want %+v", jobs[i], want)
		}
	}
	// The other names of the columns, and a step of one's own.
	jobs = parse(t, "job_id,submission_time,num_iteration,model_name,deadline,batch_size,num_gpu,duration,step_s\n"+
		"bdd6,0,3249,deepspeech2,693,32,1,1075,0.5\n")
	if want := (sim.Job{ID: "bdd6", Model: "deepspeech2 (batch size 32)", GPUs: 1, MinGPUs: 1, MaxGPUs: 64,
		Work: 3249 * sim.Second / 2, Iterations: 3249, IterS: 0.5, Deadline: 693 * sim.Second}); jobs[0] != want {
		t.Errorf("got %+v, want %+v", jobs[0], want)
	}
}

func with(from, to string) string { return head + strings.Replace(one, from, to, 1) }

func TestWrong(t *testing.T) {
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "",
			`f:1: the file is empty, expected a header with the columns job_id,model_name,batch_size,num_gpu,duration`},
		{"no batch", "job_id,model_name,num_gpu,duration\n",
			`f:1: column "batch_size" is missing, the header has "job_id,model_name,num_gpu,duration"`},
		{"no submit", "job_id,model_name,batch_size,num_gpu,duration\n",
			`f:1: the header "job_id,model_name,batch_size,num_gpu,duration" has neither "submit_time" nor "submission_time", expected one of them`},
		{"no iterations", "job_id,model_name,batch_size,num_gpu,duration,submit_time\n",
			`f:1: the header "job_id,model_name,batch_size,num_gpu,duration,submit_time" has neither "iteration" nor "num_iteration", expected one of them`},
		{"two deadlines", strings.Replace(head, "best_effort", "deadline", 1) + one,
			`f:1: the header has the columns "ddl" and "deadline", expected one of them`},
		{"no id", head + one[1:], `f:2: the job has no id, expected a name`},
		{"no model", with("resnet50", ""), `f:2: column "model_name" is "", expected a model`},
		{"half a batch", with("256", "256.5"), `f:2: column "batch_size" is "256.5", expected a whole number >= 1`},
		{"no GPU", with(",1,", ",0,"), `f:2: column "num_gpu" is "0", expected a whole number from 1 to 1000000`},
		{"no iteration", with("7246", "0"), `f:2: column "iteration" is "0", expected a whole number >= 1`},
		{"submit", with(",100,", ",-1,"), `f:2: column "submit_time" is "-1", expected seconds >= 0`},
		{"duration", with("3930", "long"), `f:2: column "duration" is "long", expected seconds > 0`},
		{"best effort", with(",0\n", ",2\n"), `f:2: column "best_effort" is "2", expected a whole number from 0 to 1`},
		{"deadline", with("5996", "soon"), `f:2: column "ddl" is "soon", expected seconds > 0`},
		{"past deadline", with("5996", "100"),
			`f:2: column "ddl" is "100", expected a deadline after the submit at 100s`},
		{"endless", with("7246", "9007199254740992"),
			`f:2: the job has 9007199254740992 iterations of 0.542483 s, expected at most 1e12 s of work`},
		{"short iterations", strings.Replace(with("resnet50", "mine"), "7246", "9007199254740992", 1),
			`f:2: 9007199254740992 iterations in 3930s on 1 GPUs, expected at most one in a microsecond`},
	})
}

func FuzzParse(f *testing.F) {
	tracetest.Fuzz(f, Parse, head+one+two+three, head+one, "job_id,submission_time,num_iteration,model_name,"+
		"deadline,batch_size,num_gpu,duration,step_s\na,1,2,bert,9,64,1,3,0.5\n")
}

// The shared traces: every model is known, so that work is the iterations'.
func TestSharedTraces(t *testing.T) {
	for file, jobs := range map[string]int{"fig10_100jobs_1500lam": 100, "elasticVpollux_e": 195, "itp_195job": 195,
		"itp_cluster01": 1595, "itp_cluster06": 2396, "itp_cluster10": 260} {
		w, report, err := Read(tracetest.Shared(t, "elasticflow/"+file+".csv"), intake.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		for i := range w.Jobs {
			if j := &w.Jobs[i]; j.IterS == 0 || j.Deadline <= j.Submit ||
				j.Work != sim.Time(j.Iterations)*sim.Seconds(j.IterS) {
				t.Fatalf("%s: %+v", file, *j)
			}
		}
		if report.Rows != jobs || w.Jobs[0].Submit != 0 {
			t.Errorf("%s: %d rows, the first at %v", file, report.Rows, w.Jobs[0].Submit)
		}
	}
}
