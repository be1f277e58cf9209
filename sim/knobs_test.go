package sim

import (
	"fmt"
	"slices"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// wordy is a model that answers by every knob, and a coupled one: it writes down what is placed.
type wordy struct{ log []string }

func (m *wordy) Speed(q *Query) (Speed, error) {
	return Speed{Rate: float64(len(q.GPUs)) * q.Batch * q.LinkWeight * float64(1+q.CPUMilli) * float64(1+q.GPUMiB) /
		float64(1+len(q.Peers)), ComputeFrac: 1}, nil
}

func (m *wordy) Place(q *Query) error {
	m.log = append(m.log, fmt.Sprintf("place %d batch %v weight %v delay %v", q.ID, q.Batch, q.LinkWeight, q.Delay))
	return nil
}
func (m *wordy) Remove(id JobID)             { m.log = append(m.log, fmt.Sprintf("remove %d", id)) }
func (m *wordy) Touched(dst []JobID) []JobID { return dst }
func (m *wordy) Reset()                      { m.log = nil }

// Predict with Knobs states what another batch, clock or CPU would give: for a job that runs beside
// what it has, for one that waits beside what it would start with. What it states is what a Tune
// then gives.
func TestPredictKnobs(t *testing.T) {
	var got []string
	p := play{cfg: Config{Speed: &wordy{}}, know: know.Speed,
		plan: map[Time][]Decision{0: {{Kind: Start, GPUs: on(0, 1), Knobs: Knobs{Batch: 2}}},
			Second: {{Kind: Tune, Knobs: Knobs{LinkWeight: 3, GPUMiB: 1}}}, 2 * Second: {}}}
	p.look = func(v *View) {
		say := func(j JobID, gpus []cluster.GPU, k Knobs) {
			got = append(got, fmt.Sprint(v.Predict(j, Placement{GPUs: gpus, Knobs: k}).Rate))
		}
		switch v.Now() {
		case Second:
			say(0, v.Run(0).Held(), Knobs{})                         // 2 GPUs, batch 2
			say(0, v.Run(0).Held(), Knobs{LinkWeight: 3, GPUMiB: 1}) // six times that
			say(0, on(1, 2, 3), Knobs{Batch: 1, CPUMilli: 9})        // 3 x 10
			say(1, on(2), Knobs{Batch: 5})                           // as it would start: CPU 4
			say(1, on(1), Knobs{ShareMilli: 500})                    // beside job 0
			got = append(got, fmt.Sprint(v.Predict(1, Placement{GPUs: on(2)}).Rate))
		case 2 * Second:
			got = append(got, fmt.Sprint(v.Run(0).Speed().Rate))
		}
	}
	p.mustRun(t, 4, Job{GPUs: 2, MaxGPUs: 3, Work: 90 * Second}, Job{GPUs: 1, CPUMilli: 4, Work: Second})
	same(t, "predicted", got, "4", "24", "30", "25", "2.5", "5", "24")

	p.know = know.Nothing
	p.look = func(v *View) {
		if s := v.Predict(0, Placement{GPUs: on(0, 1), Knobs: Knobs{Batch: 2}}); s != (Speed{}) {
			t.Errorf("predicted %v without know.Speed", s)
		}
	}
	p.mustRun(t, 4, Job{GPUs: 2, Work: 9 * Second})
}

// A coupled model places a job again after a Tune, with what it has then.
func TestCoupledModelAfterATune(t *testing.T) {
	m := &wordy{}
	p := play{cfg: Config{Speed: m}, plan: map[Time][]Decision{0: {{Kind: Start, GPUs: on(0),
		Knobs: Knobs{Delay: Second / 2}}}, Second: {{Kind: Tune, Knobs: Knobs{Batch: 2, LinkWeight: 4}}}, 2 *
		Second: {{Kind: Migrate, GPUs: on(1)}}}}
	p.mustRun(t, 2, Job{GPUs: 1, Work: 90 * Second})
	same(t, "placed", m.log, "place 0 batch 1 weight 1 delay 0.5s", "remove 0", "place 0 batch 2 weight 4 delay 0.5s",
		"remove 0", "place 0 batch 2 weight 4 delay 0s", "remove 0")
}

// pieces writes down intervals with their knobs.
type pieces struct{ lines []string }

func (p *pieces) Interval(i *Interval) {
	p.lines = append(p.lines, fmt.Sprintf("%v-%v ran %v did %v comm %v: clock %v share %d %v", i.Start, i.End, i.Run,
		Time(i.Work), i.CommFrac, i.FreqFrac, i.ShareMilli, i.Reason))
}
func (p *pieces) Job(*Record)    {}
func (p *pieces) Instant(*Gauge) {}

// An allocation that is tuned is reported in pieces: their times, work and communication add up to
// the allocation's, and a Tune at the instant of the start, or one that changes nothing, makes
// none.
func TestTunedIntervals(t *testing.T) {
	var got pieces
	tune := func(k Knobs) Decision { return Decision{Kind: Tune, Knobs: k} }
	p := play{plan: map[Time][]Decision{0: {begin(0, 0), tune(Knobs{FreqFrac: .5})}, 2 *
		Second: {tune(Knobs{ShareMilli: 500})}, 3 * Second: {tune(Knobs{ShareMilli: 500})},
		5 * Second: {tune(Knobs{FreqFrac: 1, Delay: Second}), tune(Knobs{ShareMilli: 800})}, 7 *
			Second: {{Kind: Migrate, GPUs: on(1)}}}}
	e, err := New(Config{Workload: jobs(t, Job{GPUs: 1, Work: 5 * Second}), Topology: topology(t, 1, 1, 2, 1),
		Speed: counting{}, Check: true, Costs: Costs{Start: Cost{FixedS: 1}}}, &got)
	if err != nil {
		t.Fatal(err)
	}
	for {
		v, ok, err := e.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		if v.Now() == 4*Second && v.Run(0).CheckpointTime() != 0 {
			t.Error("a free checkpoint takes time")
		}
		if err := e.Apply(p.Decide(v, nil)); err != nil {
			t.Fatal(err)
		}
	}
	// 1 s of pause, 1 s at 1/2, 3 s at 1/4, 1 s of delay, 1 s at 0.8: 2.05 of 5 s are done at 7 s;
	// the rest takes 3.6875 s.
	same(t, "pieces", got.lines, "0s-2s ran 1s did 0.5s comm 0: clock 0.5 share 1000 tune",
		"2s-5s ran 3s did 0.75s comm 0: clock 0.5 share 500 tune",
		"5s-7s ran 1s did 0.8s comm 0: clock 1 share 800 migrate", "7s-10.6875s ran 3.6875s did 2.95s comm 0: clock "+
			"1 share 800 finish")
	if r := e.Record(0); r.Allocations != 2 || r.Overhead != 2*Second {
		t.Errorf("%d allocations and overhead %v, expected 2 and 2s", r.Allocations, r.Overhead)
	}
}

// What a job holds on a cordoned machine it may keep in part, and no other job gets the rest.
func TestShrinkOnACordonedMachine(t *testing.T) {
	plan := map[Time][]Decision{0: {begin(0, 0, 1, 2)}, Second: {{Kind: Cordon}, {Kind: Resize, GPUs: on(1)}}, 2 *
		Second: {{Kind: Uncordon}, begin(1, 0)}}
	j := Job{GPUs: 3, MinGPUs: 1, Work: 9 * Second}
	o := play{plan: plan}.mustRun(t, 4, j, j)
	same(t, "told", o.tape[:1], "job 0 on [0 1 2] 0s-1s run 1s resize")
	// not even the job itself gets it back
	for _, ds := range [][]Decision{{begin(1, 0)}, {{Kind: Resize, GPUs: on(1, 2)}}} {
		plan[2*Second] = ds
		if _, err := (play{plan: plan}).run(t, 4, j, j); err == nil {
			t.Errorf("%v is accepted on a cordoned machine", ds)
		}
	}
}

// Runs that tune at every instant allocate nothing once warm, and hold no more entries than there
// are jobs.
func TestTuneAllocatesNothing(t *testing.T) {
	e, err := New(Config{Workload: jobs(t, Job{GPUs: 1, Work: 1 << 60}, Job{GPUs: 1, Work: 1 << 60}),
		Topology: topology(t, 1, 1, 2, 1), Speed: counting{}}, &sums{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := e.Next(); err != nil {
		t.Fatal(err)
	}
	if err := e.Apply([]Decision{begin(0, 0), begin(1, 1), {Kind: WakeAt, At: Second}}); err != nil {
		t.Fatal(err)
	}
	out, n := make([]Decision, 0, 8), 2
	gpus := [][]cluster.GPU{on(0), on(1)}
	step := func() {
		v, ok, err := e.Next()
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		n++
		out = append(out[:0], Decision{Kind: WakeAt, At: v.Now() + Second},
			Decision{Kind: Tune, Knobs: Knobs{FreqFrac: float64(1+n%4) / 4}})
		switch n % 4 {
		case 0:
			out = append(out, Decision{Kind: Preempt, Job: 1})
		case 1:
			out = append(out, Decision{Kind: Start, Job: 1, GPUs: gpus[1], Knobs: Knobs{Batch: 2}})
		}
		if err := e.Apply(out); err != nil {
			t.Fatal(err)
		}
	}
	for range 400 {
		step()
	}
	if a := testing.AllocsPerRun(400, step); a != 0 || len(e.special) != 2 {
		t.Errorf("%v allocations per instant and %d entries, expected none and 2", a, len(e.special))
	}
	if slices.Contains(e.specialIdle, 0) {
		t.Error("an entry that is none is idle")
	}
}
