package deepshare

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/cluster"
)

const (
	isolated = "model,num_gpus,num_nodes,samples_per_s\nA,2,2,10\nA,4,2,18\nA,4,4,12\nB,2,2,100\nB,8,4,300\n"
	pairHead = "model,num_gpus,num_nodes,other_model,other_num_gpus,other_num_nodes,ratio\n"
)

// ratios reports what each shape keeps beside each other one: a number that names the two.
func ratios() string {
	shapes := []string{"A,2,2", "A,4,2", "A,4,4", "B,2,2", "B,8,4"}
	out := pairHead
	for i, a := range shapes {
		for k, b := range shapes {
			out += a + "," + b + ",0." + string(rune('2'+i)) + string(rune('1'+k)) + "\n"
		}
	}
	return out
}

// folder writes both files.
func folder(t testing.TB, alone, pairs string) string {
	t.Helper()
	dir := t.TempDir()
	for i, text := range []string{alone, pairs} {
		if err := os.WriteFile(filepath.Join(dir, Files()[i]), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// lab has 4 machines of 4 GPUs.
func lab(t testing.TB, opt Options) *Model {
	t.Helper()
	table, err := Open(folder(t, isolated, ratios()))
	if err != nil {
		t.Fatal(err)
	}
	return on(t, table, opt, 4, 4)
}

func on(t testing.TB, table *Table, opt Options, machines, gpus int) *Model {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(1, machines, gpus, 1))
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(table, top, opt)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ask(id sim.JobID, model string, gpus ...cluster.GPU) *sim.Query {
	j := &sim.Job{ID: "x", GPUs: int32(len(gpus)), Model: model, Work: 1000 * sim.Second, IterS: 1}
	return &sim.Query{Job: j, ID: id, GPUs: gpus, Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}}
}

func rate(t testing.TB, m *Model, q *sim.Query) sim.Speed {
	t.Helper()
	s, err := m.Speed(q)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func place(t testing.TB, m *Model, all ...*sim.Query) {
	t.Helper()
	for _, q := range all {
		if err := m.Place(q); err != nil {
			t.Fatal(err)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }

// Alone: the throughput of the shape, or of the nearest one with more machines; the compute
// fraction is throughput over GPUs.
func TestAlone(t *testing.T) {
	m := lab(t, Options{})
	for _, c := range []struct {
		q    *sim.Query
		rate float64
		frac float64
	}{
		{ask(0, "a", 0, 4), 10, 1},
		{ask(0, "A", 0, 1), 10, 1},
		{ask(0, "A", 0, 1, 4, 5), 18, 0.9},
		{ask(0, "A", 0, 4, 8, 9), 12, 0.6},
		{ask(0, "A", 0, 4, 8, 12), 12, 0.6},
		{ask(0, "B", 0, 1, 2, 3, 4, 5, 6, 7), 300, 0.75},
	} {
		if s := rate(t, m, c.q); !near(s.Rate, c.rate) || !near(s.ComputeFrac, c.frac) {
			t.Errorf("%s on %v: %+v, expected %v and %v", c.q.Job.Model, c.q.GPUs, s, c.rate, c.frac)
		}
	}
	q := ask(0, "A", 0, 4)
	q.ShareMilli, q.FreqFrac = 500, 0.5
	if s := rate(t, m, q); !near(s.Rate, 2.5) {
		t.Errorf("half a GPU at half its clock: %+v", s)
	}
	for _, wrong := range []*sim.Query{ask(0, "C", 0, 4), ask(0, "A", 0, 1, 4)} {
		if _, err := m.Speed(wrong); err == nil {
			t.Errorf("%s on %v has an answer", wrong.Job.Model, wrong.GPUs)
		}
		if err := m.Place(wrong); err == nil {
			t.Errorf("%s on %v is placed", wrong.Job.Model, wrong.GPUs)
		}
	}
	// without iterations: one GPU does 5 samples of A in a second, two do 10
	q = ask(0, "A", 0, 4)
	if q.Job.IterS = 0; !near(rate(t, m, q).Rate, 2) {
		t.Errorf("without iterations: %+v", rate(t, m, q))
	}
	if q.Job.Iterations = 2000; !near(rate(t, m, q).Rate, 5) {
		t.Errorf("with 2000 iterations in 1000 s: %+v", rate(t, m, q))
	}
}

// Jobs on several machines slow one another where they share one, in either direction as the table
// states; those on one machine do not take part.
func TestBeside(t *testing.T) {
	m := lab(t, Options{})
	a, b, c, single := ask(0, "A", 0, 4), ask(1, "B", 1, 5), ask(2, "A", 6, 7, 8, 9), ask(3, "B", 10, 11)
	place(t, m, a, b, c, single)
	// A,2,2 beside B,2,2 0.24, beside A,4,2 0.22 -> 0.35; B,2,2: 0.51 and 0.52; A,4,2: 0.31 and
	// 0.34 -> 0.35
	for i, got := range []float64{rate(t, m, a).Rate, rate(t, m, b).Rate, rate(t, m, c).Rate, rate(t, m, single).Rate} {
		if want := []float64{3.5, 51, 6.3, 100}[i]; !near(got, want) {
			t.Errorf("job %d: rate %v, expected %v", i, got, want)
		}
	}
	if s := rate(t, m, b); !near(s.ComputeFrac, 0.51) {
		t.Errorf("compute fraction %v", s.ComputeFrac)
	}
	if s := rate(t, m, ask(sim.NoJob, "B", 1, 5)); s.Rate != 100 {
		t.Errorf("with the network to itself: %+v", s)
	}
	if s := rate(t, m, ask(9, "B", 8, 12)); !near(s.Rate, 52) {
		t.Errorf("a job that would join: %+v", s)
	}
	// job 1 keeps the ratio that it had when it was placed
	if got := m.Touched(nil); !slices.Equal(got, []sim.JobID{0}) {
		t.Errorf("touched %v, expected the job that was there before its neighbours", got)
	}
	m.Remove(0)
	if got := m.Touched(nil); !slices.Equal(got, []sim.JobID{1}) || !near(rate(t, m, b).Rate, 52) {
		t.Errorf("touched %v, rate %v", got, rate(t, m, b).Rate)
	}
	place(t, m, ask(2, "A", 8, 9, 12, 13)) // moves away
	if got := m.Touched(nil); !slices.Equal(got, []sim.JobID{1}) || rate(t, m, b).Rate != 100 ||
		rate(t, m, ask(2, "A", 8, 9, 12, 13)).Rate != 18 {
		t.Errorf("touched %v, rate %v", got, rate(t, m, b).Rate)
	}
	m.Reset()
	if s := rate(t, m, ask(9, "B", 8, 12)); s.Rate != 100 || len(m.Touched(nil)) > 0 {
		t.Errorf("after Reset: %+v", s)
	}
	if floor := lab(t, Options{Floor: 0.1}); true {
		place(t, floor, a, b)
		if s := rate(t, floor, a); !near(s.Rate, 2.4) {
			t.Errorf("with floor 0.1: %+v", s)
		}
	}
}

// Sticky: a job stays as slow as it was until it moves.
func TestSticky(t *testing.T) {
	m := lab(t, Options{Sticky: true})
	a, b := ask(0, "A", 0, 4), ask(1, "B", 1, 5)
	place(t, m, b, a)
	if got := m.Touched(nil); !slices.Equal(got, []sim.JobID{1}) || !near(rate(t, m, b).Rate, 51) {
		t.Errorf("touched %v, rate %v", got, rate(t, m, b).Rate)
	}
	m.Remove(0)
	if got := m.Touched(nil); len(got) != 0 || !near(rate(t, m, b).Rate, 51) {
		t.Errorf("touched %v, rate %v", got, rate(t, m, b).Rate)
	}
	if s := rate(t, m, ask(1, "B", 8, 12)); s.Rate != 100 {
		t.Errorf("elsewhere: %+v", s)
	}
	place(t, m, ask(1, "B", 1, 5))
	if s := rate(t, m, b); s.Rate != 100 {
		t.Errorf("placed anew: %+v", s)
	}
}

// What Touched reports is what changed, and every ratio equals a plain recount's, whatever is
// placed and removed.
func TestAgainstRecount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	table, err := Open(folder(t, isolated, ratios()))
	if err != nil {
		t.Fatal(err)
	}
	m := on(t, table, Options{Floor: 0.3}, 6, 4)
	running := map[sim.JobID]*sim.Query{}
	told := map[sim.JobID]float64{}
	recount := func(q *sim.Query) float64 {
		machines := func(q *sim.Query) []int32 { return m.machines(nil, q.GPUs) }
		mine := machines(q)
		id, _ := m.shape(q, len(mine))
		least := 2.0
		for other, o := range running {
			theirs := machines(o)
			if other == q.ID || len(theirs) < 2 || !slices.ContainsFunc(mine,
				func(x int32) bool { return slices.Contains(theirs, x) }) {
				continue
			}
			with, _ := m.shape(o, len(theirs))
			least = min(least, table.ratio[int(id)*len(table.shapes)+int(with)])
		}
		if least > 1 || len(mine) < 2 {
			return 1
		}
		return max(least, 0.3)
	}
	for range 3000 {
		for range 1 + r.IntN(3) {
			id := sim.JobID(r.IntN(12))
			if _, ok := running[id]; ok && r.IntN(2) == 0 {
				m.Remove(id)
				delete(running, id)
				delete(told, id)
				continue
			}
			model, n := "A", []int{2, 4}[r.IntN(2)]
			if r.IntN(2) == 0 {
				model, n = "B", []int{2, 8}[r.IntN(2)]
			}
			var gpus []cluster.GPU
			for _, g := range r.Perm(24)[:n] {
				gpus = append(gpus, cluster.GPU(g))
			}
			slices.Sort(gpus)
			q := ask(id, model, gpus...)
			place(t, m, q)
			running[id] = q
			told[id] = m.jobs[id].told // what the engine asks right after
		}
		var want []sim.JobID
		for id, q := range running {
			alone := *q
			alone.ID = sim.NoJob
			ratio := recount(q)
			if got := rate(t, m, q).Rate / rate(t, m, &alone).Rate; !near(got, ratio) {
				t.Fatalf("job %d on %v keeps %v, recounted %v", id, q.GPUs, got, ratio)
			}
			if ratio != told[id] {
				want = append(want, id)
			}
			told[id] = ratio
		}
		slices.Sort(want)
		if got := m.Touched(nil); !slices.Equal(got, want) {
			t.Fatalf("touched %v, expected %v", got, want)
		}
	}
}

// Wrong files are refused, each fault with its place and what was expected.
func TestWrongFolders(t *testing.T) {
	for _, c := range []struct{ alone, pairs, want string }{
		{"model,num_gpus,num_nodes\na,1,1\n", "", "samples_per_s"},
		{"model,num_gpus,num_nodes,samples_per_s\n", "", "no rows"},
		{"model,num_gpus,num_nodes,samples_per_s\n,2,2,1\n", "", "model"},
		{"model,num_gpus,num_nodes,samples_per_s\na,2,3,1\n", "", "at most as many machines as GPUs, 2"},
		{"model,num_gpus,num_nodes,samples_per_s\na,2,2,0\n", "", "samples_per_s"},
		{"model,num_gpus,num_nodes,samples_per_s\na,2,2,1e16\n", "", "at most 1e15"},
		{isolated + "a,2,2,10\n", "", `a second row for "A" on 2 GPUs of 2 machines`},
		{isolated, "model,ratio\n", "num_gpus"},
		{isolated, pairHead + "C,2,2,A,2,2,1\n", "a model of isolated.csv"},
		{isolated, pairHead + "A,2,2,A,8,2,1\n", "GPUs and machines of a row of isolated.csv"},
		{isolated, pairHead + "A,2,2,A,2,2,1.5\n", "at most 1"},
		{isolated, pairHead + "A,2,2,A,2,2,0\n", "ratio"},
		{isolated, pairHead + "A,2,2,B,2,2,0.5\na,2,2,b,2,2,0.6\n", ":3: the ratio is 0.6, and 0.5 by an earlier row"},
	} {
		if _, err := Open(folder(t, c.alone, c.pairs)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %q: %v, expected %q", c.alone, c.pairs, err, c.want)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "nowhere")); err == nil {
		t.Error("nowhere is a folder")
	}
	table, err := Open(folder(t, isolated, pairHead+"A,2,2,A,2,2,0.5\n"))
	if err != nil {
		t.Fatal(err)
	}
	m := on(t, table, Options{Model: "b"}, 4, 4)
	place(t, m, ask(0, "A", 0, 4), ask(1, "what", 1, 5))
	if _, err := m.Speed(ask(0, "A", 0, 4)); err == nil || !strings.Contains(err.Error(),
		`no ratio of "A" on 2 GPUs of 2 machines beside "B" on 2 GPUs of 2 machines`) {
		t.Error(err)
	}
	if _, err := New(table, m.topo, Options{Model: "z"}); err == nil || !strings.Contains(err.Error(), `no model "z"`) {
		t.Error(err)
	}
	if !slices.Equal(table.Models(), []string{"A", "B"}) {
		t.Error(table.Models())
	}
}

func TestNothingIsAllocated(t *testing.T) {
	m := lab(t, Options{})
	a, b := ask(0, "A", 0, 4), ask(1, "B", 1, 5)
	var touched []sim.JobID
	if n := testing.AllocsPerRun(100, func() {
		_ = m.Place(a)
		_ = m.Place(b)
		_, _ = m.Speed(a)
		touched = m.Touched(touched[:0])
		m.Remove(0)
		m.Remove(1)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// The published tables: every shape has a ratio beside every other one, in (0, 1].
func TestAsPublished(t *testing.T) {
	table, err := Open(sharedata.Path(t, "profiles", "deepshare"))
	if err != nil {
		t.Fatal(err)
	}
	if len(table.shapes) != 36 || len(table.names) != 6 {
		t.Errorf("%d shapes of %d models, expected 36 of 6", len(table.shapes), len(table.names))
	}
	for i, r := range table.ratio {
		if !(r > 0 && r <= 1) {
			t.Errorf("ratio %d is %v", i, r)
		}
	}
	m := on(t, table, Options{}, 4, 8)
	place(t, m, ask(0, "MobileNetV3", 0, 8), ask(1, "MobileNetV3", 1, 2, 9, 10))
	if s := rate(t, m, ask(0, "MobileNetV3", 0, 8)); !near(s.Rate, 677.6*0.931) {
		t.Errorf("%+v", s)
	}
}

// FuzzOpen reads any two files: an error, or throughputs above 0 and ratios in (0, 1].
func FuzzOpen(f *testing.F) {
	f.Add(isolated, pairHead+"A,2,2,A,2,2,0.5\n")
	f.Add("model,num_gpus,num_nodes,samples_per_s\na,1,1,1e-300\n", pairHead+"a,1,1,A,1,1,1\n")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, alone, pairs string) {
		for i, text := range []string{alone, pairs} {
			if err := os.WriteFile(filepath.Join(dir, Files()[i]), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		table, err := Open(dir)
		if err != nil {
			return
		}
		for _, v := range append(slices.Clone(table.perS), table.one...) {
			if !(v > 0) || math.IsInf(v, 1) {
				t.Errorf("a throughput of %v", v)
			}
		}
		for _, v := range table.ratio {
			if !math.IsNaN(v) && !(v > 0 && v <= 1) {
				t.Errorf("a ratio of %v", v)
			}
		}
	})
}
