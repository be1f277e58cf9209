package polluxsim

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
)

// A small application: M0 = 10, at most 80 samples an update and 20 a GPU; two epochs.
const (
	applications = "application,init_batch_size,max_batch_size,min_local_bsz,max_local_bsz,max_epochs," +
		"validated_batch_sizes\n" +
		"net,10,80,5,20,2,10 20 40\nfixed,4,8,1,4,1,8\n"
	validation = "application,batch_size,epoch,progress,iteration,metric,grad_sqr,grad_var\n" +
		"net,10,0,100,100,1,1,10\nnet,10,1,200,200,1,1,30\n" +
		"net,20,0,101,60,1,2,20\nnet,20,1,199,120,1,2,40\n" +
		"net,40,0,102,50,1,4,40\nnet,40,1,205,100,1,4,80\nfixed,8,0,50,50,1,1,1\n"
	placements = "application,placement,local_bsz,step_time,sync_time\n" +
		"net,1,5,0.6,0.1\nnet,1,20,2.1,0.1\nnet,2,5,1,0.4\nnet,11,5,2,1\nnet,11,10,2.5,1\nnet,123,5,3,1\nnet,132,5," +
		"4,1\nfixed,1,4,0.5,0.25\n"
	grid = "application,num_nodes,num_replicas,local_bsz,step_time,sync_time\n" +
		"net,1,3,5,1.5,0.5\nnet,1,3,10,2.5,0.5\nnet,2,5,5,5,1\nnet,2,3,5,7,1\nnet,2,4,5,6,1\n"
)

// folder writes the files, each named in changed with another text.
func folder(t testing.TB, changed ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i, text := range []string{applications, validation, placements, grid} {
		name := Files()[i]
		for k := 0; k < len(changed); k += 2 {
			if changed[k] == name {
				text = changed[k+1]
			}
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// lab is 3 machines of 4 GPUs, one of 8 and one of 4 of another type.
func lab(t testing.TB, opt Options) *Model {
	t.Helper()
	topo, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 3, GPUs: 4}, {Count: 1, GPUs: 8},
		{Count: 1, GPUs: 4, Type: "fast"}}}})
	if err != nil {
		t.Fatal(err)
	}
	table, err := Open(folder(t))
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(table, topo, opt)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func query(batch int32, gpus ...cluster.GPU) *sim.Query {
	j := &sim.Job{ID: "j", Model: "Net", GPUs: int32(len(gpus)), IterS: 1, Iterations: 199, Work: 199 * sim.Second,
		BatchSize: batch}
	return &sim.Query{Job: j, GPUs: gpus, Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}}
}

func with(q *sim.Query, change func(*sim.Query)) *sim.Query {
	change(q)
	return q
}

func close(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }

// Each by hand: gain / T, and 1 - sync / T.
func TestSpeed(t *testing.T) {
	m, ordered := lab(t, Options{}), lab(t, Options{ByMachine: true})
	typed := lab(t, Options{Types: map[string]float64{"fast": 2}})
	for _, c := range []struct {
		why        string
		m          *Model
		q          *sim.Query
		rate, frac float64
	}{
		{"the initial batch", m, query(0, 0), 1 / 1.1, 1 / 1.1}, // step(10) = 1.1, gain 1
		{"two micro-steps for more alone", m, query(20, 0), 22. / 12 / 2.1, 2 / 2.1},
		{"its own steps", m, with(query(20, 0), func(q *sim.Query) { q.AccumSteps = 1 }), 22. / 12 / 2.1, 2 / 2.1},
		{"two GPUs of a machine", m, query(0, 0, 1), 1, 0.6},
		{"two machines, between validated batches", m, query(15, 0, 4), 17.6 / 11.6 / 2.3, 1.3 / 2.3},
		{"a ring, most first", m, query(0, 0, 4, 5, 8, 9, 10), 13.2 / 11.2 / 4, 0.75},
		{"a ring, as numbered", ordered, query(0, 0, 4, 5, 8, 9, 10), 13.2 / 11.2 / 3, 2. / 3},
		{"the grid", m, query(0, 0, 1, 2), 0, 1 - 0.5/1.5},
		{"one machine of 8 counts as two", m, query(0, 12, 13, 14, 15, 16), 11. / 11 / 5, 0.8},
		{"half a GPU", m, with(query(0, 0), func(q *sim.Query) { q.ShareMilli = 500 }), 0.5 / 1.1, 1 / 1.1},
		{"half the clock", m, with(query(0, 0), func(q *sim.Query) { q.FreqFrac = 0.5 }), 1 / 2.1, 2 / 2.1},
		{"a type twice as fast", typed, query(0, 20), 1 / 0.6, 0.5 / 0.6},
		{"twice the batch", m, with(query(0, 0), func(q *sim.Query) { q.Batch = 2 }), 22. / 12 / 2.1, 2 / 2.1},
		{"the second epoch", m, with(query(20, 0), func(q *sim.Query) { q.Done = 100e6 }), 42. / 22 / 2.1, 2 / 2.1},
		{"beyond the last", m, with(query(20, 0), func(q *sim.Query) { q.Done = 1000e6 }), 42. / 22 / 2.1, 2 / 2.1},
	} {
		got, err := c.m.Speed(c.q)
		if err != nil {
			t.Fatalf("%s: %v", c.why, err)
		}
		if !close(got.ComputeFrac, c.frac) || c.rate > 0 && !close(got.Rate, c.rate) {
			t.Errorf("%s: %+v, expected %v and %v", c.why, got, c.rate, c.frac)
		}
	}
}

func TestMarksAndTelemetry(t *testing.T) {
	m := lab(t, Options{})
	q := query(20, 0, 4)
	if got := m.Mark(q); got != 100e6 { // the least progress after the first epoch
		t.Errorf("the first mark is %v", got)
	}
	var got sim.Telemetry
	want := sim.Telemetry{StepS: 2.5, SyncS: 1, LocalBatch: 10, AccumSteps: 1, Batch: 20, GradSqr: 2, GradVar: 20,
		Epochs: 2, ItersLeft: 60}
	check := func() {
		t.Helper()
		if !m.Telemetry(q, &got) || !math.IsNaN(got.Loss) {
			t.Fatalf("%+v", got)
		}
		if got.Loss = 0; got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	check()
	q.Done = math.Nextafter(100e6, 0) // the work is kept as what is left
	want.GradSqr, want.GradVar, want.Epoch, want.ItersLeft = 2, 40, 1, 1
	check()
	if got := m.Mark(q); !math.IsInf(got, 1) {
		t.Errorf("the last mark is %v", got)
	}
	q.AccumSteps = 2
	want.StepS, want.LocalBatch, want.AccumSteps = 2, 5, 2
	check()
	if got := m.Batches(q.Job); got != (sim.BatchLimits{Initial: 10, Max: 80, MinLocal: 5, MaxLocal: 20}) {
		t.Errorf("%+v", got)
	}
	if got := m.Batches(&sim.Job{Model: "fixed"}); got != (sim.BatchLimits{Initial: 8, Max: 8, MinLocal: 8,
		MaxLocal: 8}) {
		t.Errorf("%+v", got)
	}
	q.Job.Model = "other"
	if m.Telemetry(q, &got) || m.Batches(q.Job) != (sim.BatchLimits{}) || !math.IsInf(m.Mark(q), 1) {
		t.Error("an unknown application is known")
	}
}

// The rule of the simulator, by hand.
func TestSplit(t *testing.T) {
	a := &app{initial: 128, most: 4096, maxLocal: 1024}
	for _, c := range []struct {
		target      float64
		gpus, steps int
		want        split
	}{
		{128, 1, 0, split{128, 0, 128}},
		{128, 1, 2, split{64, 1, 128}},
		{129, 1, 0, split{65, 1, 130}},
		{2048, 6, 0, split{342, 0, 2052}}, // more than the target
		{4096, 1, 0, split{1024, 3, 4096}},
		{4096, 3, 0, split{682, 1, 4092}}, // at most the largest
		{4096, 5, 1, split{819, 0, 4095}},
		{100, 64, 0, split{2, 0, 128}},
	} {
		if got := a.split(c.target, c.gpus, c.steps); got != c.want {
			t.Errorf("%v on %d in %d: %v, want %v", c.target, c.gpus, c.steps, got, c.want)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	m, q, tele := lab(t, Options{}), query(20, 0, 4), sim.Telemetry{}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := m.Speed(q); err != nil || !m.Telemetry(q, &tele) || m.Mark(q) != 100e6 {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWrong(t *testing.T) {
	for _, c := range []struct{ file, from, to, want string }{
		{"applications.csv", "net,10", "net,0",
			`applications.csv:2: column "init_batch_size" is "0", expected a whole number from 1 to 1073741824`},
		{"applications.csv", "10,80", "10,8",
			`applications.csv:2: column "max_batch_size" is "8", expected a whole number from 10 to 1073741824`},
		{"applications.csv", "10 20 40", "10 40 20",
			`applications.csv:2: column "validated_batch_sizes" is "10 40 20", expected ascending whole numbers >= 1`},
		{"applications.csv", "fixed", "NET",
			`applications.csv:3: column "application" is "NET", expected a name that no other row has`},
		{"applications.csv", "80,5", "80,x",
			`applications.csv:2: column "min_local_bsz" is "x", expected a whole number from 1 to 1073741824`},
		{"validation.csv", "net,40,1", "net,50,1",
			`validation.csv:7: column "batch_size" is "50", expected one of the validated batch sizes [10 20 40]`},
		{"validation.csv", "net,40,1", "net,40,0",
			`validation.csv:7: batch size 40 has two rows for epoch 0, expected one`},
		{"validation.csv", "net,40,1", "net,40,2",
			`validation.csv:7: column "epoch" is "2", expected a whole number from 0 to 1`},
		{"validation.csv", "fixed,8,0,50,50,1,1,1\n", "",
			`validation.csv: "fixed" has no row for batch size 8 and epoch 0`},
		{"validation.csv", "1,199", "1,101",
			`validation.csv: "net" at batch size 20 makes no progress in epoch 1, expected more progress and iterations than after the one before`},
		{"validation.csv", "1,1,1\n", "1,0,0\n",
			`validation.csv:8: column "grad_sqr" is "0", expected a finite sum with grad_var that is not 0`},
		{"placements_measured.csv", "net,11,5", "net,10,5",
			`placements_measured.csv:5: column "placement" is "10", expected the GPUs of each machine as digits 1 to 9`},
		{"placements_measured.csv", "net,11,5", "net,2,5",
			`placements_measured.csv: "net" has two step times at local_bsz 5 of one placement, expected one`},
		{"placements_measured.csv", "0.5,0.25", "0.5,0.5",
			`placements_measured.csv:9: column "sync_time" is "0.5", expected less than step_time`},
		{"placements_measured.csv", "fixed,1", "fixed,2",
			`placements_measured.csv: no step time of "fixed" on one GPU`},
		{"placements_measured.csv", "fixed,1", "none,1",
			`placements_measured.csv:9: column "application" is "none", expected one of net, fixed`},
		{"step_time_grid.csv", "net,2,5", "net,2,9",
			`step_time_grid.csv:4: column "num_replicas" is "9", expected a whole number from 2 to 8`},
	} {
		text := map[string]string{"applications.csv": applications, "validation.csv": validation,
			"placements_measured.csv": placements, "step_time_grid.csv": grid}[c.file]
		_, err := Open(folder(t, c.file, strings.Replace(text, c.from, c.to, 1)))
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s with %q for %q:\n%v, expected\n%s", c.file, c.to, c.from, err, c.want)
		}
	}
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("an empty folder is read")
	}
	m := lab(t, Options{})
	for _, q := range []*sim.Query{query(0), query(0, 0, 1, 4),
		with(query(0, 0), func(q *sim.Query) { q.Job.Model = "other" }),
		with(query(0, 0, 1), func(q *sim.Query) { q.Job.Model = "fixed" })} {
		if s, err := m.Speed(q); err == nil && len(q.GPUs) != 3 {
			t.Errorf("%q on %v runs at %+v", q.Job.Model, q.GPUs, s)
		}
	}
	if _, err := New(m.Table(), m.topo, Options{Model: "other"}); err == nil {
		t.Error("a model of an unknown application is made")
	}
}

// FuzzOpen reads any four files: an error, or a table of which every application has a speed on one
// GPU.
func FuzzOpen(f *testing.F) {
	f.Add(applications, validation, placements, grid)
	f.Add(applications, validation, placements, strings.Replace(grid, "7,1", "1e309,1", 1))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		for i, text := range []string{a, b, c, d} {
			if err := os.WriteFile(filepath.Join(dir, Files()[i]), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		table, err := Open(dir)
		if err != nil {
			return
		}
		topo, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 1}}}})
		if err != nil {
			t.Fatal(err)
		}
		m, err := New(table, topo, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range table.Applications() {
			q := query(0, 0)
			q.Job.Model = name
			if s, err := m.Speed(q); err != nil || !(s.Rate > 0) || math.IsInf(s.Rate, 0) || !(s.ComputeFrac > 0) {
				t.Errorf("%q runs at %+v, %v", name, s, err)
			}
		}
	})
}
