package sim

import (
	"fmt"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// What a view states of a running job between two events: progress continues although nothing was
// booked, and stands in a pause.
func TestViewOfARunningJob(t *testing.T) {
	got := map[Time]string{}
	p := play{know: know.Work, cfg: Config{Costs: Costs{Start: Cost{FixedS: 2}, Renew: Cost{FixedS: 3},
		Checkpoint: Cost{FixedS: 5}}},
		plan: map[Time][]Decision{Second: {begin(0, 0, 1)}, 2 * Second: nil, 5 * Second: {{Kind: Renew}}, 6 *
			Second: nil, 9 * Second: nil}}
	p.look = func(v *View) {
		got[v.Now()] = fmt.Sprintf("%v ran %v service %v left %v since %v started %v checkpoint %v", v.Run(0).State(),
			v.Run(0).Time(), v.Run(0).Service(), v.Run(0).Left()/1e6, v.Run(0).Since(), v.Run(0).Started(),
			v.Run(0).CheckpointTime())
	}
	// Granted at 1 s, paused to 3 s; 2 s of running by 5 s; paused to 8 s; one more by 9 s; 20 s of
	// work on two GPUs end at 16 s.
	p.mustRun(t, 2, Job{GPUs: 2, Work: 20 * Second})
	for at, want := range map[Time]string{
		0:      "waiting ran 0s service 0s left 20 since 0s started never checkpoint 0s",
		Second: "waiting ran 0s service 0s left 20 since 0s started never checkpoint 0s",
		// nothing to save in the start
		2 * Second:  "running ran 0s service 0s left 20 since 1s started 1s checkpoint 0s",
		5 * Second:  "running ran 2s service 4s left 16 since 1s started 1s checkpoint 5s",
		6 * Second:  "running ran 2s service 4s left 16 since 1s started 1s checkpoint 5s", // paused by the renewal
		9 * Second:  "running ran 3s service 6s left 14 since 1s started 1s checkpoint 5s",
		16 * Second: "done ran 10s service 20s left 0 since 1s started 1s checkpoint 5s",
	} {
		if got[at] != want {
			t.Errorf("at %v: %s\nexpected %s", at, got[at], want)
		}
	}
	if len(got) != 7 {
		t.Errorf("%d instants", len(got))
	}
}

// What is known of a job's iterations and its estimate, with and without the permission.
func TestViewOfIterations(t *testing.T) {
	js := []Job{{GPUs: 1, Work: 10 * Second, Iterations: 4}, {GPUs: 1, Work: 10 * Second, Iterations: 4, IterS: 3},
		{GPUs: 1, Work: 10 * Second, IterS: 3}}
	for _, c := range []struct {
		know know.Set
		want string
	}{
		// 10 s / 4; as the trace states; nothing without a number of iterations
		{know.Work, "[4 2.5 NaN] [4 3 NaN] [0 0 NaN]"},
		{know.Estimate, "[0 0 1e+07] [0 0 1e+07] [0 0 1e+07]"}, // without a function the estimate is the truth
		{know.Nothing, "[0 0 NaN] [0 0 NaN] [0 0 NaN]"},
	} {
		got := ""
		p := play{know: c.know, look: func(v *View) {
			got = ""
			for j := range JobID(3) {
				got += fmt.Sprintf("[%v %v %v] ", v.Job(j).Iterations(), v.Job(j).IterS(), v.Job(j).Estimate())
			}
		}}
		p.mustRun(t, 1, js...)
		if got != c.want+" " {
			t.Errorf("knowing %v: %s, expected %s", c.know, got, c.want)
		}
	}
}

// A prediction is for the allocation named: a waiting job at its own share, clock and batch 1; a
// running one as it is tuned.
func TestPredictions(t *testing.T) {
	var got []string
	p := play{know: know.Speed, cfg: Config{Topology: topology(t, 1, 1, 4, 1)}, plan: map[Time][]Decision{
		0: {{Kind: Start, GPUs: on(0, 1), Knobs: Knobs{FreqFrac: .5}},
			{Kind: Start, Job: 1, GPUs: on(2), Knobs: Knobs{ShareMilli: 200}}}, 2 *
			Second: {{Kind: Preempt, Job: 0}, {Kind: Preempt, Job: 1}}, 3 * Second: nil}}
	p.look = func(v *View) {
		if v.Now() <= 3*Second {
			got = append(got, fmt.Sprintf("%v: %v %v %v", v.Now(), v.Predict(0, Placement{GPUs: on(0, 1, 2)}).Rate,
				v.Predict(1, Placement{GPUs: on(3)}).Rate, v.Predict(0, Placement{GPUs: on(0, 1)}).Rate))
		}
	}
	p.cfg.Until = 5 * Second
	if _, err := p.run(t, 0, Job{GPUs: 2, MaxGPUs: 3, Work: 40 * Second},
		Job{GPUs: 1, ShareMilli: 500, Work: 40 * Second}); err != nil {
		t.Fatal(err)
	}
	// what a run was tuned to is forgotten when the job waits
	same(t, "rates", got, "0s: 3 0.5 2", "2s: 1.5 0.2 1", "3s: 3 0.5 2")
}

// differing is counting with GPUs of unlike speed.
type differing struct{ counting }

func (differing) Class(string) int      { return 0 }
func (differing) Factors(int) []float64 { return []float64{1, 0.5} }

// How GPUs differ is for policies that know speeds.
func TestVariability(t *testing.T) {
	for know, want := range map[know.Set]string{know.Speed: "[1 0.5]", know.Work: "none"} {
		for _, m := range []SpeedModel{differing{}, counting{}} {
			if _, differ := m.(Variability); !differ {
				want = "none"
			}
			p := play{know: know, cfg: Config{Topology: topology(t, 1, 1, 2, 1), Speed: m},
				plan: map[Time][]Decision{0: {{Kind: Start, GPUs: on(0)}}}}
			got := "none"
			p.look = func(v *View) {
				if d := v.Variability(); d != nil {
					got = fmt.Sprint(d.Factors(d.Class("")))
				}
			}
			if _, err := p.run(t, 0, Job{GPUs: 1, Work: Second}); err != nil || got != want {
				t.Errorf("knowing %v of %T: %s, %v, want %s", know, m, got, err, want)
			}
		}
	}
}

// Fits reports what a grant would: free, up, of the type, with the hosts' CPU and memory, in number
// and order.
func TestFits(t *testing.T) {
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Slots: 1, Type: "a",
		CPUMilli: 1000}, {Count: 1, GPUs: 2, Slots: 1, Type: "b"}}}})
	if err != nil {
		t.Fatal(err)
	}
	js := []Job{{GPUs: 1, ShareMilli: 600, Work: Second, CPUMilli: 300}, {GPUs: 1, ShareMilli: 400, Work: Second},
		{GPUs: 1, Work: Second, GPUType: "b"}, {GPUs: 2, Work: Second, CPUMilli: 400}}
	for _, c := range []struct {
		job  JobID
		gpus []cluster.GPU
		want bool
	}{
		// GPU 2 is down
		{1, on(0), true}, {1, on(3), true}, {1, on(0, 1), false}, {2, on(0), false}, {2, on(1), false},
		{2, on(3), true}, {2, on(2), false},
		{3, on(1, 3), true}, {3, on(0, 1), false}, {3, on(3, 1), false}, {1, on(4), false}, {1, nil, false},
	} {
		e, err := New(Config{Workload: jobs(t, js...), Topology: top, Speed: counting{},
			Outages: Schedule{{Machine: 1, GPU: 0}}.Source()})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := e.Next(); err != nil {
			t.Fatal(err)
		}
		if err := e.Apply([]Decision{begin(0, 0)}); err != nil { // 600 of GPU 0, 300 of the CPU of its machine
			t.Fatal(err)
		}
		if got := e.view.Fits(c.job, c.gpus); got != c.want {
			t.Errorf("job %d fits %v: %v, expected %v", c.job, c.gpus, got, c.want)
		}
	}
}

// Intervals have the work, the running time and the communication of one allocation, not of the
// job's life.
func TestIntervalsAreOfOneAllocation(t *testing.T) {
	var got []string
	p := play{cfg: Config{Topology: topology(t, 1, 2, 2, 1), Costs: Costs{Restore: Cost{FixedS: 1}}},
		plan: map[Time][]Decision{
			0: {begin(0, 0, 1)}, 2 * Second: {{Kind: Preempt}}, 3 * Second: {begin(0, 1, 2)}}}
	p.cfg.Speed = byReach{p.cfg.Topology}
	o := &intervals{f: func(i *Interval) {
		got = append(got, fmt.Sprintf("%v-%v: work %v in %v, %v communicating, at %v, %v", i.Start, i.End, i.Work/1e6,
			i.Run, i.CommFrac, i.Level, i.Reason))
	}}
	p.cfg.Workload = jobs(t, Job{GPUs: 2, Work: 8 * Second})
	e, err := New(p.cfg, o)
	if err != nil {
		t.Fatal(err)
	}
	if rest := story(t, e, p); len(rest) == 0 {
		t.Fatal("nothing happened")
	}
	// 2 s on one machine at rate 2; from 4 s on at half of that: the other 4 s of work take 4 s.
	same(t, "intervals", got, "0s-2s: work 4 in 2s, 0 communicating, at slot, preempt",
		"3s-8s: work 4 in 4s, 0.5 communicating, at rack, finish")
}

// byReach halves the speed of what lies on two machines.
type byReach struct{ top *cluster.Topology }

func (b byReach) Speed(q *Query) (Speed, error) {
	f := 1.0
	if b.top.LevelOf(q.GPUs) > cluster.LevelMachine {
		f = .5
	}
	return Speed{Rate: float64(len(q.GPUs)) * f, ComputeFrac: f}, nil
}

// intervals hears of allocations alone.
type intervals struct{ f func(i *Interval) }

func (o *intervals) Interval(i *Interval) { o.f(i) }
func (*intervals) Job(*Record)            {}
func (*intervals) Instant(*Gauge)         {}

// The gauge after an instant counts GPUs and jobs; a job that writes its checkpoint still counts as
// running.
func TestGauge(t *testing.T) {
	cfg := Config{Workload: jobs(t, Job{GPUs: 2, Work: 9 * Second}, Job{GPUs: 1, Work: 9 * Second},
		Job{GPUs: 4, Work: Second}), Topology: topology(t, 1, 2, 3, 1), Speed: counting{},
		Costs: Costs{Checkpoint: Cost{FixedS: 2}}, Outages: Schedule{{At: Second, Machine: 1, GPU: 2}}.Source()}
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	p := play{plan: map[Time][]Decision{0: {begin(0, 0, 1), begin(1, 3)}, 2 * Second: {{Kind: Preempt, Job: 0}}}}
	for at, want := range []Gauge{
		{Now: 0, Busy: 3, Free: 3, Waiting: 1, Running: 2, Largest: 2},                   // free: 2, 4 and 5
		{Now: Second, Busy: 3, Free: 2, Down: 1, Waiting: 1, Running: 2, Largest: 1},     // GPU 5 failed
		{Now: 2 * Second, Busy: 3, Free: 2, Down: 1, Waiting: 1, Running: 2, Largest: 1}, // job 0 writes its checkpoint
		{Now: 4 * Second, Busy: 1, Free: 4, Down: 1, Waiting: 2, Running: 1, Largest: 3},
	} {
		v, _, err := e.Next()
		if err == nil {
			err = e.Apply(p.Decide(v, nil))
		}
		if err != nil || e.Gauge() != want {
			t.Errorf("instant %d: %+v (error %v), expected %+v", at, e.Gauge(), err, want)
		}
	}
}
