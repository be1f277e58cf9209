package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

func want(j sim.JobID, gpus ...cluster.GPU) plan.Want { return plan.Want{Job: j, GPUs: gpus} }

// fully is words with the GPUs of moves, and what is tuned.
func fully(ds []sim.Decision) string {
	var s []string
	for _, d := range ds {
		w := words([]sim.Decision{d})
		if d.Kind == sim.Migrate || d.Kind == sim.Resize {
			w += fmt.Sprintf(" on %v", d.GPUs)
		}
		if d.Lease > 0 {
			w += fmt.Sprintf(" for %v", d.Lease)
		}
		if d.Kind == sim.Tune {
			w += fmt.Sprintf(" to %d %v %v %d %d", d.ShareMilli, d.FreqFrac, d.Batch, d.CPUMilli, d.MemMiB)
		}
		s = append(s, w)
	}
	return strings.Join(s, ", ")
}

// What leads from one state to another, job by job: nothing where nothing changes, and the least
// that does where something does.
func TestTarget(t *testing.T) {
	flex := sim.Job{GPUs: 2, MinGPUs: 1, MaxGPUs: 4}
	half := sim.Job{GPUs: 1, ShareMilli: 500}
	js := []sim.Job{{GPUs: 2}, {GPUs: 2}, flex, {GPUs: 1}, half, half}
	from := []sim.Decision{start(0, 0, 1), start(1, 2, 3), start(2, 4, 5), start(4, 6)}
	asis := []plan.Want{want(0, 0, 1), want(1, 2, 3), want(2, 4, 5), want(4, 6)}
	tuned := func(w plan.Want, k sim.Knobs) plan.Want { w.Knobs = k; return w }
	leased := func(w plan.Want) plan.Want { w.Lease = 3 * sim.Second; return w }
	with := func(ws ...plan.Want) []plan.Want { return append(slices.Clone(ws), asis[len(ws):]...) }
	for _, c := range []struct {
		name  string
		wants []plan.Want
		want  string
		late  string
	}{
		{"nothing changes", asis, "", "[]"},
		{"in another order", []plan.Want{asis[2], asis[0], asis[3], asis[1]}, "", "[]"},
		{"a job starts on what is free", append(with(), want(3, 7)), "start 3 on [7]", "[]"},
		{"beside another", append(with(), want(5, 6)), "start 5 on [6]", "[]"},
		{"nobody is wanted", nil, "preempt 0, preempt 1, preempt 2, preempt 4", "[]"},
		{"one gives way", []plan.Want{asis[1], asis[2], asis[3], want(3, 0)}, "preempt 0, start 3 on [0]", "[]"},
		{"two exchange", with(want(0, 2, 3), want(1, 0, 1)), "lift 0, lift 1, migrate 0 on [2 3], migrate 1 on [0 1]",
			"[]"},
		{"three in a circle", with(want(0, 2, 3), want(1, 4, 5), want(2, 0, 1)),
			"lift 0, lift 1, lift 2, migrate 0 on [2 3], migrate 1 on [4 5], migrate 2 on [0 1]", "[]"},
		{"one grows over what it has", with(asis[0], asis[1], want(2, 4, 5, 7)), "resize 2 on [4 5 7]", "[]"},
		{"one shrinks for another", append(with(asis[0], asis[1], want(2, 4)), want(3, 5)),
			"resize 2 on [4], start 3 on [5]", "[]"},
		{"into the room of one that stays", []plan.Want{want(0, 2, 4), asis[1], want(2, 7), asis[3]},
			"resize 2 on [7]", "[0]"},
		{"a lease in place and with a move", with(leased(asis[0]), asis[1], leased(want(2, 4))),
			"resize 2 on [4] for 3s, renew 0 for 3s", "[]"},
		{"knobs", with(tuned(asis[0], sim.Knobs{Batch: 2, FreqFrac: 1}),
			tuned(asis[1], sim.Knobs{Batch: 1, Delay: 5})), "tune 0 to 0 0 2 0 0", "[]"},
		{"less of one for more of another", append(with(asis[0], asis[1], asis[2],
			tuned(asis[3], sim.Knobs{ShareMilli: 400, Batch: 3})), tuned(want(5, 6), sim.Knobs{ShareMilli: 600})),
			"tune 4 to 400 0 0 0 0, tune 4 to 0 0 3 0 0, start 5 on [6]", "[]"},
		{"the earlier of two prevails", append(with(), want(3, 7), want(5, 7)), "start 3 on [7]", "[5]"},
		{"the first of two wants of a job", append(with(), want(0, 2, 3), want(3, 7)), "start 3 on [7]", "[]"},
	} {
		s := set(t, sim.Config{}, cluster.Uniform(1, 1, 8, 1), js...)
		s.do(from...)
		var x plan.Target
		ds := x.Decide(s.v, c.wants, nil)
		if got := fully(ds); got != c.want {
			t.Errorf("%s: %s\nexpected %s", c.name, got, c.want)
		}
		if got := fmt.Sprint(x.Late()); c.late != got {
			t.Errorf("%s: late %s, expected %s", c.name, got, c.late)
		}
		s.do(ds...)
	}
}

// GPUs that drain are not free: who wants them waits, who wants the GPUs of one that waits for them
// too. When the checkpoint is written the same wants lead there.
func TestTargetWhileGPUsDrain(t *testing.T) {
	s := set(t, sim.Config{Costs: sim.Costs{Checkpoint: sim.Cost{FixedS: 3}}}, cluster.Uniform(1, 1, 6, 1),
		sim.Job{GPUs: 2}, sim.Job{GPUs: 2}, sim.Job{GPUs: 2}, sim.Job{GPUs: 2}, sim.Job{GPUs: 1})
	s.do(start(0, 0, 1), start(1, 2, 3))
	wants := []plan.Want{want(1, 0, 1), want(2, 2, 3), want(3, 4, 5)}
	var x plan.Target
	check := func(ds, late string) {
		t.Helper()
		got := x.Decide(s.v, wants, nil)
		if fully(got) != ds || fmt.Sprint(x.Late()) != late {
			t.Errorf("at %v: %q and %v late, expected %q and %s", s.v.Now(), fully(got), x.Late(), ds, late)
		}
		s.do(got...)
	}
	check("preempt 0, start 3 on [4 5]", "[1 2]") // job 1 stays until it can move, and so job 2 cannot start
	check("", "[1 2]")
	check("", "[1 2]")
	check("migrate 1 on [0 1], start 2 on [2 3]", "[]")
	check("", "[]")
	wants = append(wants, want(4, 9), want(0, 2, 3))
	ds := x.Decide(s.v, wants, nil)
	if fully(ds) != "start 4 on [9]" || fmt.Sprint(x.Late()) != "[0]" { // the kernel names a GPU that does not exist
		t.Errorf("%q and %v late", fully(ds), x.Late())
	}
}

// No job comes to a cordoned machine; who is there stays, and may shrink there, or leave.
func TestTargetOnCordonedMachines(t *testing.T) {
	s := set(t, sim.Config{}, cluster.Uniform(1, 2, 2, 1), sim.Job{GPUs: 2, MinGPUs: 1}, sim.Job{GPUs: 1})
	s.do(start(0, 0, 1), sim.Decision{Kind: sim.Cordon, Machine: 0})
	var x plan.Target
	if ds := x.Decide(s.v, []plan.Want{want(0, 0, 1), want(1, 1)}, nil); fully(ds) != "" ||
		fmt.Sprint(x.Late()) != "[1]" {
		t.Errorf("%q and %v late", fully(ds), x.Late())
	}
	ds := x.Decide(s.v, []plan.Want{want(0, 1), want(1, 0)}, nil)
	if fully(ds) != "resize 0 on [1]" || fmt.Sprint(x.Late()) != "[1]" {
		t.Errorf("%q and %v late", fully(ds), x.Late())
	}
	s.do(ds...)
	ds = x.Decide(s.v, []plan.Want{want(0, 2), want(1, 1)}, nil)
	if fully(ds) != "migrate 0 on [2]" || fmt.Sprint(x.Late()) != "[1]" {
		t.Errorf("%q and %v late", fully(ds), x.Late())
	}
	s.do(ds...)
}

// A job that moves and holds more of a GPU that it keeps finds the room of one that leaves it later
// in the list.
func TestTargetGrowsInPlaceOfAMove(t *testing.T) {
	half := sim.Job{GPUs: 1, MaxGPUs: 2, ShareMilli: 500}
	s := set(t, sim.Config{}, cluster.Uniform(1, 1, 3, 1), half, half)
	s.do(start(0, 0), start(1, 0))
	var x plan.Target
	wants := []plan.Want{want(0, 0, 1), want(1, 2)}
	wants[0].ShareMilli = 800
	ds := x.Decide(s.v, wants, nil)
	if got := fully(ds); got != "lift 0, lift 1, resize 0 on [0 1], migrate 1 on [2]" {
		t.Error(got)
	}
	s.do(ds...)
}

// Where a machine's CPU binds, all that is given up is given up first.
func TestTargetWithinHosts(t *testing.T) {
	spec := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 2, Slots: 1, CPUMilli: 1000, MemMiB: 100}}}}
	s := set(t, sim.Config{}, spec, sim.Job{GPUs: 1, CPUMilli: 900, MemMiB: 10},
		sim.Job{GPUs: 1, CPUMilli: 800, MemMiB: 10}, sim.Job{GPUs: 1, CPUMilli: 150, MemMiB: 90})
	s.do(start(0, 0), start(1, 2), start(2, 3))
	var x plan.Target
	// Jobs 0 and 1 change machines though each comes to the GPU that is free there.
	ds := x.Decide(s.v, []plan.Want{want(0, 3), want(1, 1), want(2, 0)}, nil)
	if got := fully(ds); got != "lift 0, lift 1, lift 2, migrate 0 on [3], migrate 1 on [1], migrate 2 on [0]" {
		t.Error(got)
	}
	s.do(ds...)
	// Job 2 takes the CPU that job 1 gives up; too much is put off.
	tuned := []plan.Want{want(0, 3), want(1, 1), want(2, 0)}
	tuned[1].CPUMilli, tuned[2].CPUMilli, tuned[2].MemMiB = 100, 900, 50
	ds = x.Decide(s.v, tuned, nil)
	if got := fully(ds); got != "tune 1 to 0 0 0 100 0, tune 2 to 0 0 0 0 50, tune 2 to 0 0 0 900 0" {
		t.Error(got)
	}
	tuned[1].CPUMilli = 101
	if ds := x.Decide(s.v, tuned, nil); fully(ds) != "tune 1 to 0 0 0 101 0" || fmt.Sprint(x.Late()) != "[2]" {
		t.Errorf("%q and %v late", fully(ds), x.Late())
	}
	tuned[1].CPUMilli = 100
	s.do(x.Decide(s.v, tuned, nil)...)
}

// crowd is a cluster of n machines of 8 GPUs where each GPU has a job, and wants that shift every
// job by one GPU, or by none.
func crowd(t testing.TB, n int) (*sim.Engine, *sim.View, [2][]plan.Want) {
	js := make([]sim.Job, 8*n)
	ds := make([]sim.Decision, 8*n)
	var ws [2][]plan.Want
	for i := range js {
		js[i] = sim.Job{ID: fmt.Sprint(i), GPUs: 1, Work: sim.Time(1e6) * sim.Second}
		ds[i] = start(sim.JobID(i), cluster.GPU(i))
		ws[0] = append(ws[0], want(sim.JobID(i), cluster.GPU(i)))
		ws[1] = append(ws[1], want(sim.JobID(i), cluster.GPU((i+1)%len(js))))
	}
	w, err := sim.NewWorkload("crowd", js)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, n, 8, 1))
	if err != nil {
		t.Fatal(err)
	}
	e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: flat{}})
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := e.Next()
	if err == nil {
		err = e.Apply(ds)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e, v, ws
}

// flat is a speed model that costs nothing to ask.
type flat struct{}

func (flat) Speed(*sim.Query) (sim.Speed, error) { return sim.Speed{Rate: 1, ComputeFrac: 1}, nil }

// shift moves every job by one GPU, and back.
func shift(t testing.TB, e *sim.Engine, v *sim.View, x *plan.Target, wants []plan.Want,
	out []sim.Decision) []sim.Decision {
	out = x.Decide(v, wants, out[:0])
	out = append(out, sim.Decision{Kind: sim.WakeAt, At: v.Now() + sim.Second})
	if err := e.Apply(out); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := e.Next(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	return out
}

// Once warm neither Target nor the kernel allocates, though every job of the cluster moves at every
// instant.
func TestTargetAllocatesNothing(t *testing.T) {
	e, v, ws := crowd(t, 8)
	var x plan.Target
	var out []sim.Decision
	n := 0
	step := func() {
		n++
		out = shift(t, e, v, &x, ws[n%2], out)
	}
	if err := e.Apply([]sim.Decision{{Kind: sim.WakeAt, At: sim.Second}}); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := e.Next(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	for range 10 {
		step()
	}
	if allocs := testing.AllocsPerRun(100, step); allocs != 0 || len(out) != 1+2*64 {
		t.Errorf("%v allocations per instant and %d decisions, want none and 129", allocs, len(out))
	}
}

// BenchmarkTarget leads a cluster of 1 024 GPUs and as many jobs to a state in which every job has
// moved ("shift"), or none has ("stay").
func BenchmarkTarget(b *testing.B) {
	for i, name := range []string{"stay", "shift"} {
		b.Run(name, func(b *testing.B) {
			_, v, ws := crowd(b, 128)
			var x plan.Target
			var out []sim.Decision
			b.ReportAllocs()
			for b.Loop() {
				out = x.Decide(v, ws[i], out[:0])
			}
			b.ReportMetric(float64(len(out)), "decisions")
		})
	}
}
