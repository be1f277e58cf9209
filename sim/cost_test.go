package sim

import (
	"math"
	"strings"
	"testing"
)

// Each change pauses its job for its cost. One job of 10 s of work on one GPU, or 20 s on two; the
// sums queue + run + overhead are its time in the system.
func TestWhatChangesCost(t *testing.T) {
	type plan = map[Time][]Decision
	for _, c := range []struct {
		name  string
		costs Costs
		gpus  int32
		plan  plan
		want  string
	}{
		{"nothing", Costs{}, 1, plan{0: {begin(0, 0)}}, "done: start 0s end 10s queue 0s run 10s overhead 0s lost " +
			"0s in 0s"},
		{"a start: 1 + 2 GPUs x 1.5", Costs{Start: Cost{FixedS: 1, PerGPUS: 1.5}}, 2, plan{0: {begin(0, 0, 1)}},
			"done: start 0s end 14s queue 0s run 10s overhead 4s lost 0s in 0s"},
		{"a model of 30 bytes at 10 a second", Costs{Start: Cost{BytesPerS: 10}}, 1, plan{0: {begin(0, 0)}},
			"done: start 0s end 13s queue 0s run 10s overhead 3s lost 0s in 0s"},
		{"a phase shift", Costs{Start: Cost{FixedS: 1}}, 1, plan{0: {{Kind: Start, GPUs: on(0),
			Knobs: Knobs{Delay: 3 * Second}}}},
			"done: start 0s end 14s queue 0s run 10s overhead 4s lost 0s in 0s"},
		// 4 s run; GPUs held for the checkpoint to 6 s; queued to 7 s; restore to 10 s; the other 6
		// s end at 16 s.
		{"a preemption", Costs{Start: Cost{FixedS: 0}, Checkpoint: Cost{FixedS: 2}, Restore: Cost{FixedS: 3}}, 1,
			plan{0: {begin(0, 0)}, 4 * Second: {{Kind: Preempt}}, 7 * Second: {begin(0, 0)}},
			"done: start 0s end 16s queue 1s run 10s overhead 5s lost 0s in 0s"},
		// Preempted at 2 s in the start of 3 s: nothing to save, so its GPUs are free at once;
		// restored at once for 1 s.
		{"a preemption before any progress", Costs{Start: Cost{FixedS: 3}, Checkpoint: Cost{FixedS: 5},
			Restore: Cost{FixedS: 1}}, 1,
			plan{0: {begin(0, 0)}, 2 * Second: {{Kind: Preempt}, begin(0, 0)}},
			"done: start 0s end 13s queue 0s run 10s overhead 3s lost 0s in 0s"},
		// The renewal at 4 s pauses to 6 s; at 5 s one second of that has passed, the checkpoint
		// takes 3: free at 8 s.
		{"a preemption in a pause", Costs{Renew: Cost{FixedS: 2}, Checkpoint: Cost{FixedS: 3}}, 1,
			plan{0: {begin(0, 0)}, 4 * Second: {{Kind: Renew}}, 5 * Second: {{Kind: Preempt}}, 8 *
				Second: {begin(0, 0)}},
			"done: start 0s end 14s queue 0s run 10s overhead 4s lost 0s in 0s"},
		// A move in a pause ends it: 1 s of the start, 2 s of the move.
		{"a migration in a pause", Costs{Start: Cost{FixedS: 5}, Migrate: Cost{FixedS: 2}}, 1,
			plan{0: {begin(0, 0)}, Second: {{Kind: Migrate, GPUs: on(1)}}},
			"done: start 0s end 13s queue 0s run 10s overhead 3s lost 0s in 0s"},
		{"a renewal, per GPU", Costs{Renew: Cost{PerGPUS: 1.5}}, 2,
			plan{0: {begin(0, 0, 1)}, 5 * Second: {{Kind: Renew}}},
			"done: start 0s end 13s queue 0s run 10s overhead 3s lost 0s in 0s"},
		// From 2 GPUs to 3 after 4 s: 12 GPU-seconds left take 4 s, after 2 + 3 x 1 s.
		{"a resize, per GPU it gets", Costs{Rescale: Cost{FixedS: 2, PerGPUS: 1}}, 2,
			plan{0: {begin(0, 0, 1)}, 4 * Second: {{Kind: Resize, GPUs: on(0, 1, 2)}}},
			"done: start 0s end 13s queue 0s run 8s overhead 5s lost 0s in 0s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := play{cfg: Config{Costs: c.costs, ModelBytes: func(string) int64 { return 30 }}, plan: c.plan}
			o := p.mustRun(t, 4, Job{GPUs: c.gpus, MinGPUs: 1, MaxGPUs: 4, Work: Time(c.gpus) * 10 * Second})
			same(t, "life", []string{o.life(0)}, c.want)
		})
	}
}

// What a record counts: preemptions, migrations, faults, allocations, and these by level.
func TestRecordCounts(t *testing.T) {
	p := play{cfg: Config{Topology: topology(t, 2, 2, 2, 2), Speed: halved{},
		Outages: Schedule{{At: 4 * Second, Machine: 0, GPU: 0},
			{At: 4 * Second, Machine: 0, GPU: 0, Up: true}}.Source()},
		plan: map[Time][]Decision{
			0: {begin(0, 0, 1)}, Second: {{Kind: Preempt}, begin(0, 0, 2)}, 2 *
				Second: {{Kind: Migrate, GPUs: on(2, 3)}}, 3 * Second: {{Kind: Resize, GPUs: on(0)}},
			4 * Second: {begin(0, 0, 4)}}}
	// Slots of 1 GPU, machines of 2, racks of 4: levels machine, rack, machine, gpu, network. Half
	// of all running is communication.
	o, err := p.run(t, 0, Job{GPUs: 2, MinGPUs: 1, MaxGPUs: 2, Work: 20 * Second})
	if err != nil {
		t.Fatal(err)
	}
	r := o.e.Record(0)
	if r.Preemptions != 1 || r.Migrations != 1 || r.Faults != 1 || r.Allocations != 5 ||
		r.ByLevel != [5]int32{1, 0, 2, 1, 1} || r.Level.String() != "network" {
		t.Errorf("%+v", r)
	}
	if r.Comm != r.Run/2 || r.Run == 0 {
		t.Errorf("communication %v of %v, expected half", r.Comm, r.Run)
	}
}

// halved computes half of its time.
type halved struct{}

func (halved) Speed(q *Query) (Speed, error) {
	return Speed{Rate: float64(len(q.GPUs)), ComputeFrac: .5}, nil
}

// Every cost has a range, and every one that is out of it is named.
func TestCostsValidate(t *testing.T) {
	for _, c := range []struct {
		name  string
		costs Costs
		want  string // "" = none
	}{
		{"zero", Costs{}, ""},
		{"the longest", Costs{Start: Cost{FixedS: 1e9, PerGPUS: 1e9, BytesPerS: 1}}, ""},
		{"too long", Costs{Start: Cost{FixedS: 1.1e9}}, "cost start_s is 1.1e+09, expected 0..1e9 seconds"},
		{"negative", Costs{Restore: Cost{FixedS: -1}}, "cost restore_s is -1, expected"},
		{"not a number", Costs{Checkpoint: Cost{PerGPUS: math.NaN()}}, "cost checkpoint_per_gpu_s is NaN, expected"},
		{"less than a byte a second", Costs{Migrate: Cost{BytesPerS: .5}},
			"cost migrate_bytes_per_s is 0.5, expected 0 (not charged) or a finite number >= 1"},
		{"endless bandwidth", Costs{Rescale: Cost{BytesPerS: math.Inf(1)}},
			"cost rescale_bytes_per_s is +Inf, expected"},
		{"renewals", Costs{Renew: Cost{FixedS: -2}}, "cost renew_s is -2, expected"},
		{"periodic checkpoints", Costs{CheckpointEveryS: -3}, "cost checkpoint_every_s is -3, expected"},
	} {
		err := c.costs.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s: error %v, expected %q", c.name, err, c.want)
		}
	}
	all := Costs{Start: Cost{FixedS: -1}, Renew: Cost{PerGPUS: -1}, CheckpointEveryS: -1}.Validate()
	if all == nil || strings.Count(all.Error(), "\n") != 2 {
		t.Errorf("three faults give %v", all)
	}
}

// Formulas as a price leave a run as it is without a price.
func TestFormulaIsThePrice(t *testing.T) {
	costs := Costs{Start: Cost{FixedS: 1, PerGPUS: 2}, Restore: Cost{FixedS: 3, BytesPerS: 10},
		Checkpoint: Cost{FixedS: 2, PerGPUS: 1}, Migrate: Cost{FixedS: 5}, Rescale: Cost{FixedS: 2, PerGPUS: 3},
		Renew: Cost{FixedS: 7}}
	bytes := func(string) int64 { return 30 }
	run := func(c Costs) string {
		p := play{cfg: Config{Costs: c, ModelBytes: bytes}, plan: map[Time][]Decision{
			0: {begin(0, 0, 1)}, 8 * Second: {{Kind: Preempt}}, 20 * Second: {begin(0, 0, 1)}, 40 *
				Second: {{Kind: Migrate, GPUs: on(2, 3)}},
			50 * Second: {{Kind: Renew, Lease: Second}}, 60 * Second: {{Kind: Resize, GPUs: on(0, 1, 2)}}, 80 *
				Second: {{Kind: Resize, GPUs: on(0)}}}}
		return p.mustRun(t, 4, Job{GPUs: 2, MinGPUs: 1, MaxGPUs: 4, Work: 200 * Second}).life(0)
	}
	priced := costs
	priced.Of = func(c *Change) Time {
		if c.Kind == Tune {
			return 0
		}
		return costs.Formula(c, bytes(c.Job.Model))
	}
	want := run(costs)
	same(t, "life", []string{run(priced)}, want)
	if !strings.Contains(want, "overhead 43s") { // 5 + 4 + 6 + 5 + 7 + 11 + 5
		t.Error(want)
	}
}
