package shockwave

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
)

const (
	speeds = "job_type,scale_factor,steps_per_s\nM (batch size 4),1,1\nM (batch size 8),1,0.5\nM (batch size " +
		"4),2,1.5\nM (batch size 8),2,1\nA3C,1,0.0\n"
	head = "job,epochs,samples_per_epoch,first_epoch,batch_size\n"
	jobs = head + "0,3,10,0,4\n0,3,10,1,8\n1,5,10,0,4\n2,4,10,0,4\n2,4,10,1,8\n2,4,10,3,4\n"
)

func folder(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t testing.TB, opt Options) *Model {
	t.Helper()
	p, err := Open(folder(t, isolated, speeds, pattern+"mine.csv", jobs), "")
	if err != nil {
		t.Fatal(err)
	}
	return New(p, opt)
}

// job has n steps of 2 s on the reference GPU.
func job(id string, n int64, gpus int32) sim.Job {
	return sim.Job{ID: id, Model: "M (batch size 4)", GPUs: gpus, BatchSize: 4, Iterations: n, IterS: 2,
		Work: sim.Time(n) * 2 * sim.Second}
}

// starts gives every job its GPUs at once, in the order of the cluster, and asks for telemetry when
// asked.
type starts struct{ next cluster.GPU }

func (*starts) Knows() know.Set { return know.Nothing }

func (s *starts) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, e := range v.Events() {
		if e.Kind == sim.Arrive {
			d := sim.Decision{Kind: sim.Start, Job: e.Job}
			for range v.Job(e.Job).GPUs() {
				d.GPUs = append(d.GPUs, s.next)
				s.next++
			}
			out = append(out, d)
		}
	}
	return out
}

// An epoch of 10 samples is 3 steps of batch 4 or 2 of batch 8. Job 0: 3 steps at 1/s, then 2
// epochs of 2 steps at 0.5/s: 3 + 8 s. Job 1 never changes: 13 steps of batch 4 at 1.5/s, the last
// epoch in part. Job 2: one epoch of 3 s, two of 4 s, and two thirds of one of 3 s.
func TestJobsEndAfterTheirEpochs(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 4}}}})
	if err != nil {
		t.Fatal(err)
	}
	w := &sim.Workload{Jobs: []sim.Job{job("0", 9, 1), job("1", 13, 2), job("2", 11, 1)}}
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: open(t, Options{}),
		Check: true}, &starts{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{11, 13 / 1.5, 13} {
		if end := e.Record(sim.JobID(i)).End.Seconds(); math.Abs(end-want) > 1e-5 {
			t.Errorf("job %d ends at %v s, want %v", i, end, want)
		}
	}
}

func query(id string, epochs, batch float64, gpus int) *sim.Query {
	j := job(id, 9, int32(gpus))
	return &sim.Query{Job: &j, GPUs: []cluster.GPU{0, 1, 2, 3}[:gpus], Done: epochs * 6e6,
		Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: batch}}
}

// Rates are 6 s of work per epoch; the common rule holds for what was not measured.
func TestRates(t *testing.T) {
	m, fixed := open(t, Options{}), open(t, Options{Fixed: true})
	for _, c := range []struct {
		why        string
		m          *Model
		q          *sim.Query
		rate, frac float64
		mark       float64
	}{
		{"at first", m, query("0", 0, 1, 1), 2, 1, 6e6},
		{"just before a mark", m, query("0", 1-1e-12, 1, 1), 2, 1, 6e6},
		{"at a mark", m, query("0", 1, 1, 1), 1.5, 1, math.Inf(1)},
		{"the last epoch falls back", m, query("2", 3.5, 1, 1), 2, 1, math.Inf(1)},
		{"two GPUs", m, query("0", 0, 1, 2), 3, 0.75, 6e6},
		{"twice the batch", m, query("0", 0, 2, 1), 1.5, 1, 6e6},
		{"half of the batch", m, query("0", 1, 0.5, 1), 2, 1, math.Inf(1)},
		{"one that was not measured", m, query("0", 0, 4, 1), 2, 1, 6e6},
		{"and on two GPUs", m, query("0", 0, 4, 2), 3 * 4 * (1 + 1./3) / (4 + 1./3), 4 / (4 + 1./3), 6e6},
		{"fixed", fixed, query("0", 2, 1, 1), 2, 1, math.Inf(1)},
		{"fixed, and changed", fixed, query("0", 2, 2, 1), 1.5, 1, math.Inf(1)},
		{"static", m, query("1", 2, 1, 1), 2, 1, math.Inf(1)},
	} {
		s, err := c.m.Speed(c.q)
		if err != nil || math.Abs(s.Rate-c.rate) > 1e-12 || math.Abs(s.ComputeFrac-c.frac) > 1e-12 {
			t.Errorf("%s: %+v, %v, want rate %v, compute %v", c.why, s, err, c.rate, c.frac)
		}
		if at := c.m.Mark(c.q); at != c.mark {
			t.Errorf("%s: the next mark is at %v, want %v", c.why, at, c.mark)
		}
	}
	q := query("0", 0, 1, 1)
	q.ShareMilli, q.FreqFrac = 500, 2
	if s, _ := m.Speed(q); s.Rate != 2 {
		t.Errorf("half of a GPU at twice the clock: %v", s.Rate)
	}
	if n := testing.AllocsPerRun(50, func() { m.Speed(q); m.Mark(q) }); n > 0 {
		t.Errorf("%v allocations for a job that it has seen", n)
	}
}

func TestTelemetry(t *testing.T) {
	m := open(t, Options{})
	got := sim.Telemetry{}
	if !m.Telemetry(query("2", 1.5, 1, 2), &got) || got != (sim.Telemetry{StepS: 1, SyncS: 0, LocalBatch: 4,
		AccumSteps: 1, Batch: 8, Epoch: 1, Epochs: 4, ItersLeft: 4.5}) {
		t.Errorf("%+v", got)
	}
	if !m.Telemetry(query("2", 0, 1, 2), &got) || math.Abs(got.SyncS-(1/1.5-0.5)) > 1e-12 || got.Epoch != 0 {
		t.Errorf("%+v", got)
	}
	if m.Telemetry(query("2", 0, 4, 2), &got) || m.Telemetry(query("x", 0, 1, 1), &got) {
		t.Error("what was not measured has telemetry")
	}
	j := job("2", 9, 1)
	if b := m.Batches(&j); b != (sim.BatchLimits{Initial: 4, Max: 8}) {
		t.Errorf("%+v", b)
	}
}

func TestErrors(t *testing.T) {
	m := open(t, Options{})
	other := query("0", 0, 1, 1)
	other.Job.Model = "M (batch size 8)"
	bare := query("0", 0, 1, 1)
	bare.Job.Model = "M"
	for want, q := range map[string]*sim.Query{
		`job "7" is not in bs_pattern_mine.csv; option trace=none leaves each job at its initial batch`:          query("7", 0, 1, 1),
		`no throughput of M with batch size 4 (job "0") on 3 GPUs, expected one of the numbers 1, 2`:             query("0", 0, 1, 3),
		`job "0" begins with batch size 8, in bs_pattern_mine.csv with 4: expected the profile of its own trace`: other,
		`model "M" (job "0") names no batch size, expected one such as LM (batch size 10)`:                       bare,
	} {
		if _, err := m.Speed(q); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	for want, files := range map[string][]string{
		`v100_isolated.csv:2: column "scale_factor" is "0", expected a whole number from 1 to 65536`:          {isolated, "job_type,scale_factor,steps_per_s\nM,0,1\n"},
		`v100_isolated.csv:3: "M (batch size 1)" on 1 GPUs does 1 and 2 steps per second, expected one value`: {isolated, "job_type,scale_factor,steps_per_s\nM (batch size 1),1,1\nM (batch size 1),1,2\n"},
		`2 files bs_pattern_TRACE.csv, expected the option trace= to name one of a, b, or none`:               {isolated, speeds, pattern + "a.csv", jobs, pattern + "b.csv", jobs},
		`bs_pattern_a.csv:2: column "first_epoch" is "1", expected 0 in the first row of a job`:               {isolated, speeds, pattern + "a.csv", head + "0,3,10,1,4\n"},
		`bs_pattern_a.csv:2: column "first_epoch" is "3", expected an epoch below 3`:                          {isolated, speeds, pattern + "a.csv", head + "0,3,10,3,4\n"},
		`bs_pattern_a.csv:3: column "first_epoch" is "0", expected the rows of a job in order`:                {isolated, speeds, pattern + "a.csv", head + "0,3,10,0,4\n0,3,10,0,8\n"},
		`bs_pattern_a.csv:3: job "0" has 4 epochs of 10 samples, expected 3 of 10 as in an earlier row`:       {isolated, speeds, pattern + "a.csv", head + "0,3,10,0,4\n0,4,10,1,8\n"},
		`bs_pattern_a.csv:2: column "batch_size" is "0", expected a whole number from 1 to 1073741824`:        {isolated, speeds, pattern + "a.csv", head + "0,3,10,0,0\n"},
	} {
		if _, err := Open(folder(t, files...), ""); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	if _, err := Open(folder(t, isolated, speeds, pattern+"a.csv", jobs), "b"); err == nil ||
		!strings.HasSuffix(err.Error(), "expected trace= to name one of a, or none") {
		t.Errorf("a trace that is not there: %v", err)
	}
	if p, err := Open(folder(t, isolated, speeds), ""); err != nil || p.Trace != "" {
		t.Errorf("a folder without traces: %v", err)
	}
	if _, err := Open(t.TempDir(), ""); !os.IsNotExist(err) {
		t.Errorf("an empty folder: %v", err)
	}
}

// Without a trace no job has epochs, and none changes.
func TestNoTrace(t *testing.T) {
	p, err := Open(folder(t, isolated, speeds, pattern+"a.csv", jobs), NoTrace)
	if err != nil {
		t.Fatal(err)
	}
	m, got := New(p, Options{}), sim.Telemetry{}
	q := query("99", 5, 2, 1)
	if s, err := m.Speed(q); err != nil || s.Rate != 2 || !math.IsInf(m.Mark(q), 1) || !m.Telemetry(q, &got) ||
		got.Epochs != 0 {
		t.Errorf("%+v, %v, %+v", s, err, got)
	}
}

// The published profiles: every job runs at each of its batch sizes, and Shockwave's published
// ratios follow from AloneS (see fidelity/shockwavesim/shockwaveref).
func TestPublished(t *testing.T) {
	dir := sharedata.Path(t, "profiles", "shockwave")
	for name, n := range map[string]int{"tacc32_120": 120, "scale64_220": 220, "scale128_460": 460} {
		p, err := Open(dir, name)
		if err != nil || len(p.jobs) != n {
			t.Fatalf("%s: %d jobs, %v", name, len(p.jobs), err)
		}
	}
	p, _ := Open(dir, "tacc32_120")
	s := p.Job("8")
	if s.At(0) != 64 || s.At(70) != 64 || s.At(71) != 256 || s.At(155) != 64 || s.At(235) != 256 || s.Most() != 256 ||
		s.Steps(256) != 196 {
		t.Errorf("%+v", s)
	}
	if got, want := p.AloneS("ResNet-18", s, 1), (71+10)*50000/64./21.43346581+(79+76)*50000/256./6.31952281; math.Abs(
		got-want) > 1e-6 {
		t.Errorf("job 8 alone takes %v s, want %v", got, want)
	}
}

// FuzzOpen reads any two files: an error, or schedules whose epochs are in order.
func FuzzOpen(f *testing.F) {
	f.Add(speeds, jobs)
	f.Add(speeds, head)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, a, b string) {
		for name, text := range map[string]string{isolated: a, pattern + "x.csv": b} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		p, err := Open(dir, "x")
		if err != nil {
			return
		}
		for id, s := range p.jobs {
			for i, first := range s.First {
				if first >= s.Epochs || i > 0 && first <= s.First[i-1] || s.At(first) != s.Batch[i] ||
					s.Batch[i] < 1 || s.First[0] != 0 {
					t.Errorf("job %q: %+v", id, s)
				}
			}
		}
	})
}
