package slurm

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/tabular"
	"tarry/traces/intake"
	"tarry/traces/tracetest"
)

const (
	names  = "JobID|User|Account|Partition|State|Submit|Start|End|ElapsedRaw|Timelimit|AllocTRES\n"
	sample = names +
		"7|ann|nlp|gpu|COMPLETED|2024-03-01T08:00:00|2024-03-01T08:05:00|2024-03-01T10:05:00|7200|1-00:00:00|" +
		"billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G,node=1\n" +
		"7.batch|||||2024-03-01T08:05:00|2024-03-01T08:05:00|2024-03-01T10:05:00|7200||cpu=8,gres/gpu=2\n" +
		"8_4|bob|nlp|gpu|TIMEOUT|2024-03-01T08:10:00|2024-03-01T09:00:00|2024-03-01T09:00:30|30|UNLIMITED|" +
		"billing=1,cpu=1,gres/gpu=1,mem=512M,node=1\n" +
		"9|bob|nlp|cpu|COMPLETED|2024-03-01T08:20:00|2024-03-01T09:00:00|2024-03-01T09:00:30|30|UNLIMITED|" +
		"billing=1,cpu=1,node=1\n" +
		"10|cy||gpu|CANCELLED by 5012|2024-03-01T08:30:00|2024-03-01T09:00:00|2024-03-01T09:00:10|10|UNLIMITED|" +
		"billing=1,cpu=1,gres/gpu=4,node=1\n"
)

func TestFormat(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Parse: Parse, Sample: sample, Unlisted: 1})
}

// read gives the jobs of a log as "id submit gpus work user vc type state", with what else they
// have, and the account without examples.
func read(t testing.TB, text string) (jobs, account string) {
	t.Helper()
	w, report, err := Parse("f", strings.NewReader(text), intake.Options{})
	if err != nil {
		return "error " + err.Error(), ""
	}
	for _, j := range w.Jobs {
		id := j.ID
		if j.ShareMilli > 0 {
			id += fmt.Sprintf("(%d/1000, %d MiB)", j.ShareMilli, j.GPUMiB)
		}
		jobs += fmt.Sprintf("%s %s %d %s %s %s %s %s\n", id, tabular.FormatMicros(int64(j.Submit)), j.GPUs,
			tabular.FormatMicros(int64(j.Work)), cmp.Or(j.User, "-"), cmp.Or(j.VC, "-"), cmp.Or(j.GPUType, "-"),
			cmp.Or(j.State, "-"))
	}
	for _, d := range report.Dropped {
		account += fmt.Sprintf("%d %s\n", d.Rows, d.Text)
	}
	return jobs, account + strings.Join(report.Notes, "\n")
}

func TestFields(t *testing.T) {
	w, _, err := Parse("s", strings.NewReader(sample), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	tracetest.Records(t, w, "7 5m0s -", "8_4 50m0s -", "10 30m0s -")
	want := []sim.Job{
		{ID: "7", User: "ann", Group: "nlp", VC: "gpu", State: "COMPLETED", GPUs: 2, GPUType: "a100", CPUMilli: 4000,
			MemMiB: 32768, Work: 14400 * sim.Second, Request: 86400 * sim.Second},
		{ID: "8_4", User: "bob", Group: "nlp", VC: "gpu", State: "TIMEOUT", GPUs: 1, CPUMilli: 1000, MemMiB: 512,
			Work: 30 * sim.Second, Submit: 600 * sim.Second},
		{ID: "10", User: "cy", VC: "gpu", State: "CANCELLED", GPUs: 4, CPUMilli: 250, Work: 40 * sim.Second,
			Submit: 1800 * sim.Second},
	}
	for i := range want {
		if w.Jobs[i] != want[i] {
			t.Errorf("got\n%+v\nwant\n%+v", w.Jobs[i], want[i])
		}
	}
}

// A log of Slurm 22.05, made for this: arrays, a heterogeneous job, jobs that were requeued by hand,
// preempted, resized, suspended, cancelled and cut by their limits.
func TestReal(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "real.txt"))
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := Parse("f", strings.NewReader(string(text)), intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tracetest.Records(t, w, "3 1s node1*2,node3*1", "5 1s node2*1", "6 1s node2*2", "8 18s node1*1", "9 3m36s node2*1",
		"10 25s node1*2", "11 9s node3*1", "12 9s node3*2", "2_1 1s node1*1", "2_2 1s node1*1", "2_3 7s node2*1",
		"2_4 7s node1*1", "17 1s node1,node2", "19 0s node3*1", "20 3s node3*1", "21 0s node1*2", "22_5 0s node3*2",
		"24 0s node1,node2", "26 0s node1*2")
	jobs, account := read(t, string(text))
	if want := strings.TrimPrefix(realJobs, "\n"); jobs != want {
		t.Errorf("got\n%s\nwant\n%s", jobs, want)
	}
	if want := strings.Trim(realAccount, "\n"); account != want {
		t.Errorf("got\n%s\nwant\n%s", account, want)
	}
}

const (
	realJobs = `
3 0 3 24 bob gpu - COMPLETED
5 0 1 88 cy gpu a100 TIMEOUT
6 0 2 40 cy gpu a100 COMPLETED
8 0 1 3 bob gpu a100 FAILED
9 0 1 3 cy gpu a100 COMPLETED
10 0 2 8 ann high a100 COMPLETED
11(142/1000, 5120 MiB) 0 1 0.71 ann gpu a100 COMPLETED
12 0 2 10 ann gpu - COMPLETED
2_1 0 1 6 ann gpu a100 COMPLETED
2_2 0 1 6 ann gpu a100 COMPLETED
2_3 0 1 10 ann gpu a100 COMPLETED
2_4 0 1 10 ann gpu a100 COMPLETED
17 10 8 56 bob high a100 COMPLETED
19 34 1 6 cy gpu v100 COMPLETED
20 42 1 4 bob gpu v100 COMPLETED
21 87 2 376 ann gpu a100 CANCELLED
22_5 87 2 376 ann gpu v100 CANCELLED
24 277 4 38 bob gpu a100 COMPLETED
26 309 2 8 ann gpu a100 RUNNING
`
	realAccount = `
1 the job asks for no GPU
2 the job never ran
27 rows of steps (.batch, .extern, .0) are parts of their jobs and not read
5 jobs have several runs (requeued, preempted or resized): their work is the sum of all
1 heterogeneous jobs have the GPUs of all their components, as one gang
2 jobs have GPUs of several types: taken as any type
1 jobs ran in an instance of a GPU (MIG): it is a share of one GPU, by its compute slices
1 jobs hold several instances or GPUs, rounded up to whole GPUs
1 of 19 jobs were running when the log was written: their runs are cut there, which is a lower bound
1 jobs were eligible more than a minute after their submit (held, --begin, dependencies): the arrival is Submit
at most 11 GPUs of these jobs were in use at once, on 3 nodes with at most 4 of one job on each
`
)
