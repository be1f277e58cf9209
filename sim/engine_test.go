package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// counting is the speed model in which placement does not matter.
type counting struct{}

func (counting) Speed(q *Query) (Speed, error) {
	return Speed{Rate: float64(float64(len(q.GPUs)) * q.FreqFrac * float64(q.ShareMilli) / 1000), ComputeFrac: 1}, nil
}

// script is a policy given as a function.
type script struct {
	know know.Set
	f    func(v *View, out []Decision) []Decision
}

func (s script) Knows() know.Set                           { return s.know }
func (s script) Decide(v *View, out []Decision) []Decision { return s.f(v, out) }
func topology(t testing.TB, r, m, g, s int) *cluster.Topology {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(r, m, g, s))
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// tape writes down everything that observers receive.
type tape struct{ lines []string }

func (t *tape) Interval(i *Interval) {
	t.lines = append(t.lines, fmt.Sprintf("job %d on %v %v-%v run %v %v", i.Job, i.GPUs, i.Start, i.End, i.Run,
		i.Reason))
}

func (t *tape) Job(r *Record) {
	t.lines = append(t.lines, fmt.Sprintf("job %d %v start %v end %v queue %v run %v overhead %v lost %v", r.Job,
		r.State, r.Start, r.End, r.Queue, r.Run, r.Overhead, r.Lost))
}
func (t *tape) Instant(*Gauge) {}

func jobs(t testing.TB, js ...Job) *Workload {
	t.Helper()
	for i := range js {
		if js[i].ID == "" {
			js[i].ID = fmt.Sprint(i)
		}
	}
	w, err := NewWorkload("test", js)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// greedy starts whatever fits in id order; random makes it preempt, migrate and renew at random.
func greedy(r *rand.Rand) script {
	var buf []cluster.GPU
	return script{f: func(v *View, out []Decision) []Decision {
		if r != nil {
			moved := map[JobID]bool{}
			for _, j := range v.Running() {
				switch k := r.IntN(12); {
				case k == 0:
					out = append(out, Decision{Kind: Preempt, Job: j})
				case k == 1 && !moved[j]:
					out = append(out, Decision{Kind: Renew, Job: j, Lease: Time(1+r.IntN(5)) * Second})
				case k == 2:
					g, ok := v.Free().At(nil, len(v.Run(j).Held()), cluster.LevelCluster, cluster.BestFit)
					if ok {
						for _, x := range g {
							v.Free().Take(x)
						}
						out = append(out, Decision{Kind: Migrate, Job: j, GPUs: g})
					}
				}
			}
			if v.Waiting() > 0 { // it may skip a job that fits: come back
				out = append(out, Decision{Kind: WakeAt, At: v.Now() + 10*Second, Key: 3})
			}
			if r.IntN(3) == 0 {
				out = append(out, Decision{Kind: WakeAt, At: v.Now() + Time(1+r.IntN(9))*Second, Key: int32(r.IntN(3))})
			}
		}
		for j := range JobID(v.NumJobs()) {
			if v.Run(j).State() != Waiting || r != nil && r.IntN(4) == 0 {
				continue
			}
			g, ok := v.Free().At(buf[:0:0], v.Job(j).GPUs(), cluster.LevelCluster, cluster.BestFit)
			if !ok {
				continue
			}
			for _, x := range g {
				v.Free().Take(x)
			}
			out = append(out, Decision{Kind: Start, Job: j, GPUs: g})
		}
		return out
	}}
}

func TestOneJobAfterAnother(t *testing.T) {
	w := jobs(t, Job{GPUs: 2, Work: 20 * Second}, Job{GPUs: 2, Work: 6 * Second, Submit: 4 * Second},
		Job{GPUs: 5, Work: Second, Submit: 5 * Second})
	var tp tape
	e, err := Run(context.Background(), Config{Workload: w, Topology: topology(t, 1, 1, 2, 1), Speed: counting{},
		Check: true}, greedy(nil), &tp)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"job 2 refused start never end never queue 0s run 0s overhead 0s lost 0s",
		"job 0 on [0 1] 0s-10s run 10s finish",
		"job 0 done start 0s end 10s queue 0s run 10s overhead 0s lost 0s",
		"job 1 on [0 1] 10s-13s run 3s finish",
		"job 1 done start 10s end 13s queue 6s run 3s overhead 0s lost 0s",
	}
	if !reflect.DeepEqual(tp.lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(tp.lines, "\n"), strings.Join(want, "\n"))
	}
	all, waiting, busy := e.Areas()
	if all != [2]uint64{0, 19e6} || waiting != [2]uint64{0, 6e6} || busy != 26e6 {
		t.Errorf("areas %v %v %v", all, waiting, busy)
	}
}

func TestCostsPauseAndDrain(t *testing.T) {
	// Start 1 s; preempted at 5 s, checkpoint 2 s holds the GPU to 7 s; restore 3 s; 6 s of work
	// left: ends at 16 s.
	w := jobs(t, Job{GPUs: 1, Work: 10 * Second})
	done := false
	p := script{f: func(v *View, out []Decision) []Decision {
		switch {
		case v.Now() == 0:
			out = append(out, Decision{Kind: Start, GPUs: []cluster.GPU{0}}, Decision{Kind: WakeAt, At: 5 * Second})
		case v.Now() == 5*Second && !done:
			done = true
			if c := v.Run(0).CheckpointTime(); c != 2*Second {
				t.Errorf("checkpoint takes %v, want 2s", c)
			}
			out = append(out, Decision{Kind: Preempt})
		case v.Run(0).State() == Waiting:
			out = append(out, Decision{Kind: Start, GPUs: []cluster.GPU{0}})
		}
		return out
	}}
	var tp tape
	costs := Costs{Start: Cost{FixedS: 1}, Checkpoint: Cost{PerGPUS: 2}, Restore: Cost{BytesPerS: 10}}
	_, err := Run(context.Background(), Config{Workload: w, Topology: topology(t, 1, 1, 1, 1), Speed: counting{},
		Costs: costs, Check: true,
		ModelBytes: func(string) int64 { return 30 }}, p, &tp)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"job 0 on [0] 0s-7s run 4s preempt",
		"job 0 on [0] 7s-16s run 6s finish",
		"job 0 done start 0s end 16s queue 0s run 10s overhead 6s lost 0s",
	}
	if !reflect.DeepEqual(tp.lines, want) {
		t.Errorf("got\n%s", strings.Join(tp.lines, "\n"))
	}
}

func TestFaultReturnsToCheckpoint(t *testing.T) {
	w := jobs(t, Job{GPUs: 2, Work: 40 * Second})
	out := Schedule{{At: 9500000, Machine: 0, GPU: 1}, {At: 12 * Second, Machine: 0, GPU: 1, Up: true}}
	var tp tape
	e, err := Run(context.Background(), Config{Workload: w, Topology: topology(t, 1, 1, 2, 1), Speed: counting{},
		Outages: out.Source(),
		Costs:   Costs{CheckpointEveryS: 2}, Check: true}, greedy(nil), &tp)
	if err != nil {
		t.Fatal(err)
	}
	if r := e.Record(0); r.LostRun != 1500000 || r.Lost != 3*Second { // from the checkpoint at 8 s, on 2 GPUs
		t.Errorf("lost %v of work in %v, expected 3s in 1.5s", r.Lost, r.LostRun)
	}
	want := []string{
		"job 0 on [0 1] 0s-9.5s run 9.5s fault",
		"job 0 on [0 1] 12s-24s run 12s finish",
		"job 0 done start 0s end 24s queue 2.5s run 21.5s overhead 0s lost 3s",
	}
	if !reflect.DeepEqual(tp.lines, want) {
		t.Errorf("got\n%s", strings.Join(tp.lines, "\n"))
	}
}

func TestLeaseTimerAndWatch(t *testing.T) {
	w := jobs(t, Job{GPUs: 2, Work: 40 * Second})
	var got []string
	p := script{f: func(v *View, out []Decision) []Decision {
		for _, ev := range v.Events() {
			got = append(got, fmt.Sprintf("%v %v", v.Now(), ev.Kind))
		}
		if v.Now() == 0 {
			out = append(out, Decision{Kind: Start, GPUs: []cluster.GPU{0, 1}, Lease: 7 * Second},
				Decision{Kind: Watch, Counter: Service, Bound: 9 * Second}, Decision{Kind: WakeAt, At: 7 * Second},
				Decision{Kind: WakeAt, At: 3 * Second, Key: 2}, Decision{Kind: WakeAt, At: 4 * Second, Key: 2})
		}
		if v.Now() == 7*Second {
			if !v.Run(0).Expired() {
				t.Error("the lease has not expired")
			}
			out = append(out, Decision{Kind: Renew, Lease: 100 * Second},
				Decision{Kind: Watch, Counter: RunTime, Bound: 8 * Second})
		}
		return out
	}}
	if _, err := Run(context.Background(), Config{Workload: w, Topology: topology(t, 1, 1, 2, 1), Speed: counting{},
		Check: true}, p); err != nil {
		t.Fatal(err)
	}
	want := []string{"0s arrive", "4s timer", "4.5s cross", "7s expire", "7s timer", "8s cross", "20s finish"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSharedGPUs(t *testing.T) {
	w := jobs(t, Job{GPUs: 1, Work: 4 * Second, ShareMilli: 500}, Job{GPUs: 1, Work: 4 * Second, ShareMilli: 400})
	var tp tape
	p := script{f: func(v *View, out []Decision) []Decision {
		if v.Now() == 0 {
			out = append(out, Decision{Kind: Start, Job: 0, GPUs: []cluster.GPU{0}},
				Decision{Kind: Start, Job: 1, GPUs: []cluster.GPU{0}})
		}
		if v.Now() == 8*Second {
			out = append(out, Decision{Kind: Tune, Job: 1, Knobs: Knobs{ShareMilli: 800}})
		}
		return out
	}}
	if _, err := Run(context.Background(), Config{Workload: w, Topology: topology(t, 1, 1, 1, 1), Speed: counting{},
		Check: true}, p, &tp); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"job 0 on [0] 0s-8s run 8s finish", "job 0 done start 0s end 8s queue 0s run 8s overhead 0s lost 0s",
		"job 1 on [0] 0s-8s run 8s tune", "job 1 on [0] 8s-9s run 1s finish",
		"job 1 done start 0s end 9s queue 0s run 9s overhead 0s lost 0s",
	}
	if !reflect.DeepEqual(tp.lines, want) {
		t.Errorf("got\n%s", strings.Join(tp.lines, "\n"))
	}
}

func TestResizeAndMigrate(t *testing.T) {
	w := jobs(t, Job{GPUs: 2, MinGPUs: 1, MaxGPUs: 4, Work: 40 * Second})
	at := map[Time]Decision{
		0:           {Kind: Start, GPUs: []cluster.GPU{0, 1}, Lease: 50 * Second},
		5 * Second:  {Kind: Resize, GPUs: []cluster.GPU{0, 1, 2, 3}},
		10 * Second: {Kind: Resize, GPUs: []cluster.GPU{1}},
		14 * Second: {Kind: Migrate, GPUs: []cluster.GPU{3}},
	}
	p := script{f: func(v *View, out []Decision) []Decision {
		if d, ok := at[v.Now()]; ok {
			out = append(out, d)
		}
		return append(out, Decision{Kind: WakeAt, At: v.Now() + Second})
	}}
	var tp tape
	costs := Costs{Migrate: Cost{FixedS: 1}, Rescale: Cost{FixedS: 2}}
	if _, err := Run(context.Background(), Config{Workload: w, Topology: topology(t, 1, 2, 2, 1), Speed: counting{},
		Costs: costs, Check: true}, p, &tp); err != nil {
		t.Fatal(err)
	}
	want := []string{ // 10 + 4x3 + 1x2 + 16 of 40
		"job 0 on [0 1] 0s-5s run 5s resize", "job 0 on [0 1 2 3] 5s-10s run 3s resize",
		"job 0 on [1] 10s-14s run 2s migrate", "job 0 on [3] 14s-31s run 16s finish",
		"job 0 done start 0s end 31s queue 0s run 26s overhead 5s lost 0s",
	}
	if !reflect.DeepEqual(tp.lines, want) {
		t.Errorf("got\n%s", strings.Join(tp.lines, "\n"))
	}
}

func random(t testing.TB, r *rand.Rand, n, gpus int) *Workload {
	js := make([]Job, n)
	for i := range js {
		js[i] = Job{GPUs: int32(1 + r.IntN(gpus)), Work: Time(1 + r.IntN(40e6)), Submit: Time(r.IntN(30)) * Second}
	}
	return jobs(t, js...)
}

// Any decisions within the rules keep every invariant; the GPU-time in intervals is the
// integral of busy GPUs, and Little's law holds exactly.
func TestInvariantsUnderRandomDecisions(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := random(t, r, 12, 6)
		out := Schedule{{At: 20 * Second, Machine: 1, GPU: -1}, {At: 21 * Second, Machine: 1, GPU: 0},
			{At: 26 * Second, Machine: 1, GPU: -1, Up: true}, {At: 30 * Second, Machine: 1, GPU: 0, Up: true}}
		cfg := Config{Workload: w, Topology: topology(t, 2, 2, 2, 2), Speed: counting{}, Outages: out.Source(),
			Check: true,
			Costs: Costs{Start: Cost{FixedS: .5}, Checkpoint: Cost{PerGPUS: .25}, Restore: Cost{FixedS: .125},
				Migrate: Cost{FixedS: .7}, Renew: Cost{FixedS: .1}, CheckpointEveryS: 1}}
		var sum sums
		e, err := Run(context.Background(), cfg, greedy(r), &sum)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		all, _, busy := e.Areas()
		if busy != sum.gpu {
			t.Errorf("seed %d: I7: %v GPU-time by GPU, %v by job", seed, busy, sum.gpu)
		}
		if all != [2]uint64{0, uint64(sum.inSystem(w))} {
			t.Errorf("seed %d: Little: area %v, sum of times in the system %v", seed, all, sum.inSystem(w))
		}
		if sum.done != len(w.Jobs) {
			t.Errorf("seed %d: %d of %d jobs done", seed, sum.done, len(w.Jobs))
		}
	}
}

type sums struct {
	gpu  Time
	done int
	recs []Record
}

func (s *sums) Interval(i *Interval) { s.gpu += Time(len(i.GPUs)) * (i.End - i.Start) }
func (s *sums) Job(r *Record) {
	s.recs = append(s.recs, *r)
	if r.State == Done {
		s.done++
	}
}
func (s *sums) Instant(*Gauge) {}
func (s *sums) inSystem(w *Workload) (t Time) {
	for _, r := range s.recs {
		t += r.End - w.Jobs[r.Job].Submit
	}
	return t
}

// A run restored from any snapshot ends as the uninterrupted one.
func TestSnapshotRestores(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	w := random(t, r, 15, 6)
	cfg := Config{Workload: w, Topology: topology(t, 2, 2, 2, 1), Speed: counting{},
		Costs: Costs{Checkpoint: Cost{FixedS: 1}}}
	p := greedy(nil)
	run := func(e *Engine, snapAt int) (*Snapshot, []Record) {
		var snap *Snapshot
		for n := 0; ; n++ {
			v, ok, err := e.Next()
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			if err := e.Apply(p.Decide(v, nil)); err != nil {
				t.Fatal(err)
			}
			if n == snapAt {
				snap = e.Snapshot()
			}
		}
		var recs []Record
		for id := range w.Jobs {
			recs = append(recs, e.Record(JobID(id)))
		}
		return snap, recs
	}
	for at := range 20 {
		e, _ := New(cfg)
		snap, want := run(e, at)
		if snap == nil {
			t.Fatalf("no instant %d", at)
		}
		for _, target := range []*Engine{e, func() *Engine { f, _ := New(cfg); return f }()} {
			if err := target.Restore(snap); err != nil {
				t.Fatal(err)
			}
			if err := target.Verify(); err != nil {
				t.Fatal(err)
			}
			if _, got := run(target, -1); !reflect.DeepEqual(got, want) {
				t.Errorf("restored at instant %d: other records", at)
			}
		}
	}
}

func TestWrongDecisionsAreNamed(t *testing.T) {
	w := jobs(t, Job{ID: "a", GPUs: 1, Work: 10 * Second, CPUMilli: 900}, Job{ID: "b", GPUs: 2, Work: Second})
	g := func(x ...cluster.GPU) []cluster.GPU { return x }
	start := Decision{Kind: Start, Job: 0, GPUs: g(0)}
	spec := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 2, CPUMilli: 1000}}}}
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ds   []Decision
		want string
	}{
		{[]Decision{{Kind: Start, Job: 7}}, "at 0s: decision 0, start of job number 7: no such job, expected 0..1"},
		{[]Decision{{Kind: Preempt, Job: 0}},
			`at 0s: decision 0, preempt of job "a": the job is waiting, expected running`},
		{[]Decision{start, start}, `at 0s: decision 1, start of job "a": the job is running, expected waiting`},
		{[]Decision{{Kind: Start, Job: 1, GPUs: g(0)}}, `at 0s: decision 0, start of job "b": 1 GPUs, expected 2..2`},
		{[]Decision{{Kind: Start, Job: 1, GPUs: g(1, 1)}},
			`at 0s: decision 0, start of job "b": GPU 1 after 1, expected ascending and each once`},
		{[]Decision{{Kind: Start, Job: 1, GPUs: g(1, 4)}},
			`at 0s: decision 0, start of job "b": GPU 4 does not exist, expected 0..3`},
		{[]Decision{start, {Kind: Start, Job: 1, GPUs: g(0, 1)}},
			`at 0s: decision 1, start of job "b": GPU 0 has 1000 thousandths in use by job "a", 1000 more were asked`},
		{[]Decision{{Kind: Start, Job: 0, GPUs: g(0), Knobs: Knobs{CPUMilli: 1100}}},
			`at 0s: decision 0, start of job "a": machine 0 has 0 of 1000 thousandths of CPU in use, 1100 more were asked`},
		{[]Decision{{Kind: Cordon, Machine: 1}, {Kind: Start, Job: 0, GPUs: g(2)}},
			`at 0s: decision 1, start of job "a": GPU 2 is down`},
		{[]Decision{{Kind: WakeAt, At: 0}}, "at 0s: decision 0, wake-at of timer 0: due at 0s, expected after now"},
		{[]Decision{start, {Kind: Watch, Bound: 0}},
			`at 0s: decision 1, watch of job "a": bound 0 is not above the counter's 0`},
		{[]Decision{start, {Kind: Migrate, GPUs: g(0)}},
			`at 0s: decision 1, migrate of job "a": the job already holds these GPUs, expected others`},
		{[]Decision{{Kind: Start, Job: 0, GPUs: g(0), Lease: -1}},
			`at 0s: decision 0, start of job "a": lease -1e-06s and delay 0s, expected >= 0`},
	} {
		p := script{f: func(v *View, out []Decision) []Decision { return append(out, c.ds...) }}
		_, err := Run(context.Background(), Config{Workload: w, Topology: top, Speed: counting{}}, p)
		if err == nil || err.Error() != c.want {
			t.Errorf("error %v\nwant  %s", err, c.want)
		}
	}
}
