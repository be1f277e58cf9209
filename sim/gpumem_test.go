package sim

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// small is one machine whose GPUs have 100 MiB each.
func small(t testing.TB, gpus int) *cluster.Topology {
	t.Helper()
	spec := cluster.Uniform(1, 1, gpus, 1)
	spec.Racks[0][0].GPUMiB = 100
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// halfWith is a job of half a GPU that needs so much of its memory.
func halfWith(mib int32, work Time) Job {
	return Job{GPUs: 1, ShareMilli: 500, GPUMiB: mib, Work: work * Second / 2}
}

// A job for which there is no memory holds its GPU until it has failed, and waits as it was.
func TestOutOfMemory(t *testing.T) {
	var free []string
	p := play{cfg: Config{Topology: small(t, 1), Costs: Costs{Start: Cost{FixedS: 1}, Restore: Cost{FixedS: .5},
		OutOfMemory: Cost{FixedS: 2}}}, plan: map[Time][]Decision{
		0: {begin(0, 0), begin(1, 0)}, 6 * Second: {begin(1, 0)}}}
	p.look = func(v *View) {
		free = append(free, fmt.Sprintf("%v: %d on %v, job 1 %v", v.Now(), v.GPUMiBFree(0), v.On(0), v.Run(1).State()))
	}
	// Job 0 starts at 1 s and ends at 5 s; job 1 fails at 2 s, starts anew at 6.5 s and ends at 8.5
	// s.
	o := p.mustRun(t, 1, halfWith(60, 4), halfWith(41, 2))
	same(t, "events", o.events[2:], "2s out-of-memory 1", "5s finish 0", "8.5s finish 1")
	same(t, "memory", free, "0s: 100 on [], job 1 waiting", "2s: 40 on [0], job 1 waiting",
		"5s: 100 on [], job 1 waiting", "6s: 100 on [], job 1 waiting", "8.5s: 100 on [], job 1 done")
	same(t, "life", []string{o.life(1)}, "done: start 0s end 8.5s queue 4s run 2s overhead 2.5s lost 0s in 0s")
	if r := o.e.Record(1); r.OutOfMemory != 1 || r.Faults != 0 || r.Allocations != 2 {
		t.Errorf("record %+v, expected to have run out of memory once in two allocations", r)
	}
	// To the last MiB there is room, and without a cost the failure takes a microsecond.
	p = play{cfg: Config{Topology: small(t, 1)}, plan: map[Time][]Decision{0: {begin(0, 0), begin(1, 0)}}}
	same(t, "that fit", p.mustRun(t, 1, halfWith(60, 4), halfWith(40, 2)).events[2:], "2s finish 1", "4s finish 0")
	p.plan[Second] = []Decision{begin(1, 0)}
	p.cfg.Topology = small(t, 2)
	p.plan[Second][0].GPUs = on(1)
	same(t, "at once", p.mustRun(t, 1, halfWith(60, 4), halfWith(41, 2)).events[2:], "1e-06s out-of-memory 1",
		"3s finish 1", "4s finish 0")
}

// A Tune, a Migrate and a Resize can run out of memory as well. A Tune loses what was done since
// the last checkpoint; the others are checkpoints.
func TestOutOfMemoryOfChanges(t *testing.T) {
	cost := Costs{OutOfMemory: Cost{FixedS: 1}}
	for _, c := range []struct {
		name   string
		change Decision
		costs  Costs
		event  string
		life   string
	}{
		{"tune", Decision{Kind: Tune, Job: 1, Knobs: Knobs{GPUMiB: 41}}, cost, "4s out-of-memory 1",
			"done: start 0s end 18s queue 6s run 11s overhead 1s lost 1.5s in 3s"},
		{"tune since a checkpoint", Decision{Kind: Tune, Job: 1, Knobs: Knobs{GPUMiB: 41}},
			Costs{OutOfMemory: Cost{FixedS: 1}, CheckpointEveryS: 2}, "4s out-of-memory 1",
			"done: start 0s end 16s queue 6s run 9s overhead 1s lost 0.5s in 1s"},
		{"migrate", Decision{Kind: Migrate, Job: 1, GPUs: on(1), Knobs: Knobs{GPUMiB: 41}}, cost, "4s out-of-memory 1",
			"done: start 0s end 15s queue 6s run 8s overhead 1s lost 0s in 0s"},
	} {
		p := play{cfg: Config{Topology: small(t, 2), Costs: c.costs},
			plan: map[Time][]Decision{0: {begin(0, 0), begin(1, 0), begin(2, 1)}, 3 * Second: {c.change}, 10 *
				Second: {begin(1, 0)}}}
		o := p.mustRun(t, 2, halfWith(60, 10), halfWith(40, 8), halfWith(60, 10))
		same(t, c.name, o.events[3:4], c.event)
		same(t, c.name, []string{o.life(1)}, c.life)
	}
	// The second GPU of a resize has no room; at 0 it grows within what there is.
	p := play{cfg: Config{Topology: small(t, 2), Costs: cost},
		plan: map[Time][]Decision{0: {begin(0, 0), {Kind: Start, Job: 1, GPUs: on(1), Knobs: Knobs{ShareMilli: 500}}},
			2 * Second: {{Kind: Resize, Job: 1, GPUs: on(0, 1)}}, 6 * Second: {{Kind: Start, Job: 1, GPUs: on(0, 1)}}}}
	o := p.mustRun(t, 2, halfWith(60, 5), Job{GPUs: 2, MinGPUs: 1, Work: 5 * Second, GPUMiB: 50})
	same(t, "resize", o.events[2:], "3s out-of-memory 1", "5s finish 0", "8s finish 1")
}

// An outage, and the end of the run, end what runs out of memory; it is no fault of the outage.
func TestOutOfMemoryIsCutShort(t *testing.T) {
	p := play{cfg: Config{Topology: small(t, 2), Costs: Costs{OutOfMemory: Cost{FixedS: 5}},
		Outages: Schedule{{At: 2 * Second, GPU: -1}, {At: 3 * Second, GPU: -1, Up: true}}.Source()},
		plan: map[Time][]Decision{0: {begin(0, 0), begin(1, 0)}, 4 * Second: {begin(0, 0), begin(1, 1)}}}
	o := p.mustRun(t, 2, halfWith(60, 4), halfWith(60, 4))
	same(t, "events", o.events[2:], "2s fail 0", "2s fail 1", "2s fail", "3s repair", "8s finish 0", "8s finish 1")
	if a, b := o.e.Record(0), o.e.Record(1); a.Faults != 1 || a.OutOfMemory != 0 || b.Faults != 0 ||
		b.OutOfMemory != 1 {
		t.Errorf("job 0: %+v, job 1: %+v", a, b)
	}
	p = play{cfg: Config{Topology: small(t, 2), Costs: Costs{OutOfMemory: Cost{FixedS: 5}}, Until: 3 * Second},
		plan: map[Time][]Decision{0: {begin(0, 0), begin(1, 0)}}}
	o = p.mustRun(t, 2, halfWith(60, 4), halfWith(60, 4))
	if last := o.tape[len(o.tape)-2]; !strings.Contains(last, "out-of-memory") {
		t.Errorf("at the horizon: %s", strings.Join(o.tape, "\n"))
	}
}

// A run in which a job runs out of memory again and again ends with an error.
func TestOutOfMemoryForEver(t *testing.T) {
	spec := cluster.Uniform(1, 1, 1, 1)
	spec.Racks[0][0].GPUMiB = 100
	spec.Racks[0] = append(spec.Racks[0], cluster.Machines{Count: 1, GPUs: 1, GPUMiB: 50})
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	always := deciding(func(v *View, out []Decision) []Decision {
		if v.Run(0).State() == Waiting {
			out = append(out, begin(0, 1))
		}
		return out
	})
	e, err := New(Config{Workload: jobs(t, Job{GPUs: 1, GPUMiB: 80, Work: Second}), Topology: top, Speed: counting{},
		Costs: Costs{OutOfMemory: Cost{FixedS: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Drive(t.Context(), always, nil); err == nil || !strings.Contains(err.Error(), "run out of memory of "+
		"GPUs again and again") {
		t.Errorf("error %v", err)
	}
}

type deciding func(*View, []Decision) []Decision

func (f deciding) Knows() know.Set                           { return know.Nothing }
func (f deciding) Decide(v *View, out []Decision) []Decision { return f(v, out) }

// A job that no GPU can ever hold is an error before anything runs.
func TestMemoryThatNoGPUHas(t *testing.T) {
	spec := cluster.Uniform(1, 1, 2, 1)
	spec.Racks[0][0].GPUMiB, spec.Racks[0][0].Type = 100, "a"
	spec.Racks[0] = append(spec.Racks[0], cluster.Machines{Count: 1, GPUs: 1, GPUMiB: 200, Type: "b"})
	top, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		job  Job
		want string
	}{
		{Job{GPUs: 1, GPUMiB: 200}, ""},
		{Job{GPUs: 3, GPUMiB: 100}, ""},
		{Job{GPUs: 2, MinGPUs: 1, GPUMiB: 200}, ""},
		{Job{GPUs: 9, GPUMiB: 500}, ""}, // the cluster is too small anyway: refused
		{Job{GPUs: 1, GPUMiB: 201}, `job "0" needs 201 MiB of each GPU, and the largest that it may use has 200`},
		{Job{GPUs: 1, GPUMiB: 101, GPUType: "a"},
			`job "0" needs 101 MiB of each GPU, and the largest that it may use has 100`},
		{Job{GPUs: 2, GPUMiB: 101}, `job "0" needs 2 GPUs with 101 MiB each, and 1 that it may use have as much`},
	} {
		c.job.Work = Second
		w := jobs(t, c.job)
		_, err := New(Config{Workload: w, Topology: top, Speed: counting{}})
		if got := fmt.Sprint(err); got != c.want && !(c.want == "" && err == nil) {
			t.Errorf("%+v: %v, expected %s", c.job, err, c.want)
		}
		_, err = New(Config{Stream: w.Stream(), Topology: top, Speed: counting{}})
		if got := fmt.Sprint(err); got != c.want && !(c.want == "" && err == nil) {
			t.Errorf("streamed %+v: %v, expected %s", c.job, err, c.want)
		}
	}
}

// What a policy may know of the profile of jobs that have not run.
func TestKnowProfile(t *testing.T) {
	for _, know := range []know.Set{know.Nothing, know.Profile} {
		var got []string
		p := play{cfg: Config{Topology: small(t, 2)}, know: know,
			plan: map[Time][]Decision{0: {begin(0, 0)}, Second: {{Kind: Preempt}}, 2 * Second: {begin(0, 1)}}}
		p.look = func(v *View) {
			a := v.Job(0).Public()
			got = append(got, fmt.Sprintf("%d %v %d %d %v", v.Job(0).GPUMiB(), v.Job(0).GPUUtilFrac(), v.Run(0).Knobs().GPUMiB,
				a.GPUMiB,
				a.GPUUtilFrac))
		}
		p.mustRun(t, 2, Job{GPUs: 1, GPUMiB: 70, GPUUtilFrac: .25, Work: 2 * Second})
		before := "0 0 0 0 0"
		if know != 0 {
			before = "70 0.25 70 70 0.25"
		}
		same(t, know.String(), got[:3], before, "70 0.25 70 70 0.25", "70 0.25 70 70 0.25")
	}
	// Without a statement of the cluster there is no end of memory.
	p := play{plan: map[Time][]Decision{0: {begin(0, 0)}}}
	p.look = func(v *View) {
		if v.GPUMiBFree(0) != math.MaxInt64 {
			t.Errorf("%d MiB are free where nothing is stated", v.GPUMiBFree(0))
		}
	}
	p.mustRun(t, 1, Job{GPUs: 1, GPUMiB: 1 << 30, Work: Second})
}

// Who is on a GPU is listed by number, and who was there first owns it.
func TestOn(t *testing.T) {
	var got []string
	quarter := func(work Time) Job { return Job{GPUs: 1, ShareMilli: 250, Work: work * Second / 4} }
	p := play{plan: map[Time][]Decision{0: {begin(2, 0), begin(0, 0), begin(1, 1)}, Second: {begin(3, 0)}}}
	p.look = func(v *View) {
		a, b := v.On(0), v.On(1) // the second does not change the first
		got = append(got, fmt.Sprintf("%v: %v %v, first %d, %d", v.Now(), a, b, v.Owner(0), v.Sharers(0)))
		if e := v.FewerSharers(); len(e) > 0 {
			got[len(got)-1] += fmt.Sprintf(", eased %v", e)
		}
	}
	p.mustRun(t, 2, quarter(4), quarter(2), quarter(3), quarter(9))
	same(t, "on", got, "0s: [] [], first -1, 0", "1s: [0 2] [1], first 2, 2", "2s: [0 2 3] [], first 2, 3",
		"3s: [0 3] [], first 0, 2, eased [0 3]",
		"4s: [3] [], first 3, 1, eased [3]", "10s: [] [], first -1, 0")
}

// What a job would run at if another joined it, beside whom it has.
func TestPredictJoined(t *testing.T) {
	s := &witness{SpeedModel: crowded{}}
	p := play{cfg: Config{Speed: s}, know: know.Speed, plan: map[Time][]Decision{
		0: {{Kind: Start, GPUs: on(0, 1), Knobs: Knobs{ShareMilli: 500}},
			{Kind: Start, Job: 2, GPUs: on(0), Knobs: Knobs{ShareMilli: 500}}}, Second: {}}}
	var got []string
	p.look = func(v *View) {
		if v.Now() == Second {
			n := len(s.asked)
			v.Predict(0, Placement{GPUs: v.Run(0).Held(), Mate: Peer{ID: 1, GPUs: on(0, 1)}})
			v.Predict(0, Placement{GPUs: v.Run(0).Held(), Mate: Peer{ID: 1, GPUs: on(1), Knobs: Knobs{ShareMilli: 700}}})
			v.Predict(2, Placement{GPUs: v.Run(2).Held(), Mate: Peer{ID: 1, GPUs: on(1)}})
			got = append(got, s.asked[n:]...)
			if z := v.Predict(1, Placement{GPUs: v.Run(1).Held(), Mate: Peer{ID: 0, GPUs: on(1)}}); z != (Speed{}) {
				t.Errorf("a job that waits would run at %v", z)
			}
		}
	}
	p.mustRun(t, 2, Job{GPUs: 2, Work: 4 * Second}, Job{GPUs: 2, Work: Second, MinGPUs: 1},
		Job{GPUs: 1, Work: Second, Submit: 0})
	same(t, "asked", got, "0 on [0 1] share 333 clock 1 batch 1 beside [1 2]",
		"0 on [0 1] share 300 clock 1 batch 1 beside [1 2]", "2 on [0] share 500 clock 1 batch 1 beside [0 1]")
}

// What is decided later at an instant of a job that has just run out is void: a policy could not
// read it. Later it is refused.
func TestDecisionsOfAJobThatRanOut(t *testing.T) {
	p := play{cfg: Config{Topology: small(t, 1), Costs: Costs{OutOfMemory: Cost{FixedS: 1}}}, plan: map[Time][]Decision{
		0: {begin(0, 0), begin(1, 0), {Kind: Watch, Job: 1, Counter: RunTime, Bound: Second}, {Kind: Renew, Job: 1},
			{Kind: Preempt, Job: 1}}}}
	same(t, "events", p.mustRun(t, 1, halfWith(60, 4), halfWith(41, 2)).events[2:4], "1s out-of-memory 1",
		"4s finish 0")
	p.plan[Second/2] = []Decision{{Kind: Watch, Job: 1, Counter: RunTime, Bound: Second}}
	if _, err := p.run(t, 1, halfWith(60, 4), halfWith(41, 2)); err == nil ||
		!strings.Contains(err.Error(), "the job is draining, expected running") {
		t.Errorf("error %v", err)
	}
}
