package measured

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/cluster"
)

const isolated = `job_type,scale_factor,gpu_type,steps_per_s
LM (batch size 5),1,v100,100
LM (batch size 5),1,k80,30
LM (batch size 5),2,v100,150
LM (batch size 5),2,v100_unconsolidated,60
LM (batch size 5),2,k80,80
A3C,1,v100,7
A3C,1,k80,0
`

// folder writes files into a folder of their own.
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

// lab is 2 machines of 2 v100 and 1 of 2 k80.
func lab(t testing.TB) *cluster.Topology {
	t.Helper()
	topo, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 2, Type: "V100"}},
		{{Count: 1, GPUs: 2, Type: "k80"}}}})
	if err != nil {
		t.Fatal(err)
	}
	return topo
}

func model(t testing.TB, dir string, opt Options) *Model {
	t.Helper()
	table, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(table, lab(t), opt)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func query(name string, gpus ...cluster.GPU) *sim.Query {
	j := &sim.Job{ID: "j", Model: name, GPUs: int32(len(gpus)), Iterations: 10, IterS: 0.01, Work: 100_000}
	return &sim.Query{Job: j, GPUs: gpus, Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}}
}

func TestSpeed(t *testing.T) {
	m := model(t, folder(t, "isolated.csv", isolated), Options{Untyped: "v100"})
	spread := model(t, folder(t, "isolated.csv", isolated), Options{Untyped: "v100", Spread: true})
	half, slow, twice := query("A3C", 1), query("LM (batch size 5)", 0, 1), query("LM (batch size 5)", 0, 1)
	half.ShareMilli, slow.FreqFrac, twice.Batch = 500, 0.5, 2
	for _, c := range []struct {
		why        string
		m          *Model
		q          *sim.Query
		rate, frac float64
	}{
		{"one GPU", m, query("LM (batch size 5)", 0), 1, 1},
		{"case does not count", m, query("lm (Batch Size 5)", 4), 0.3, 1},
		{"two of a machine", m, query("LM (batch size 5)", 0, 1), 1.5, 0.75},
		{"more than twice one", m, query("LM (batch size 5)", 4, 5), 0.8, 1},
		{"two machines", m, query("LM (batch size 5)", 1, 2), 1.5, 0.75},
		{"two machines, spread", spread, query("LM (batch size 5)", 1, 2), 0.6, 0.3},
		{"one machine, spread", spread, query("LM (batch size 5)", 2, 3), 1.5, 0.75},
		{"mixed: the slowest", m, query("LM (batch size 5)", 3, 4), 0.8, 1},
		{"does not fit", m, query("A3C", 5), 0, 1},
		{"half of a GPU", m, half, 0.035, 1},
		{"half the clock: 0.75 x 2 + 0.25 for a step", m, slow, 1.5 / 1.75, 1.5 / 1.75},
		{"twice the batch: 0.75 x 2 + 0.25 for two steps", m, twice, 3 / 1.75, 1.5 / 1.75},
	} {
		s, err := c.m.Speed(c.q)
		if err != nil || math.Abs(s.Rate-c.rate) > 1e-15 || math.Abs(s.ComputeFrac-c.frac) > 1e-15 {
			t.Errorf("%s: %+v, %v, want rate %v and fraction %v", c.why, s, err, c.rate, c.frac)
		}
	}
}

// A job that does not fit does a part of what it does on the reference GPU, if that is asked for.
func TestUnfit(t *testing.T) {
	m := model(t, folder(t, "isolated.csv", isolated), Options{Untyped: "v100", Unfit: 0.1})
	for name, want := range map[string]float64{"A3C": 0.1 * 7 * 0.01, "LM (batch size 5)": 0.3} {
		if s, err := m.Speed(query(name, 4)); err != nil || math.Abs(s.Rate-want) > 1e-15 {
			t.Errorf("%s: %+v, %v, want rate %v", name, s, err, want)
		}
	}
	m = model(t, folder(t, "isolated.csv", isolated), Options{Untyped: "k80", Unfit: 0.1})
	if _, err := m.Speed(query("A3C", 4)); err == nil || !strings.Contains(err.Error(),
		`"A3C" (job "j") does not fit`) {
		t.Errorf("a part of nothing: %v", err)
	}
}

// A job that does not state what a step is has one of its model's on the reference GPU.
func TestJobsWithoutSteps(t *testing.T) {
	m := model(t, folder(t, "isolated.csv", isolated), Options{Untyped: "v100", Model: "a3c"})
	for _, c := range []struct {
		name string
		gpu  cluster.GPU
		want float64
	}{{"LM (batch size 5)", 0, 1}, {"LM (batch size 5)", 4, 0.3}, {"VGG", 0, 1}, {"", 0, 1}, {"", 4, 0}} {
		q := query(c.name, c.gpu)
		q.Job.Iterations, q.Job.IterS = 0, 0
		if s, err := m.Speed(q); err != nil || s.Rate != c.want {
			t.Errorf("%q on GPU %d: %+v, %v, want rate %v", c.name, c.gpu, s, err, c.want)
		}
	}
	q := query("A3C", 0)
	q.Job.IterS = 0 // 0.1 s of work in 10 steps
	if s, err := m.Speed(q); err != nil || s.Rate != 7*0.01 {
		t.Errorf("iterations alone: %+v, %v", s, err)
	}
}

func TestSpeedErrors(t *testing.T) {
	dir := folder(t, "isolated.csv", isolated)
	m := model(t, dir, Options{Untyped: "v100"})
	for _, c := range []struct {
		q    *sim.Query
		want string
	}{
		{query("VGG", 0),
			`no model "VGG" (job "j"), expected one of LM (batch size 5), A3C; option model=NAME stands in`},
		{query("A3C", 0, 1, 2), `no throughput of "A3C" (job "j") on 3 GPUs, expected one of [1 2]`},
		{query("A3C", 4, 5), `no throughput of "A3C" (job "j") on 2 GPUs of type k80`},
	} {
		if _, err := m.Speed(c.q); err == nil || err.Error() != dir+": "+c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	q := query("A3C", 4)
	q.Job.Iterations, q.Job.IterS = 0, 0
	m.untyped = 1 // k80, which it does not fit
	if _, err := m.Speed(q); err == nil || !strings.Contains(err.Error(), `job "j" states no iterations`) {
		t.Errorf("no reference: %v", err)
	}
}

func TestNewErrors(t *testing.T) {
	dir := folder(t, "isolated.csv", isolated)
	table, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	topo, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2},
		{Count: 1, GPUs: 2, Type: "a100"}}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(table, topo, Options{Untyped: "h100", Model: "VGG"})
	want := dir + `: GPUs without a type are of type "h100", expected one of v100, k80` + "\n" +
		dir + `: no throughput on the cluster's GPUs of type "a100", expected types among v100, k80` + "\n" +
		dir + `: no model "VGG", expected one of LM (batch size 5), A3C`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
}

const (
	types  = "type_id,job_type\n0,LM (batch size 5)\n1,A3C\n"
	coHead = "type_a,type_b,scale_factor_a,scale_factor_b,gpu_type,steps_per_s_a,steps_per_s_b\n"
)

func TestPairs(t *testing.T) {
	for name, text := range map[string]string{"ids": "0,1,1,1,v100,40,3\n1,0,1,1,v100,3,40\n1,1,1,1,k80,0,0\n",
		"one order": "0,1,1,1,v100,40,3\n1,1,1,1,k80,0,0\n"} {
		table, err := Open(folder(t, "isolated.csv", isolated, "job_types.csv", types, "colocated.csv", coHead+text))
		if err != nil {
			t.Fatal(err)
		}
		a, b, ok := table.PairStepsPerS("A3C", "LM (batch size 5)", 1, "V100")
		if !ok || a != 3 || b != 40 || !table.Pairs() {
			t.Errorf("%s: %v, %v, %v", name, a, b, ok)
		}
		if a, b, ok = table.PairStepsPerS("A3C", "A3C", 1, "k80"); !ok || a != 0 || b != 0 {
			t.Errorf("%s: a pair that does not run gives %v, %v, %v", name, a, b, ok)
		}
		if _, _, ok = table.PairStepsPerS("A3C", "A3C", 2, "k80"); ok {
			t.Errorf("%s: a pair that was not measured is known", name)
		}
	}
	table, err := Open(folder(t, "isolated.csv", isolated, "colocated.csv", coHead+"A3C,A3C,1,1,v100,4,5\n"))
	if err == nil {
		t.Errorf("a pair of one model at two speeds is accepted: %v", table.pairs)
	}
}

// Two jobs on the same GPUs run as the pair was measured, whatever their shares; others that share
// do not run.
func TestSpeedOfPairs(t *testing.T) {
	pairs := coHead + "0,1,1,1,v100,40,3\n0,0,2,2,v100,70,70\n0,0,2,2,v100_unconsolidated,20,20\n0,0,2,2,k80,30,30\n" +
		"0,1,1,1,k80,25,0\n"
	with := folder(t, "isolated.csv", isolated, "job_types.csv", types, "colocated.csv", pairs)
	m, without := model(t, with, Options{Untyped: "v100"}), model(t, folder(t, "isolated.csv", isolated),
		Options{Untyped: "v100"})
	spread := model(t, with, Options{Untyped: "v100", Spread: true})
	const lm, a3c = "LM (batch size 5)", "A3C"
	beside := func(q *sim.Query, peers ...*sim.Query) *sim.Query {
		q.ShareMilli = 300
		for i, p := range peers {
			q.Peers = append(q.Peers, sim.Peer{Job: p.Job, ID: sim.JobID(i), GPUs: p.GPUs,
				Knobs: sim.Knobs{ShareMilli: 300}})
		}
		return q
	}
	for _, c := range []struct {
		why  string
		m    *Model
		q    *sim.Query
		rate float64
	}{
		{"a pair", m, beside(query(lm, 0), query(a3c, 0)), 0.4},
		{"its other job", m, beside(query(a3c, 0), query(lm, 0)), 0.03},
		{"one does not fit", m, beside(query(lm, 4), query(a3c, 4)), 0},
		{"two of a model", m, beside(query(lm, 0, 1), query(lm, 0, 1)), 0.7},
		{"on two machines", m, beside(query(lm, 1, 2), query(lm, 1, 2)), 0.7},
		{"on two machines, spread", spread, beside(query(lm, 1, 2), query(lm, 1, 2)), 0.2},
		{"on two types", m, beside(query(lm, 3, 4), query(lm, 3, 4)), 0.3},
		{"not the same GPUs", m, beside(query(lm, 0, 1), query(lm, 1, 2)), 0},
		{"three jobs", m, beside(query(lm, 0), query(a3c, 0), query(a3c, 0)), 0},
		{"shares without pairs", without, beside(query(lm, 0), query(a3c, 0)), 0.3},
	} {
		if s, err := c.m.Speed(c.q); err != nil || math.Abs(s.Rate-c.rate) > 1e-15 || !(s.ComputeFrac > 0) ||
			s.ComputeFrac > 1 {
			t.Errorf("%s: %+v, %v, want rate %v", c.why, s, err, c.rate)
		}
	}
	if _, err := m.Speed(beside(query(a3c, 0), query(a3c, 0))); err == nil ||
		!strings.HasSuffix(err.Error(), `no throughput of "A3C" (job "j") beside "A3C" on 1 GPUs of type v100`) {
		t.Errorf("a pair that was not measured: %v", err)
	}
	if _, err := m.Speed(beside(query(a3c, 0), query("VGG", 0))); err == nil ||
		!strings.Contains(err.Error(), `no model "VGG"`) {
		t.Errorf("a peer that is not in the table: %v", err)
	}
}

func TestOpenErrors(t *testing.T) {
	const head = "job_type,scale_factor,gpu_type,steps_per_s\n"
	for _, c := range []struct{ why, file, in, want string }{
		{"empty", "isolated.csv", "", "isolated.csv:1: the file is empty, expected a header with the columns " +
			"job_type,scale_factor,gpu_type,steps_per_s"},
		{"no rows", "isolated.csv", head, "isolated.csv: no rows, expected at least one"},
		{"no column", "isolated.csv", "job_type,scale_factor,gpu_type\n",
			`isolated.csv:1: column "steps_per_s" is missing, the header has "job_type,scale_factor,gpu_type"`},
		{"fields", "isolated.csv", head + "A3C,1\n", "isolated.csv:2: 2 fields, expected 4"},
		{"four faults", "isolated.csv", head + ",0,,-1\n",
			`isolated.csv:2: column "scale_factor" is "0", expected a whole number from 1 to 65536` + "\n" +
				`isolated.csv:2: column "steps_per_s" is "-1", expected a number >= 0` + "\n" +
				`isolated.csv:2: column "job_type" is "", expected a model and its batch size` + "\n" +
				`isolated.csv:2: column "gpu_type" is "", expected the name of a GPU type`},
		{"too fast", "isolated.csv", head + "A3C,1,v100,1e13\n",
			`isolated.csv:2: column "steps_per_s" is "1e13", expected at most 1e12 steps per second`},
		{"twice", "isolated.csv", head + "A3C,1,v100,1\nA3C,1,V100,2\n",
			`isolated.csv: steps_per_s of "A3C" on 1 GPUs of type "v100" is 1 and 2, expected one value`},
		{"ids", "job_types.csv", types + "1,B\n", `job_types.csv:4: column "type_id" is "1", expected each id once`},
		{"pair", "colocated.csv", coHead + "0,7,3,1,t4,1,x\n",
			`colocated.csv:2: column "type_b" is "7", expected an id of job_types.csv whose model is in isolated.csv` +
				"\n" +
				`colocated.csv:2: column "scale_factor_b" is "1", expected as many GPUs as scale_factor_a, 3` + "\n" +
				`colocated.csv:2: column "gpu_type" is "t4", expected one of v100, k80, v100_unconsolidated` + "\n" +
				`colocated.csv:2: column "scale_factor_a" is "3", expected a number of GPUs that isolated.csv has` +
				"\n" +
				`colocated.csv:2: column "steps_per_s_b" is "x", expected a number >= 0`},
		{"pair twice", "colocated.csv", coHead + "0,1,1,1,v100,2,3\n1,0,1,1,v100,2,3\n",
			"colocated.csv:3: the pair does 2 and 3 steps per second, expected the 3 and 2 of an earlier row"},
	} {
		files := map[string]string{"isolated.csv": isolated, "job_types.csv": types, "colocated.csv": coHead +
			"0,1,1,1,v100,2,3\n"}
		files[c.file] = c.in
		var all []string
		for name, text := range files {
			all = append(all, name, text)
		}
		dir := folder(t, all...)
		_, err := Open(dir)
		if err == nil || strings.ReplaceAll(err.Error(), dir+"/", "") != c.want {
			t.Errorf("%s:\n%v\nwant\n%s", c.why, err, c.want)
		}
	}
	if _, err := Open(t.TempDir()); !os.IsNotExist(err) {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestNothingAllocated(t *testing.T) {
	m, q := model(t, folder(t, "isolated.csv", isolated), Options{Untyped: "v100"}), query("LM (batch size 5)", 0, 1)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := m.Speed(q); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations for a job that it has seen", n)
	}
}

// The published table: every throughput is found, and comes through rate and IterS so that
// int(steps per second x 360) is the same.
func TestPublished(t *testing.T) {
	table, err := Open(sharedata.Path(t, "profiles", "gavel"))
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Models()) != 26 || strings.Join(table.Types(), " ") != "k80 p100 v100" || len(table.GPUs()) != 4 ||
		!table.Pairs() {
		t.Fatalf("%d models on %v, %v GPUs", len(table.Models()), table.Types(), table.GPUs())
	}
	topo, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 8, Type: "v100"}},
		{{Count: 1, GPUs: 8, Type: "p100"}}, {{Count: 1, GPUs: 8, Type: "k80"}}}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(table, topo, Options{Untyped: "v100"})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range table.Models() {
		for _, g := range table.GPUs() {
			for k, typ := range topo.Types() {
				want, ok := table.StepsPerS(name, g, typ)
				if !ok {
					continue
				}
				n++
				q := query(name, []cluster.GPU{0, 1, 2, 3, 4, 5, 6, 7}[:g]...)
				for i := range q.GPUs {
					q.GPUs[i] += cluster.GPU(8 * k)
				}
				for micros := 1; micros < 1_000_000; micros = 3*micros + 7 {
					q.Job.IterS = float64(micros) / 1e6
					s, err := m.Speed(q)
					if got := s.Rate / q.Job.IterS; err != nil || int(got*360) != int(want*360) ||
						math.Abs(got-want) > 3e-16*want {
						t.Fatalf("%s on %d %s: %v steps per second, %v, want %v", name, g, typ, got, err, want)
					}
				}
			}
		}
	}
	if n != 249 {
		t.Errorf("%d throughputs, want the 249 of consolidated GPUs", n)
	}
	a, b, ok := table.PairStepsPerS("A3C", "CycleGAN", 1, "v100")
	c, d, _ := table.PairStepsPerS("CycleGAN", "A3C", 1, "v100")
	if !ok || a != d || b != c || len(table.pairs) != 10338 {
		t.Errorf("%d pairs; A3C and CycleGAN do %v and %v, the other way round %v and %v", len(table.pairs), a, b, d, c)
	}
}

func BenchmarkSpeed(b *testing.B) {
	m, q := model(b, folder(b, "isolated.csv", isolated), Options{Untyped: "v100"}), query("LM (batch size 5)", 0, 1)
	for b.Loop() {
		if _, err := m.Speed(q); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen reads the published folder, which every run does once.
func BenchmarkOpen(b *testing.B) {
	dir := sharedata.Path(b, "profiles", "gavel")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(dir); err != nil {
			b.Fatal(err)
		}
	}
}
