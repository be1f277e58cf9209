package sim

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// Without marks a job's speed is asked for when something changes alone.
type unmarked struct{ m epochal }

func (u unmarked) Speed(q *Query) (Speed, error) { return u.m.Speed(q) }

// whims are decisions at whole seconds that depend on the seed, the second and a job's state alone:
// jobs run on four GPUs of their own.
func whims(v *View, seed uint64, out []Decision) []Decision {
	for j := range JobID(v.NumJobs()) {
		r := rand.New(rand.NewPCG(seed, uint64(v.Now())+uint64(j)))
		first := cluster.GPU(4 * j)
		gpus := on(first, first+1, first+2, first+3)[:1+r.IntN(4)]
		switch s := v.Run(j).State(); {
		case s == Waiting && r.IntN(3) > 0:
			out = append(out, Decision{Kind: Start, Job: j, GPUs: gpus,
				Knobs: Knobs{Delay: Time(r.IntN(3)) * Second / 2}})
		case s != Running:
		case r.IntN(9) == 0:
			out = append(out, Decision{Kind: Preempt, Job: j})
		case r.IntN(9) == 0 && len(gpus) != len(v.Run(j).Held()):
			out = append(out, Decision{Kind: Resize, Job: j, GPUs: gpus})
		case r.IntN(9) == 0:
			out = append(out, Decision{Kind: Renew, Job: j})
		}
	}
	return out
}

// The kernel asks at marks what a twin without marks asks at each of many small steps: both have
// done the same at each second and end at the same time, but for a step at each mark; under random
// starts, preemptions, resizes, faults and checkpoints.
func TestMarksAreSmallSteps(t *testing.T) {
	const step = Second / 512
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 9))
		m := epochal{size: float64(1+r.IntN(4)) * 1.3e6}
		for range 40 {
			m.factor = append(m.factor, []float64{.25, .5, 1, 1.5}[r.IntN(4)])
		}
		var js []Job
		var faults Schedule
		for i := range 4 {
			js = append(js, Job{GPUs: 4, MinGPUs: 1, Work: Time(5+r.IntN(40)) * Second})
			at := Time(3+2*i+r.IntN(2))*Second + Second/2
			faults = append(faults, Outage{At: at, GPU: int32(4*i + r.IntN(4))})
			faults = append(faults, Outage{At: at + Second/4, GPU: faults[len(faults)-1].GPU, Up: true})
		}
		cfg := Config{Workload: jobs(t, js...), Topology: topology(t, 1, 1, 16, 1), Check: true,
			Costs: Costs{CheckpointEveryS: float64(r.IntN(3)), Restore: Cost{FixedS: .5}, Rescale: Cost{FixedS: .25}}}
		run := func(speed SpeedModel, fine bool) (seen [][4]float64, e *Engine) {
			cfg.Speed, cfg.Outages = speed, faults.Source()
			e, err := Run(context.Background(), cfg, script{know: know.Done,
				f: func(v *View, out []Decision) []Decision {
					if v.Now()%Second == 0 {
						var row [4]float64
						for j := range row {
							if row[j] = v.Run(JobID(j)).Done(); v.Run(JobID(j)).State() == Done {
								row[j] = float64(js[j].Work)
							}
						}
						seen = append(seen, row)
						out = append(whims(v, seed, out), Decision{Kind: WakeAt, At: v.Now() + Second})
					}
					if fine {
						for i, j := range v.Running() {
							if out = append(out, Decision{Kind: Tune, Job: j}); i == 0 {
								out = append(out, Decision{Kind: WakeAt, Key: 1, At: (v.Now()/step + 1) * step})
							}
						}
						out = untuned(out)
					}
					return out
				}})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			return seen, e
		}
		a, ea := run(m, false)
		b, eb := run(unmarked{m}, true)
		// 40 marks, of a step at most each, on 4 GPUs at up to 1.5; what is late in a slow epoch is
		// later in a fast one
		room := float64(40*step) * 6 * 3
		for i := range min(len(a), len(b)) {
			for j := range a[i] {
				if math.Abs(a[i][j]-b[i][j]) > room {
					t.Fatalf("seed %d: job %d has done %v at %d s, its twin %v", seed, j, a[i][j], i, b[i][j])
				}
			}
		}
		for j := range JobID(4) {
			x, y := ea.Record(j), eb.Record(j)
			if x.State != Done || y.State != Done || math.Abs(float64(x.End-y.End)) > float64(Second) &&
				x.Preemptions == y.Preemptions {
				t.Fatalf("seed %d: job %d ends at %v, its twin at %v", seed, j, x.End, y.End)
			}
		}
		if ea.Events() > 900 {
			t.Errorf("seed %d: %d events: marks are not silent", seed, ea.Events())
		}
	}
}

// untuned drops the Tune of jobs for which something else is decided before it.
func untuned(ds []Decision) []Decision {
	var out []Decision
	for i, d := range ds {
		keep := true
		for _, o := range ds[:i] {
			keep = keep && (d.Kind != Tune || o.Kind == WakeAt || o.Job != d.Job)
		}
		if keep {
			out = append(out, d)
		}
	}
	return out
}

// progressiveCase is a drawn case with a progressive model, on a grid for odd seeds.
func progressiveCase(t *testing.T, seed uint64) Config {
	cfg, _ := drawTwin(t, rand.New(rand.NewPCG(seed, 5)))
	m := epochal{size: 1.7e6}
	for k := range 30 {
		m.factor = append(m.factor, []float64{1, .5, .75, .25}[k%4])
	}
	cfg.Speed = shared{m}
	if seed%2 == 1 {
		cfg.MarkEvery = Second
	}
	return cfg
}

// shared is epochal on parts of GPUs.
type shared struct{ epochal }

func (s shared) Speed(q *Query) (Speed, error) {
	v, err := s.epochal.Speed(q)
	v.Rate *= float64(q.ShareMilli) / 1000 / float64(1+len(q.Peers))
	return v, err
}

// From a snapshot at any instant a run with marks continues as it did, and streamed jobs are as
// jobs in memory.
func TestMarksInSnapshotsAndStreams(t *testing.T) {
	for seed := range uint64(30) {
		cfg := progressiveCase(t, seed)
		play := func(cfg Config) tape {
			var o tape
			if _, err := Run(context.Background(), cfg, greedy(rand.New(rand.NewPCG(seed, 6))), &o); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			return o
		}
		held, streamed := play(cfg), cfg
		streamed.Workload, streamed.Stream = nil, cfg.Workload.Stream()
		same(t, fmt.Sprintf("seed %d", seed), play(streamed).lines, held.lines...)

		p := script{f: func(v *View, out []Decision) []Decision { // without a state of its own
			return greedy(rand.New(rand.NewPCG(seed, uint64(v.Now())))).f(v, out)
		}}
		drive := func(e *Engine, n int) (out []string) {
			for ; n != 0; n-- {
				v, ok, err := e.Next()
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if !ok {
					return append(out, fmt.Sprint(e.Now(), e.Events()))
				}
				out = append(out, sight(v))
				if err := e.Apply(p.Decide(v, nil)); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			return out
		}
		fresh := func() *Engine {
			e, err := New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			e.Permit(know.Work | know.Progress)
			return e
		}
		whole := drive(fresh(), -1)
		for n := 1; n < len(whole); n += 7 {
			e := fresh()
			drive(e, n)
			snap, f := e.Snapshot(), fresh()
			if got := drive(e, -1); !reflect.DeepEqual(got, whole[n:]) {
				t.Fatalf("seed %d, after %d instants: %s", seed, n, apart(got, whole[n:]))
			}
			for _, x := range []*Engine{e, f} {
				if err := x.Restore(snap); err != nil {
					t.Fatal(err)
				}
				if got := drive(x, -1); !reflect.DeepEqual(got, whole[n:]) {
					t.Fatalf("seed %d, restored after %d instants: %s", seed, n, apart(got, whole[n:]))
				}
			}
		}
	}
}

// crowding is a coupled progressive model: a job's epoch is its load on a link that all share, and
// each runs at 1 / load.
type crowding struct {
	m      epochal
	loads  map[JobID]int
	placed []string
	moved  []JobID
}

func (c *crowding) sum() (n int) {
	for _, l := range c.loads {
		n += l
	}
	return n
}

func (c *crowding) Speed(q *Query) (Speed, error) {
	n := c.sum()
	if _, ok := c.loads[q.ID]; !ok {
		n += 1 + c.m.epoch(q)
	}
	return Speed{Rate: 1 / float64(n), ComputeFrac: 1}, nil
}

func (c *crowding) Place(q *Query) error {
	c.loads[q.ID] = 1 + c.m.epoch(q)
	c.placed = append(c.placed, fmt.Sprintf("%d %v", q.ID, q.Done/1e6))
	c.all()
	return nil
}

func (c *crowding) all() {
	for id := range c.loads {
		c.moved = append(c.moved, id)
	}
}

func (c *crowding) Remove(id JobID) { delete(c.loads, id); c.all() }
func (c *crowding) Touched(d []JobID) []JobID {
	d = append(d, c.moved...)
	c.moved = c.moved[:0]
	return d
}
func (c *crowding) Reset()                                { c.loads, c.moved = map[JobID]int{}, nil }
func (c *crowding) Mark(q *Query) float64                 { return c.m.Mark(q) }
func (c *crowding) Telemetry(q *Query, t *Telemetry) bool { return false }
func (c *crowding) Batches(*Job) BatchLimits              { return BatchLimits{} }

// A coupled model places a job again at its mark, and the jobs beside it change their speed without
// a new query. Job 0 and 1 run at 1/2 each; job 0 is in its second epoch at 4 s, when both loads
// are 3: rates 1/3. Job 1 has its mark 2 s of work later than job 0, and 3 s of work.
func TestCoupledMarks(t *testing.T) {
	m := &crowding{m: epochal{2e6, []float64{1, 1}}}
	p := play{cfg: Config{Speed: m}, plan: map[Time][]Decision{0: {begin(0, 0)}, 2 * Second: {begin(1, 1)}}}
	o := p.mustRun(t, 2, Job{GPUs: 1, Work: 9 * Second}, Job{GPUs: 1, Work: 3 * Second, Submit: 2 * Second})
	// 0 alone: 2 s of work at 2 s, its mark there: load 2. Then with 1 (load 1): 1/3 each. 1 has 2
	// s at 8 s: load 2: 1/4. 1 ends at 12 s. 0 has 2 + 2 + 1 = 5 s at 12 s; alone with load 2: 1/2;
	// ends at 20 s.
	same(t, "events", o.events, "0s arrive 0", "2s arrive 1", "12s finish 1", "20s finish 0")
	same(t, "placed", m.placed, "0 0", "0 2", "1 0", "1 2")
}

// Once warm, marks allocate nothing, whether they fall on a grid or not.
func TestMarksAllocateNothing(t *testing.T) {
	for _, grid := range []Time{0, Second} {
		js := make([]Job, 8000)
		for i := range js {
			js[i] = Job{GPUs: int32(1 + i%4), Work: Time(1+i%29) * Second, Submit: Time(i) * Second}
		}
		m := epochal{size: 0.9e6}
		for k := range 40 {
			m.factor = append(m.factor, []float64{1, .9, .8}[k%3])
		}
		e, err := New(Config{Workload: jobs(t, js...), Topology: topology(t, 4, 8, 8, 2), Speed: &m, MarkEvery: grid},
			&sums{})
		if err != nil {
			t.Fatal(err)
		}
		e.Permit(know.Progress | know.Speed)
		var out []Decision
		buf := make([]cluster.GPU, 0, 64)
		step := func() {
			v, ok, err := e.Next()
			if !ok || err != nil {
				t.Fatal(ok, err)
			}
			out = out[:0]
			for _, ev := range v.Events() {
				if ev.Kind == Arrive {
					g, _ := v.Free().At(buf, v.Job(ev.Job).GPUs(), cluster.LevelCluster, cluster.BestFit)
					out = append(out, Decision{Kind: Start, Job: ev.Job, GPUs: g},
						Decision{Kind: Watch, Job: ev.Job, Counter: Progress, Bound: Second / 2})
				}
			}
			for _, j := range v.Running() {
				v.Run(j).Telemetry()
				v.TelemetryAt(j, Placement{GPUs: v.Run(j).Held(), Knobs: Knobs{Batch: 2}, Alone: true})
			}
			if err := e.Apply(out); err != nil {
				t.Fatal(err)
			}
		}
		for range 4000 {
			step()
		}
		if n := testing.AllocsPerRun(8000, step); n != 0 {
			t.Errorf("on a grid of %v: %v allocations per instant, want none", grid, n)
		}
	}
}

// Verify finds marks that are not where they should be.
func TestVerifyMarks(t *testing.T) {
	p := play{plan: map[Time][]Decision{0: {begin(0, 0)}, 12 * Second: {}}}
	e, err := New(Config{Workload: jobs(t, Job{GPUs: 1, Work: 30 * Second}), Topology: topology(t, 1, 1, 1, 1),
		Speed: slowing()})
	if err != nil {
		t.Fatal(err)
	}
	for e.Now() < 12*Second {
		v, ok, err := e.Next()
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		if err := e.Apply(p.Decide(v, nil)); err != nil {
			t.Fatal(err)
		}
	}
	sound := e.Snapshot()
	for want, damage := range map[string]func(r *run){
		`I14: job "0" has 1.8e+07 of 30s left between the marks 1e+07 and 1e+07`:   func(r *run) { r.mark = 1e7 },
		`I14: job "0" has 1.8e+07 of 30s left between the marks 1e+07 and 1.5e+07`: func(r *run) { r.mark = 1.5e7 },
		`I14: job "0" has 1.8e+07 of 30s left between the marks 1.3e+07 and 2e+07`: func(r *run) { r.passed = 1.3e7 },
		`I14: job "0" has 8e+06 of 30s left between the marks 1e+07 and 2e+07`:     func(r *run) { r.left -= 1e7 },
	} {
		damage(e.of(0))
		if err := e.Verify(); err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("%v, expected %s", err, want)
		}
		if err := e.Restore(sound); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Verify(); err != nil {
		t.Fatal(err)
	}
}
