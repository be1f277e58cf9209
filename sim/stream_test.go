package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tarry/sim/cluster"
)

// A run is the same whether its jobs are held or come one by one, with costs, faults, elastic jobs
// and parts of GPUs.
func TestStreamedIsHeld(t *testing.T) {
	for seed := range uint64(60) {
		cfg, _ := drawTwin(t, rand.New(rand.NewPCG(seed, 5)))
		if seed%3 == 0 {
			cfg.Until = 30 * Second
		}
		play := func(cfg Config) (tape, *Engine) {
			var o tape
			e, err := Run(context.Background(), cfg, greedy(rand.New(rand.NewPCG(seed, 6))), &o)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			return o, e
		}
		held, a := play(cfg)
		list := cfg.Workload.Stream()
		cfg.Workload, cfg.Stream = nil, list
		streamed, b := play(cfg)
		same(t, fmt.Sprintf("seed %d", seed), streamed.lines, held.lines...)
		jobsA, waitA, busyA := a.Areas()
		jobsB, waitB, busyB := b.Areas()
		if jobsA != jobsB || waitA != waitB || busyA != busyB || a.Events() != b.Events() || a.Now() != b.Now() {
			t.Errorf("seed %d: areas, events and end differ", seed)
		}
		for id := range JobID(list.Len()) {
			if a.Record(id).State != b.Record(id).State {
				t.Errorf("seed %d: job %d is %v held and %v streamed", seed, id, a.Record(id).State, b.Record(id).State)
			}
		}
	}
}

// broken is a stream that announces another number of jobs than it has.
type broken struct {
	listed
	n int
}

func (b *broken) Len() int { return b.n }

func TestStreamFaults(t *testing.T) {
	one := Job{ID: "a", GPUs: 1, Work: Second, Submit: Second}
	early, wrong := Job{ID: "b", GPUs: 1, Work: Second}, Job{ID: "c", GPUs: 1, Submit: 2 * Second}
	for want, s := range map[string]Stream{
		"the stream ended after 1 jobs, expected 2": &broken{listed{jobs: []Job{one}}, 2},
		"the stream has more jobs than the 1 that it announced": &broken{listed{jobs: []Job{one,
			one}}, 1},
		`job "b": submit 0s is before its predecessor's 1s, expected jobs sorted`: &listed{jobs: []Job{one, early}},
		`job "c": has work 0s, expected > 0`:                                      &listed{jobs: []Job{one, wrong}},
		"config: a stream of -1 jobs, expected 0..2147483646":                     &broken{n: -1},
	} {
		_, err := Run(context.Background(), Config{Stream: s, Topology: topology(t, 1, 1, 1, 1), Speed: counting{}},
			greedy(rand.New(rand.NewPCG(1, 1))))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, expected %s", err, want)
		}
	}
	if _, err := New(Config{Stream: &listed{}, Workload: &Workload{}, Topology: topology(t, 1, 1, 1, 1),
		Speed: counting{}}); err == nil {
		t.Error("a stream beside a workload is no fault")
	}
	e, err := New(Config{Stream: &listed{jobs: []Job{one}}, Topology: topology(t, 1, 1, 1, 1), Speed: counting{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Restore(e.Snapshot()); err == nil || !strings.Contains(err.Error(), "cannot be restored") {
		t.Errorf("restored: %v", err)
	}
}

// Once warm, instants of a streamed run allocate nothing either, and the rows are as many as jobs
// are in the system at a time.
func TestStreamAllocatesNothingOnceWarm(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	js := make([]Job, 20000)
	for i := range js {
		js[i] = Job{ID: fmt.Sprint(i), GPUs: int32(1 + r.IntN(8)), Work: Time(1 + r.IntN(40e6)), Submit: Time(i) *
			Second}
	}
	buf := make([]cluster.GPU, 0, 1024)
	e, err := New(Config{Stream: &listed{jobs: js}, Topology: topology(t, 4, 8, 8, 2), Speed: counting{}})
	if err != nil {
		t.Fatal(err)
	}
	var out []Decision
	step := func() {
		v, ok, err := e.Next()
		if !ok || err != nil {
			t.Fatalf("ended early: %v", err)
		}
		out = out[:0]
		for _, ev := range v.Events() {
			if ev.Kind == Arrive {
				g, _ := v.Free().At(buf, v.Job(ev.Job).GPUs(), cluster.LevelCluster, cluster.BestFit)
				out = append(out, Decision{Kind: Start, Job: ev.Job, GPUs: g})
			}
		}
		if err := e.Apply(out); err != nil {
			t.Fatal(err)
		}
	}
	for range 10000 {
		step()
	}
	if n := testing.AllocsPerRun(20000, step); n != 0 {
		t.Errorf("%v allocations per instant, want none", n)
	}
	if n := len(e.runs); n > 60 {
		t.Errorf("%d rows, expected few: %v", n, slices.Max(e.at))
	}
}
