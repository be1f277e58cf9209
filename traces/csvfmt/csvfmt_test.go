package csvfmt

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/recorded"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const sample = "id,submit_s,gpus,work_s,model,deadline_s,drawn\n" +
	"a,0,1,10,VGG-16,,\nb,1.000001,8,0.5,,9.5,model+user\nc,1e3,2,7,,0,\n"

func TestFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Parse: Parse, Sample: sample, Duplicate: sample + "b,2,1,1,,,\n"})
}

func TestFields(t *testing.T) {
	w, _, err := Parse("s", strings.NewReader(sample), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	want := sim.Job{ID: "b", Submit: 1_000_001, GPUs: 8, Work: 500_000, Deadline: 9_500_000,
		Drawn: origin.Model | origin.User}
	if w.Jobs[1] != want {
		t.Errorf("got %+v, want %+v", w.Jobs[1], want)
	}
	if fields := reflect.TypeFor[sim.Job]().NumField(); fields != len(Columns())-1 { // a record has two
		t.Errorf("a job has %d fields, the format %d columns", fields, len(Columns()))
	}
	d, _, err := Parse("s", strings.NewReader("gpus,id,submit_s,duration_s\n4,x,5,2.5\n"), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if j := d.Jobs[0]; j.Work != 10*sim.Second || j.Submit != 5*sim.Second {
		t.Errorf("duration_s gave %+v, want 10 s of work and the submit as written", j)
	}
	half, _, err := Parse("s", strings.NewReader("id,gpus,submit_s,duration_s,share_milli\nx,1,5,3,500\n"),
		intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if j := half.Jobs[0]; j.Work != 3*sim.Second/2 || j.Work.Seconds()/j.Width() != 3 {
		t.Errorf("3 s on half a GPU gave %+v, want 1.5 s of work", j)
	}
}

func TestRoundTripIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		words := []string{"", "a", "ü b", "quo\"te", "com,ma", "line\nend", "5"}
		return words[r.IntN(len(words))]
	}
	jobs := make([]sim.Job, 500)
	for i := range jobs {
		g := 1 + r.Int32N(64)
		jobs[i] = sim.Job{
			ID: fmt.Sprintf("%d,\"%d\"", r.Uint32(), i), Submit: sim.Time(r.Int64N(1e15)), GPUs: g,
			MinGPUs: r.Int32N(g + 1), MaxGPUs: g + r.Int32N(9), WorkerGPUs: []int32{0, 1, g}[i%3],
			Work: 1000 + sim.Time(r.Int64N(1e15)), Iterations: r.Int64N(1000), BatchSize: r.Int32(), GPUMiB: r.Int32(),
			GPUUtilFrac: r.Float64(), IterS: 1 + r.ExpFloat64(), Model: text(), User: text(), VC: text(),
			GPUType: text(), State: text(),
			Deadline: sim.Time(r.Int64N(1e16)), CPUMilli: r.Int32(), MemMiB: r.Int32(), Priority: r.Int32() -
				math.MaxInt32/2, Group: text(), Request: sim.Time(r.Int64N(1e15)), Drawn: origin.Field(r.Uint32N(1024)),
		}
		if i%3 > 0 {
			jobs[i].Record = &recorded.Run{Wait: int64(i) - 1, Machines: []string{"", "m1*4,m-2", "m"}[i%3]}
		}
	}
	w, err := sim.NewWorkload("csv", jobs)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, w); err != nil {
		t.Fatal(err)
	}
	got, _, err := Parse("s", &b, intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Jobs {
		if !reflect.DeepEqual(got.Jobs[i], w.Jobs[i]) {
			t.Fatalf("wrote %+v, read %+v", w.Jobs[i], got.Jobs[i])
		}
	}
	if !reflect.DeepEqual(got.Jobs, w.Jobs) || got.Hash() != w.Hash() {
		t.Error("the jobs differ")
	}
}

func TestWrong(t *testing.T) {
	const header = "id,submit_s,gpus,min_gpus,max_gpus,work_s,share_milli,priority,drawn,deadline_s\n"
	row := func(s string) string { return header + s + "\n" }
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"empty", "", `f:1: the file is empty, expected a header with the columns of its rows`},
		{"misspelt column", "id,submit_s,gpus,work_s,modle\n",
			`f:1: unknown column "modle", did you mean "model"? (--trace-columns model=modle reads it so, trace_columns in files and Python; modle=- leaves a column out)`},
		{"no work", "id,submit_s,gpus\na,0,1\n", `f:1: expected exactly one of the columns "work_s" and "duration_s"`},
		{"work twice", "id,submit_s,gpus,work_s,duration_s\n",
			`f:1: expected exactly one of the columns "work_s" and "duration_s"`},
		{"negative submit", row("a,-1,1,,,5,,,,"), `f:2: column "submit_s" is "-1", expected seconds >= 0`},
		{"hexadecimal submit", row("a,0x10,1,,,5,,,,"), `f:2: column "submit_s" is "0x10", expected seconds >= 0`},
		{"zero work", row("a,1,1,,,0,,,,"), `f:2: column "work_s" is "0", expected seconds > 0`},
		{"no GPUs", row("a,1,,,,5,,,,"), `f:2: column "gpus" is "", expected a whole number from 1 to 1000000`},
		{"range above demand", row("a,1,4,5,8,5,,,,"), `f:2: the job asks for 4 GPUs, outside its own range 5..8`},
		{"workers that do not divide", "id,submit_s,gpus,work_s,worker_gpus\na,1,6,5,4\nb,1,6,5,-1\n", `f:2: the job asks for 6 GPUs in workers of 4, expected a multiple
f:3: column "worker_gpus" is "-1", expected a whole number from 0 to 1000000`},
		{"share above one", row("a,1,1,,,5,1001,,,"),
			`f:2: column "share_milli" is "1001", expected a whole number from 0 to 1000`},
		{"share of several", row("a,1,2,,,5,500,,,"),
			`f:2: the job asks for 500 thousandths of 2 GPUs, expected a share only on 1 GPU`},
		{"broken priority", row("a,1,2,,,5,,high,,"),
			`f:2: column "priority" is "high", expected a whole number >= -2147483648`},
		{"unknown field", row("a,1,2,,,5,,,model+color,"),
			`f:2: column "drawn" is "model+color", expected names of fields between +, such as model+user`},
		{"request below 0", "id,submit_s,gpus,work_s,request_s\na,1,1,5,-1\n",
			`f:2: column "request_s" is "-1", expected seconds >= 0`},
		{"request beyond a run", "id,submit_s,gpus,work_s,request_s\na,1,1,5,1e9.5\na,1,1,5,1000000001\n", `f:2: column "request_s" is "1e9.5", expected seconds >= 0
f:3: the job's request is 1.000000001e+09s, expected 0 (unknown) to 1e+09s (31.7 years)`},
		{"infinite deadline", row("a,1,2,,,5,,,,inf"), `f:2: column "deadline_s" is "inf", expected seconds >= 0`},
		{"the last of twenty", header + strings.Repeat("a,x,1,,,5,,,,\n", 25), func() string {
			var b strings.Builder
			for i := range 20 {
				fmt.Fprintf(&b, "f:%d: column \"submit_s\" is \"x\", expected seconds >= 0\n", i+2)
			}
			return b.String() + "f: reading stopped after 20 faults"
		}()},
	})
}

func FuzzParse(f *testing.F) {
	tracetest.Fuzz(f, Parse, sample, "id,submit_s,gpus,duration_s\n1,2,3,4\n",
		"id\tsubmit_s\tgpus\twork_s\n1\t2\t3\t4\n", "id,submit_s,gpus,work_s\n\"a\nb\",1,1,1\n")
}
