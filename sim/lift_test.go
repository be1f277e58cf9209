package sim

import (
	"fmt"
	"strings"
	"testing"
)

func lift(j JobID) Decision { return Decision{Kind: Lift, Job: j} }
func migrate(v *View, j, to JobID) Decision {
	return Decision{Kind: Migrate, Job: j, GPUs: v.Run(to).Held()}
}

// Two running jobs exchange their GPUs in one decision, by the slices that the view gave, and each
// is charged its migration and no more: the cost of moving to other GPUs without a Lift.
func TestJobsExchangeGPUs(t *testing.T) {
	cost := Config{Costs: Costs{Migrate: Cost{FixedS: 1}}}
	js := []Job{{GPUs: 2, Work: 20 * Second}, {GPUs: 2, Work: 20 * Second}}
	exchange := play{cfg: cost, plan: map[Time][]Decision{0: {begin(0, 0, 1),
		{Kind: Watch, Counter: RunTime, Bound: 6 * Second}, begin(1, 2, 3)}, 4 * Second: {}}}
	exchange.look = func(v *View) {
		if v.Now() == 4*Second {
			exchange.plan[4*Second] = []Decision{lift(0), lift(1), migrate(v, 0, 1), migrate(v, 1, 0)}
		}
	}
	o := exchange.mustRun(t, 4, js...)
	same(t, "told", o.tape, "job 0 on [0 1] 0s-4s run 4s migrate", "job 1 on [2 3] 0s-4s run 4s migrate",
		"job 1 on [0 1] 4s-11s run 6s finish", "job 1 done start 0s end 11s queue 0s run 10s overhead 1s lost 0s",
		"job 0 on [2 3] 4s-11s run 6s finish", "job 0 done start 0s end 11s queue 0s run 10s overhead 1s lost 0s")
	same(t, "events", o.events[2:], "7s cross 0", "11s finish 1", "11s finish 0")
	aside := play{cfg: cost, plan: map[Time][]Decision{0: exchange.plan[0], 4 *
		Second: {{Kind: Migrate, GPUs: on(4, 5)}, {Kind: Migrate, Job: 1, GPUs: on(6, 7)}}}}
	p := aside.mustRun(t, 8, js...)
	same(t, "life", []string{o.life(0), o.life(1)}, p.life(0), p.life(1))
	if a, b := o.e.Record(0), p.e.Record(0); a.Migrations != b.Migrations || a.Allocations != b.Allocations {
		t.Errorf("%d migrations and %d allocations with Lift, %d and %d without", a.Migrations, a.Allocations,
			b.Migrations, b.Allocations)
	}
}

// A wide and a narrow elastic job change places, and a third starts on what is left.
func TestLiftAndResize(t *testing.T) {
	p := play{cfg: Config{Costs: Costs{Rescale: Cost{FixedS: 2}}},
		plan: map[Time][]Decision{0: {begin(0, 0, 1, 2), begin(1, 3)},
			Second: {lift(0), lift(1), {Kind: Resize, Job: 1, GPUs: on(0, 1), Lease: 3 * Second},
				{Kind: Resize, Job: 0, GPUs: on(3)}, begin(2, 2)}}}
	o := p.mustRun(t, 4, Job{GPUs: 3, MinGPUs: 1, Work: 9 * Second}, Job{GPUs: 1, MaxGPUs: 4, Work: 9 * Second},
		Job{GPUs: 1, Work: Second})
	same(t, "told", o.tape[:2], "job 1 on [3] 0s-1s run 1s resize", "job 0 on [0 1 2] 0s-1s run 1s resize")
	same(t, "events", o.events[3:], "2s finish 2", "4s expire 1", "7s finish 1", "9s finish 0")
}

// A lifted job must get GPUs, others than it had, in the same decisions, and nothing else may be
// decided of it.
func TestLiftIsRefused(t *testing.T) {
	for want, ds := range map[string][]Decision{
		`at 0s: job "0" is lifted after the last decision, expected a migrate or resize of it`: {begin(0,
			0), lift(0)},
		`lift of job "0": the job is waiting, expected running`: {lift(0)},
		`decision 2, lift of job "0": the job is lifted, expected a migrate or resize of it first`: {begin(0,
			0), lift(0), lift(0)},
		`decision 2, preempt of job "0": the job is lifted`: {begin(0,
			0), lift(0), {Kind: Preempt}},
		`decision 2, tune of job "0": the job is lifted`: {begin(0,
			0), lift(0), {Kind: Tune}},
		`decision 2, renew of job "0": the job is lifted`: {begin(0,
			0), lift(0), {Kind: Renew}},
		`decision 2, watch of job "0": the job is lifted`: {begin(0,
			0), lift(0), {Kind: Watch, Bound: 5}},
		`decision 2, migrate of job "0": the job already holds these GPUs, expected others`: {begin(0,
			0), lift(0), {Kind: Migrate, GPUs: on(0)}},
		`decision 2, migrate of job "0": 2 GPUs, expected 1 as before`: {begin(0,
			0), lift(0), {Kind: Migrate, GPUs: on(0, 1)}},
		`decision 3, migrate of job "0": GPU 1 has 1000 thousandths in use by job "1", 1000 more were asked`: {begin(0,
			0), begin(1, 1), lift(0), {Kind: Migrate, GPUs: on(1)}},
		`decision 4, start of job "2": GPU 1 has 1000 thousandths in use by job "0"`: {begin(0,
			0), lift(0), begin(1, 0), {Kind: Migrate, GPUs: on(1)}, begin(2, 1)},
	} {
		p := play{plan: map[Time][]Decision{0: ds}}
		j := Job{GPUs: 1, MaxGPUs: 2, Work: Second}
		_, err := p.run(t, 2, j, j, j)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %q", err, want)
		}
	}
}

// A coupled model is given the exchange as two jobs that go and come; those on shared GPUs are
// asked again once, when all is decided.
func TestLiftBesideOthers(t *testing.T) {
	c := &company{}
	play{cfg: Config{Speed: c}, plan: map[Time][]Decision{0: {begin(0, 0), begin(1, 1)},
		Second: {lift(0), lift(1), {Kind: Migrate, Job: 1, GPUs: on(0)}, {Kind: Migrate, GPUs: on(1)}}}}.
		mustRun(t, 2, Job{GPUs: 1, Work: 5 * Second}, Job{GPUs: 1, Work: 5 * Second})
	same(t, "told", c.log[:7], "reset", "place 0 on [0]", "place 1 on [1]", "remove 0", "remove 1", "place 1 on [0]",
		"place 0 on [1]")

	half := Job{GPUs: 1, ShareMilli: 500, Work: 4 * Second}
	s := &witness{SpeedModel: crowded{}}
	play{cfg: Config{Speed: s}, plan: map[Time][]Decision{0: {begin(0, 0), begin(1, 0), begin(2, 1)},
		Second: {lift(1), lift(2), {Kind: Migrate, Job: 2, GPUs: on(0)}, {Kind: Migrate, Job: 1, GPUs: on(1)}}}}.
		mustRun(t, 2, half, half, half)
	var at1 []string
	for _, a := range s.asked[4:] {
		at1 = append(at1, a[:strings.Index(a, " share")]+a[strings.Index(a, " beside"):])
	}
	same(t, "asked", at1[:3], "2 on [0] beside [0]", "1 on [1] beside []", "0 on [0] beside [2]")
}

// Knobs shows what an allocation has, and what a start would give.
func TestViewOfKnobs(t *testing.T) {
	var got []string
	p := play{plan: map[Time][]Decision{0: {{Kind: Start, GPUs: on(0),
		Knobs: Knobs{ShareMilli: 300, Batch: 2, MemMiB: 5, Delay: Second}}},
		2 * Second: {{Kind: Tune, Knobs: Knobs{FreqFrac: .5, ShareMilli: 400}}}, 3 * Second: {{Kind: Preempt}}, 4 *
			Second: {begin(0, 0)}}}
	p.look = func(v *View) { got = append(got, fmt.Sprintf("%v %+v %v", v.Now(), v.Run(0).Knobs(), v.Up(0))) }
	p.mustRun(t, 1, Job{GPUs: 1, ShareMilli: 500, CPUMilli: 7, Work: Second})
	same(t, "knobs", got[:5], "0s {ShareMilli:500 FreqFrac:1 Batch:1 AccumSteps:0 CPUMilli:7 MemMiB:0 GPUMiB:0 "+
		"LinkWeight:1 LinkLevel:0 Path:0 Pace:0s CopyFrac:0 Instance:0 Delay:0s} true",
		"2s {ShareMilli:300 FreqFrac:1 Batch:2 AccumSteps:0 CPUMilli:7 MemMiB:5 GPUMiB:0 LinkWeight:1 "+
			"LinkLevel:0 Path:0 Pace:0s CopyFrac:0 "+
			"Instance:0 Delay:1s} true", "3s {ShareMilli:400 FreqFrac:0.5 Batch:2 AccumSteps:0 CPUMilli:7 MemMiB:5 "+
			"GPUMiB:0 LinkWeight:1 LinkLevel:0 Path:0 Pace:0s CopyFrac:0 Instance:0 Delay:1s} true",
		"4s {ShareMilli:500 FreqFrac:1 Batch:1 AccumSteps:0 CPUMilli:7 MemMiB:0 GPUMiB:0 LinkWeight:1 "+
			"LinkLevel:0 Path:0 Pace:0s CopyFrac:0 "+
			"Instance:0 Delay:0s} true", "5s {ShareMilli:500 FreqFrac:1 Batch:1 AccumSteps:0 CPUMilli:7 MemMiB:0 "+
			"GPUMiB:0 LinkWeight:1 LinkLevel:0 Path:0 Pace:0s CopyFrac:0 Instance:0 Delay:0s} true")
}
