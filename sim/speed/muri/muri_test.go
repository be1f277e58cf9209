package muri

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/stages"
)

// By hand: a and b on two GPUs take turns, max(400, 100+0) + max(100, 300+0) = 700 ms, and 700 x
// 1.33 in a group of two.
const table = "model,num_gpu,batch_size,iteration_time_ms,resource_time_0_ms,resource_time_1_ms,resource_time_2_ms," +
	"start_overhead_s\n" +
	"a,2,64,1000,400,300,0,38\na,4,64,1200,400,300,600,40\nb,2,8,500,100,100,0,5\nb,8,8,500,100,100,100,5\n"

func open(t testing.TB, text string) *Profile {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, File), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func model(t testing.TB, opt Options) *Model {
	t.Helper()
	m, err := New(open(t, table), opt)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// job has 100 iterations of s seconds, of all its GPUs together.
func job(name string, gpus int32, s float64) *sim.Job {
	return &sim.Job{ID: name, Model: name, GPUs: gpus, Iterations: 100, IterS: s * float64(gpus),
		Work: sim.Seconds(s*100) * sim.Time(gpus)}
}

func rate(t *testing.T, m *Model, q *sim.Query) float64 {
	t.Helper()
	s, err := m.Speed(q)
	if err != nil {
		t.Fatal(err)
	}
	return s.Rate
}

// A model is found in upper case, too; one that the table spells so goes first.
func TestCaseOfModels(t *testing.T) {
	p := open(t, table+"B,2,8,700,100,100,0,5\n")
	for name, want := range map[string]float64{"a": 1, "A": 1, "b": .5, "B": .7} {
		if s, ok := p.Of(name, 2); !ok || math.Abs(s.IterS/stages.Stretch-want) > 1e-12 {
			t.Errorf("%s: %+v, %v, want %v s", name, s, ok, want)
		}
	}
	if _, ok := p.Of("C", 2); ok {
		t.Error("C was found")
	}
}

func TestSpeedsByHand(t *testing.T) {
	m := model(t, Options{})
	two, four := []cluster.GPU{0, 1}, []cluster.GPU{0, 1, 2, 3}
	a, b := job("a", 2, 1.015), job("b", 2, 0.5075)
	peer := sim.Peer{Job: b, ID: 1, GPUs: two}
	turns := 0.7 * 1.33 / 1.015
	for name, c := range map[string]struct {
		q    sim.Query
		want float64
	}{
		"alone":               {sim.Query{Job: a, GPUs: two}, 2},
		"a share is a ticket": {sim.Query{Job: a, GPUs: two, Knobs: sim.Knobs{ShareMilli: 250}}, 2},
		"more GPUs":           {sim.Query{Job: a, GPUs: four}, 2 / 1.2},
		"between two numbers": {sim.Query{Job: a, GPUs: four[:3]}, 2 / 1.1},
		"two":                 {sim.Query{Job: a, GPUs: two, Peers: []sim.Peer{peer}}, 2.03 / turns},
		"the other of two":    {sim.Query{Job: b, GPUs: two, Peers: []sim.Peer{{Job: a, GPUs: two}}}, 1.015 / turns},
		"other GPUs": {sim.Query{Job: a, GPUs: two, Peers: []sim.Peer{{Job: b, GPUs: []cluster.GPU{1, 2}}}},
			2.03 / (1.015 + 0.5075)},
		"five": {sim.Query{Job: a, GPUs: two, Peers: []sim.Peer{peer, peer, peer, peer}}, 2.03 /
			(1.015 + 4*0.5075)},
		"no iterations":  {sim.Query{Job: &sim.Job{Model: "a", GPUs: 2, Work: 5}, GPUs: two}, 2},
		"half the clock": {sim.Query{Job: a, GPUs: two, Knobs: sim.Knobs{FreqFrac: 0.5}}, 1},
	} {
		if got := rate(t, m, &c.q); math.Abs(got-c.want) > 1e-12*c.want {
			t.Errorf("%s: rate %v, expected %v", name, got, c.want)
		}
	}
	worst := model(t, Options{Order: stages.Worst})
	q := sim.Query{Job: a, GPUs: two, Peers: []sim.Peer{peer}}
	if x, y := rate(t, worst, &q), rate(t, m, &q); x > y {
		t.Errorf("the worst order has the rate %v, the best %v", x, y)
	}
}

// All jobs of a group do iterations at one pace, and what was asked before changes nothing.
func TestGroupHasOnePace(t *testing.T) {
	m := model(t, Options{})
	gpus := []cluster.GPU{4, 5}
	jobs := []*sim.Job{job("a", 2, 1.015), job("b", 2, 0.5075), job("a", 2, 1.015), job("b", 2, 0.5075)}
	first := 0.0
	for i, j := range jobs {
		q := sim.Query{Job: j, ID: sim.JobID(i), GPUs: gpus}
		for k, o := range jobs {
			if k != i {
				q.Peers = append(q.Peers, sim.Peer{Job: o, ID: sim.JobID(k), GPUs: gpus})
			}
		}
		pace := rate(t, m, &q) / j.IterS
		if first == 0 {
			first = pace
		}
		if math.Abs(pace-first) > 1e-15 {
			t.Errorf("job %d does %v iterations per second, the first %v", i, pace, first)
		}
	}
}

func TestTelemetry(t *testing.T) {
	m := model(t, Options{Model: "a"})
	var got sim.Telemetry
	if !m.Telemetry(&sim.Query{Job: job("else", 4, 1), GPUs: make([]cluster.GPU, 4)}, &got) {
		t.Fatal("nothing is known")
	}
	if math.Abs(got.StepS-1.218) > 1e-12 || math.Abs(got.SyncS-0.6) > 1e-12 || got.LoadS != 0.4 ||
		got.ComputeS != 0.3 || got.ExchangeS != 0.6 || got.Batch != 64 || got.LocalBatch != 16 {
		t.Errorf("got %+v", got)
	}
}

func TestRefused(t *testing.T) {
	head := "model,num_gpu,iteration_time_ms,resource_time_0_ms,resource_time_1_ms,resource_time_2_ms\n"
	for text, want := range map[string]string{
		"":                                  "the file is empty",
		"model\n":                           `column "num_gpu" is missing`,
		head:                                "no rows",
		head + ",1,1,1,1,1\n":               `column "model"`,
		head + "a,0,1,1,1,1\n":              `column "num_gpu" is "0"`,
		head + "a,1,0,1,1,1\n":              "a number above 0",
		head + "a,1,1,-1,1,1\n":             `column "resource_time_0_ms" is "-1"`,
		head + "a,1,1,1,x,1\n":              `column "resource_time_1_ms" is "x"`,
		head + "a,1,1e13,1,1,1\n":           "at most 1e+12 ms",
		head + "a,1,1,1,1,1\na,1,1,1,1,1\n": "a on 1 GPUs has a row already",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, File), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %s", text, err, want)
		}
	}
	if _, err := Open("/none"); err == nil {
		t.Error("no folder is no error")
	}
	if _, err := New(open(t, table), Options{Model: "c"}); err == nil ||
		!strings.Contains(err.Error(), `no model "c", expected one of a, b`) {
		t.Errorf("got %v", err)
	}
	if _, err := model(t, Options{}).Speed(&sim.Query{Job: job("c", 2, 1), GPUs: []cluster.GPU{0, 1}}); err == nil ||
		!strings.Contains(err.Error(), `no stages of model "c"`) {
		t.Errorf("got %v", err)
	}
}

func TestSpeedAllocatesNothing(t *testing.T) {
	m := model(t, Options{})
	gpus := []cluster.GPU{0, 1}
	q := sim.Query{Job: job("a", 2, 1), GPUs: gpus, Peers: []sim.Peer{{Job: job("b", 2, 1), GPUs: gpus}}}
	if n := testing.AllocsPerRun(100, func() { rate(t, m, &q) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
