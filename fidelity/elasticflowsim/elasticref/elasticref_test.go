package elasticref

import (
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

// A made-up run on one node of two GPUs. m does 2 iterations/s on one GPU and 3 on two. Job a, 300
// iterations, gets both: 100 s. Job b comes at 10 s and waits for the next slot, at 60 s; its
// deadline is earlier, so that it gets both GPUs: 30 iterations in 10 s. a has 120 left then, and
// is done at 110 s. The submits begin at 1000 s.
const (
	elasticTrace = "job_id,submission_time,num_iteration,model_name,deadline,batch_size,num_gpu,duration\na,1000," +
		"300,bert,2000,64,1,150\nb,1010,30,bert,1075,64,1,15\n"
	elasticTable = "global_batch_size,1,2\n64,2,3\n"
	elasticRows  = "job_id,submit_s,deadline_s,start_s,end_s,jct_s,pending_s,preempt,met\na,1000,2000,1000,1160," +
		"160,0,0,1\nb,1010,1075,1060,1070,60,50,0,1\n"
	elasticHead = "trace,nodes_x_gpus,gpu,slot_s,policy,jobs,ended,deadline_ratio_reported,met_by_end_time," +
		"mean_jct_of_ended_s,makespan_s\n"
	elasticSumRow  = "mine,1x2,A100,60,edf,2,2,1.0,1.0,110,1160\n"
	elasticGandiva = "mine,1x2,A100,60,gandiva,2,2,1.0,1.0,1,1\n"
)

func elasticFolder() map[string]string {
	return map[string]string{"traces/elasticflow/mine.csv": elasticTrace,
		"profiles/elasticflow/throughputs_A100_bert.csv": elasticTable,
		"reference/theirs/mine__edf.jobs.csv":            elasticRows, "reference/theirs/summary.csv": elasticHead +
			elasticSumRow + elasticGandiva}
}

func TestElasticFlowByHand(t *testing.T) {
	good, out, details := reftest.Play(t, setup(), elasticFolder())
	want := "theirs: 6 of 6 agree, worst 0 s; ends 2 of 2, figures 4 of 4\ntheirs: not compared: 1 rows of " +
		"summary.csv: the schedule gandiva of the simulator is not modelled\n"
	if !good || out != want || details != "" {
		t.Errorf("good %v\n%s%s\nexpected\n%s", good, out, details, want)
	}
}

func TestElasticFlowFallsShort(t *testing.T) {
	for name, c := range map[string]struct{ file, text, out, details string }{
		"an end": {"mine__edf.jobs.csv", strings.Replace(elasticRows, "1070", "1071", 1),
			"theirs: 5 of 6 agree, worst 1 s;", "mine__edf.jobs.csv: 1 of 2 ends differ"},
		"never ran": {"mine__edf.jobs.csv", strings.Replace(elasticRows, "1060,1070", ",", 1),
			"theirs: 5 of 6 agree, worst +Inf s;", "1 of 2 ends differ"},
		"a mean": {"summary.csv", elasticHead + strings.Replace(elasticSumRow, "110", "120", 1),
			"theirs: 5 of 6 agree", "mean_jct_of_ended_s is 110, expected 120 within 6"},
		"a ratio": {"summary.csv", elasticHead + strings.Replace(elasticSumRow, "1.0,1.0", "0.5,1.0", 1),
			"theirs: 5 of 6 agree", "deadline_ratio_reported is 1, expected 0.5 within 0.02"},
		"a cluster": {"summary.csv", elasticHead + strings.Replace(elasticSumRow, "1x2", "2", 1),
			"theirs: 0 of 1 agree", `nodes_x_gpus is "2", expected NODESxGPUS`},
		"no trace": {"summary.csv", elasticHead + strings.Replace(elasticSumRow, "mine", "other", 1),
			"theirs: 0 of 0 agree", "there is no file of ends beside it"},
		"a GPU": {"summary.csv", elasticHead + strings.Replace(elasticSumRow, "A100", "H100", 1),
			"theirs: 0 of 1 agree", "throughputs_H100_bert.csv is in none of"},
		"not a time": {"mine__edf.jobs.csv", strings.Replace(elasticRows, "1070", "x", 1), "theirs: 1 of 2 agree",
			`end_s is "x", expected a number`},
		"no schedule": {"summary.csv", elasticHead + elasticGandiva, "theirs: 0 of 0 agree",
			"the schedule gandiva of the simulator is not modelled"},
	} {
		t.Run(name, func(t *testing.T) {
			files := elasticFolder()
			files["reference/theirs/"+c.file] = c.text
			_, out, details := reftest.Play(t, setup(), files)
			if !strings.HasPrefix(out, c.out) || !strings.Contains(out+details, c.details) {
				t.Errorf("%s%s\nexpected\n%s%s", out, details, c.out, c.details)
			}
		})
	}
}

// setup compares with this program alone.
func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}
