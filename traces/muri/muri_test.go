package muri

import (
	"path/filepath"
	"strings"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const (
	head = "job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,iteration_time," +
		"resource_time_0,resource_time_1,resource_time_2,priority\n"
	one   = "0,4,0,1046811,shufflenet_v2_x1_0,128,927475000,11174000,886,703,62,17,0\n"
	two   = "1,1,1456500,100,bert,4,926133,1456000,178,0.5,160,0,1\n"
	three = "2,2,1456500,7,gpt2,,,,10.5,1,1,1,\n"
)

func TestFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Table: true, Parse: Parse,
		Sample: head + one + two + three, Duplicate: head + one + two +
			three + one})
}

func TestFields(t *testing.T) {
	w, _, err := Parse("m", strings.NewReader(head+one+two+three), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []sim.Job{
		{ID: "0", Model: "shufflenet_v2_x1_0", GPUs: 4, BatchSize: 128, Iterations: 1046811, IterS: 3.59716, Work: 4 *
			1046811 * 899290, Request: 927475 * sim.Second},
		{ID: "1", Model: "bert", GPUs: 1, BatchSize: 4, Submit: 1456500 * sim.Second / 1000, Iterations: 100,
			IterS: 0.18067, Work: 100 * 180670, Request: 926133 * sim.Second / 1000, Priority: 1},
		{ID: "2", Model: "gpt2", GPUs: 2, Submit: 1456500 * sim.Second / 1000, Iterations: 7, IterS: 0.021315,
			Work: 2 * 74603},
	} {
		got := w.Jobs[i]
		if d := got.IterS - want.IterS; d > 1e-12 || d < -1e-12 {
			t.Errorf("an iteration of %v s, want %v", got.IterS, want.IterS)
		}
		if got.IterS = want.IterS; got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func TestRefused(t *testing.T) {
	for in, want := range map[string]string{
		"":                                      "m:1: the file is empty",
		"job_id\n":                              `m:1: column "num_gpu" is missing`,
		head + "x,0,0,1,net,1,1,0,1,1,1,1,0\n":  `m:2: column "num_gpu" is "0"`,
		head + "x,1,-1,1,net,1,1,0,1,1,1,1,0\n": `m:2: column "submit_time" is "-1"`,
		head + "x,1,2e15,1,net,1,1,0,1,1,1,1,0\n": `m:2: column "submit_time" is "2e15", expected at most 1e+15 ms`,
		head + "x,1,0,0,net,1,1,0,1,1,1,1,0\n":    `m:2: column "iterations" is "0"`,
		head + "x,1,0,1,,1,1,0,1,1,1,1,0\n":       `m:2: column "model_name" is ""`,
		head + "x,1,0,1,net,z,1,0,1,1,1,1,0\n":    `m:2: column "batch_size" is "z"`,
		head + "x,1,0,1,net,1,z,0,1,1,1,1,0\n":    `m:2: column "duration" is "z"`,
		head + "x,1,0,1,net,1,1,0,0,1,1,1,0\n":    `m:2: column "iteration_time" is "0"`,
		head + "x,1,0,1,net,1,1,0,1,1,1,1,-2\n":   `m:2: column "priority" is "-2"`,
		head + "x,8,0,9e99,net,1,1,0,9,1,1,1,0\n": `m:2: column "iterations" is "9e99"`,
		head + "x,8,0,1000000,net,1,1,0,1e14,,,,\n": "m:2: 1000000 iterations of 1e+14 ms on 8 GPUs, expected 1e-6 " +
			"s to 1e12 s of work",
	} {
		_, _, err := Parse("m", strings.NewReader(in), intake.Options{Strict: true})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}

// The published traces: as many jobs as their README states.
func TestPublished(t *testing.T) {
	dir := sharedata.Path(t, "traces", "muri")
	for name, n := range map[string]int{"trace1": 1494, "trace2": 5755, "trace3": 992, "trace4": 2638,
		"job_type_1": 992} {
		w, _, err := Read(filepath.Join(dir, name+".csv"), intake.Options{Strict: true})
		if err != nil || len(w.Jobs) != n {
			t.Fatalf("%s: %v, want %d jobs", name, err, n)
		}
	}
}

func FuzzParse(f *testing.F) { tracetest.Fuzz(f, Parse, head+one+two+three, head+one) }
