package tiresias

import (
	"testing"

	"tarry/sim"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const (
	header = "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n"
	sample = header + "0,1,5,606,vgg19,164,30\n1,8,35,133,vgg11,147,23\n2,2,58,157,inception4,127,26\n"
)

func TestFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Table: true, Parse: Parse,
		Sample: sample, Duplicate: sample + "1,4,70,1,vgg11,9,1\n"})
}

func TestWrong(t *testing.T) {
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "", `f:1: the file is empty, expected a header with the columns job_id,num_gpu,submit_time,duration`},
		{"no rows", header, `f: no job can be kept: it holds no rows`},
		{"missing columns", "job_id,submit_time\n1,2\n", "f:1: column \"num_gpu\" is missing, the header has " +
			"\"job_id,submit_time\"\n" +
			"f:1: column \"duration\" is missing, the header has \"job_id,submit_time\""},
		{"column twice", "job_id,num_gpu,submit_time,duration,duration\n",
			`f:1: column "duration" appears twice in the header`},
		{"no GPUs", header + "0,0,5,606,vgg19,164,30\n",
			`f:2: column "num_gpu" is "0", expected a whole number from 1 to 1000000`},
		{"half a GPU", header + "0,1.5,5,606,vgg19,164,30\n",
			`f:2: column "num_gpu" is "1.5", expected a whole number from 1 to 1000000`},
		{"word for a duration", header + "0,1,5,606,vgg19,abc,30\n",
			`f:2: column "duration" is "abc", expected seconds > 0`},
		{"negative submit", header + "0,1,-5,606,vgg19,164,30\n",
			`f:2: column "submit_time" is "-5", expected seconds >= 0`},
		{"NaN", header + "0,1,NaN,606,vgg19,164,30\n", `f:2: column "submit_time" is "NaN", expected seconds >= 0`},
		{"infinite", header + "0,1,5,606,vgg19,+Inf,30\n", `f:2: column "duration" is "+Inf", expected seconds > 0`},
		{"too long to hold", header + "0,900000,5,606,vgg19,99999999999,30\n",
			`f:2: the job's work is never, expected more than 0 and at most 1e+12s`},
		{"zero duration", header + "0,1,5,606,vgg19,0,30\n", `f:2: column "duration" is "0", expected seconds > 0`},
		{"no id", header + ",1,5,606,vgg19,164,30\n", `f:2: the job has no id, expected a name`},
		{"few fields", header + "0,1,5\n", `f:2: 3 fields, expected 7`},
		{"open quote", header + "0,1,5,606,\"vgg19,164,30\n1,1,5,606,vgg19,164,30\n",
			`f:2: a quote is left open, expected a closing one`},
		{"two faults in a row, then one", header + "0,0,x,606,vgg19,164,30\n\n1,1,5,-1,vgg19,164,30\n",
			"f:2: column \"num_gpu\" is \"0\", expected a whole number from 1 to 1000000\n" +
				"f:2: column \"submit_time\" is \"x\", expected seconds >= 0\n" +
				"f:4: column \"iterations\" is \"-1\", expected a whole number >= 0"},
		{"Parquet", "PAR1....", `f: is a Parquet file, expected UTF-8 text, plain or compressed by gzip or zstd`},
		{"UTF-16", "\xff\xfej\x00o\x00", `f: is UTF-16 text, expected UTF-8 text, plain or compressed by gzip or zstd`},
	})
}

func FuzzParse(f *testing.F) {
	tracetest.Fuzz(f, Parse, sample, header, "job_id,num_gpu,submit_time,duration\n0,1,1e3,2.5\n")
}

// The list that the reference simulator ships; sums over its 60 rows.
func TestShippedList(t *testing.T) {
	w, _, err := Read(tracetest.Shared(t, "tiresias/60_job.csv"), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	var work sim.Time
	demand := map[int32]int{}
	for _, j := range w.Jobs {
		work += j.Work
		demand[j.GPUs]++
	}
	first, last := w.Span()
	if len(w.Jobs) != 60 || work != 26_624*sim.Second || first != 0 || last != 1779*sim.Second {
		t.Errorf("%d jobs, work %v, submits %v to %v", len(w.Jobs), work, first, last)
	}
	if demand[1] != 30 || demand[2] != 10 || demand[4] != 10 || demand[8] != 10 {
		t.Errorf("jobs by demand: %v", demand)
	}
}
