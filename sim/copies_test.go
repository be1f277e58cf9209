package sim

import (
	"fmt"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// uneven gives a GPU of machine m the speed m+1, a gang the speed of its slowest GPU, and half of
// it on several machines.
type uneven struct{ top *cluster.Topology }

func (s uneven) Speed(q *Query) (Speed, error) {
	least, f := 1e9, 1.0
	for _, g := range q.GPUs {
		least = min(least, float64(s.top.Machine(g)+1))
	}
	if s.top.LevelOf(q.GPUs) > cluster.LevelMachine {
		f = .5
	}
	return Speed{Rate: float64(len(q.GPUs)) * least * f, ComputeFrac: f}, nil
}

// Six GPUs on three machines: a gang makes 6 x 1 x 0.5 = 3 a second, copies 2 + 4 + 6 = 12, of
// which 3/4 count. On one machine nothing is lost. A new start is a gang again.
func TestCopies(t *testing.T) {
	top := topology(t, 1, 3, 2, 1)
	var got []string
	p := play{cfg: Config{Speed: uneven{top}, Topology: top}, know: know.Speed, plan: map[Time][]Decision{
		0:           {{Kind: Start, GPUs: on(0, 1, 2, 3, 4, 5), Knobs: Knobs{CopyFrac: .75}}},
		10 * Second: {{Kind: Resize, GPUs: on(4, 5)}},
		20 * Second: {{Kind: Resize, GPUs: on(3, 4, 5)}},
		30 * Second: {{Kind: Tune, Knobs: Knobs{CopyFrac: 1}}},
		40 * Second: {{Kind: Preempt}, {Kind: Start, GPUs: on(0, 1, 2, 3, 4, 5)}},
		50 * Second: {},
	}}
	p.look = func(v *View) {
		all := on(0, 1, 2, 3, 4, 5)
		switch s := v.Run(0).Speed(); v.Now() {
		case 0:
			got = append(got, fmt.Sprint(v.Predict(0, Placement{GPUs: all}).Rate,
				v.Predict(0, Placement{GPUs: all, Knobs: Knobs{CopyFrac: 1}}).Rate))
		case 10 * Second, 20 * Second, 30 * Second, 40 * Second, 50 * Second:
			got = append(got, fmt.Sprint(s.Rate, s.ComputeFrac, v.Run(0).Knobs().CopyFrac))
		}
	}
	p.mustRun(t, 6, Job{GPUs: 6, MinGPUs: 1, Work: 1000 * Second})
	same(t, "speeds", got, "3 12", "9 1 0.75", "6 1 0.75", "6 1 0.75", "8 1 1", "3 0.5 0")
}

// What is not copies of a job on whole GPUs is refused.
func TestCopiesRefused(t *testing.T) {
	for _, c := range []struct {
		what string
		k    Knobs
	}{{"expected 0..1", Knobs{CopyFrac: 1.5}}, {"expected 0..1", Knobs{CopyFrac: -1}},
		{"whole GPUs", Knobs{CopyFrac: 1, ShareMilli: 500}}} {
		p := play{plan: map[Time][]Decision{0: {{Kind: Start, GPUs: on(0), Knobs: c.k}}}}
		if _, err := p.run(t, 2, Job{GPUs: 1, Work: Second}); err == nil || !strings.Contains(err.Error(), c.what) {
			t.Errorf("%+v: error %v, want %q", c.k, err, c.what)
		}
	}
}

// Copies cross no links, so a coupled model does not place them, not after a Tune and not after a
// snapshot either.
func TestCopiesCrossNoLinks(t *testing.T) {
	m := &wordy{}
	p := play{cfg: Config{Speed: m}, plan: map[Time][]Decision{0: {{Kind: Start, GPUs: on(0, 1),
		Knobs: Knobs{CopyFrac: 1}}}, Second: {{Kind: Tune, Knobs: Knobs{Batch: 2}}}}}
	p.mustRun(t, 2, Job{GPUs: 2, Work: 9 * Second})
	for _, line := range m.log {
		if strings.HasPrefix(line, "place") {
			t.Errorf("a job in copies: %s", line)
		}
	}
}

// A run with copies that is resumed from a snapshot ends as the run without.
func TestCopiesResume(t *testing.T) {
	top := topology(t, 1, 3, 2, 1)
	w := jobs(t, Job{GPUs: 6, MinGPUs: 1, Work: 100 * Second},
		Job{GPUs: 6, MinGPUs: 1, Submit: 2 * Second, Work: 10 * Second})
	cfg := Config{Workload: w, Topology: top, Speed: uneven{top}, Check: true}
	run := func(e *Engine, n int) {
		t.Helper()
		for ; n != 0; n-- {
			v, ok, err := e.Next()
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				return
			}
			var out []Decision
			for j := range JobID(2) {
				if v.Run(j).State() == Waiting && len(v.Running()) == 0 && len(out) == 0 {
					out = append(out, Decision{Kind: Start, Job: j, GPUs: on(0, 1, 2, 3, 4, 5),
						Knobs: Knobs{CopyFrac: .5}})
				}
			}
			if err := e.Apply(out); err != nil {
				t.Fatal(err)
			}
		}
	}
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	run(e, 2)
	snap := e.Snapshot()
	run(e, -1)
	f, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Restore(snap); err != nil {
		t.Fatal(err)
	}
	run(f, -1)
	for j := range JobID(2) {
		if a, b := e.Record(j), f.Record(j); fmt.Sprint(a) != fmt.Sprint(b) || a.State != Done {
			t.Errorf("job %d: %+v, resumed %+v", j, a, b)
		}
	}
	if got, want := e.Record(0).End, Time(100*Second)/6+1; got != want {
		t.Errorf("100 s of work at 12 x 0.5 end at %v, want %v", got, want)
	}
}
