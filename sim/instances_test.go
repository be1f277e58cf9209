package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
)

// cut is one machine of A100 with 40 GB, and one beside it whose GPU cannot be cut.
func cut(t testing.TB, gpus int) *cluster.Topology {
	t.Helper()
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: gpus, MIG: "a100-40gb"},
		{Count: 1, GPUs: 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// place gives the knob of the instance of a profile at a start, such as "3g.20gb at 4:4", and its
// thousandths.
func place(t testing.TB, top *cluster.Topology, name string) Knobs {
	t.Helper()
	d := top.MIG(0)
	for p := range d.Placements {
		if d.String(p) == name {
			return Knobs{Instance: uint8(p + 1), ShareMilli: d.Of(p).Milli()}
		}
	}
	t.Fatal("no placement", name)
	return Knobs{}
}

// in starts a job in an instance of a GPU.
func in(j JobID, g cluster.GPU, k Knobs) Decision {
	return Decision{Kind: Start, Job: j, GPUs: on(g), Knobs: k}
}

// Jobs in instances run on their shares; a Tune moves one to another instance, at the price of its
// Delay; peers carry their instances; and a new Start takes a job out of instances.
func TestInstances(t *testing.T) {
	top := cut(t, 1)
	four, three, seven := place(t, top, "4g.20gb at 0:4"), place(t, top, "3g.20gb at 4:4"),
		place(t, top, "7g.40gb at 0:8")
	seven.Delay = Second / 2
	var peers []string
	p := play{cfg: Config{Topology: top}, know: know.Speed, plan: map[Time][]Decision{
		0: {in(0, 0, four), in(1, 0, three)}, Second: {{Kind: Preempt, Job: 1}, {Kind: Tune, Job: 0, Knobs: seven}},
		4 * Second: {begin(1, 0)}}}
	p.cfg.Speed = probe{func(q *Query) {
		for _, x := range q.Peers {
			peers = append(peers, fmt.Sprintf("%d in %d beside %d in %d", q.ID, q.Instance, x.ID, x.Instance))
		}
	}}
	p.look = func(v *View) {
		if v.Now() == Second && (v.Run(0).Knobs().Instance != four.Instance || v.Run(1).Knobs().Instance != three.Instance) {
			t.Errorf("knobs %+v and %+v", v.Run(0).Knobs(), v.Run(1).Knobs())
		}
		if s := v.Predict(0, Placement{GPUs: on(0), Knobs: Knobs{Instance: three.Instance, ShareMilli: 300},
			Fresh: true, Alone: true,
			Mate: Peer{ID: 1, GPUs: on(0), Knobs: Knobs{Instance: three.Instance, ShareMilli: 128}}}); s.Rate != .3 {
			t.Errorf("predicted %v in 300 thousandths of an instance", s)
		}
	}
	// Job 0 does 0.571 s in the first second, pauses half a second, and the rest of 3 s takes 2.429
	// s. Job 1 has 2 s of work, of which 0.428 s are done.
	o := p.mustRun(t, 1, Job{GPUs: 1, Work: 3 * Second}, Job{GPUs: 1, Work: 2 * Second})
	same(t, "events", o.events[2:], "3.929s finish 0", "5.572s finish 1")
	same(t, "intervals", o.tape[:3], "job 1 on [0] 0s-1s run 1s preempt", "job 0 on [0] 0s-1s run 1s tune",
		"job 0 on [0] 1s-3.929s run 2.429s finish")
	want := fmt.Sprintf("1 in %d beside 0 in %d", three.Instance, four.Instance)
	if !strings.Contains(strings.Join(peers, "\n"), want) {
		t.Errorf("asked %q, expected %q among it", peers, want)
	}
}

// probe counts speeds and shows what it was asked.
type probe struct{ see func(q *Query) }

func (s probe) Speed(q *Query) (Speed, error) {
	s.see(q)
	return counting{}.Speed(q)
}

// What instances cannot be is refused with its reason.
func TestInstancesRefused(t *testing.T) {
	top := cut(t, 2)
	four, three, left := place(t, top, "4g.20gb at 0:4"), place(t, top, "3g.20gb at 4:4"),
		place(t, top, "3g.20gb at 0:4")
	one := Job{GPUs: 1, Work: Second}
	half := Knobs{Instance: three.Instance, ShareMilli: 214}
	over := Knobs{Instance: three.Instance, ShareMilli: 429}
	for _, c := range []struct {
		name, want string
		ds         []Decision
	}{
		{"overlap", "instance 3g.20gb at 0:4 of GPU 0, which cannot exist beside 4g.20gb at 0:4",
			[]Decision{in(0, 0, four), in(1, 0, left)}},
		{"a GPU without instances beside one",
			`GPU 0 without an instance, expected one beside 3g.20gb at 4:4 of job "0"`,
			[]Decision{in(0, 0, three), {Kind: Start, Job: 1, GPUs: on(0), Knobs: Knobs{ShareMilli: 100}}}},
		{"an instance beside one without", `instance 3g.20gb at 4:4 of GPU 0, which job "0" holds without an instance`,
			[]Decision{{Kind: Start, Job: 0, GPUs: on(0), Knobs: Knobs{ShareMilli: 100}}, in(1, 0, three)}},
		{"too much in one", "instance 3g.20gb at 4:4 of GPU 0 with 429 thousandths of the GPU in use, expected at " +
			"most 428", []Decision{in(0, 0, over)}},
		{"two with too much", "instance 3g.20gb at 4:4 of GPU 0 with 642 thousandths of the GPU in use, expected at " +
			"most 428", []Decision{in(0, 0, three), in(1, 0, half)}},
		{"no such instance", "instance 19 of GPU 1, expected 1..18 as of an a100-40gb",
			[]Decision{in(0, 1, Knobs{Instance: 19, ShareMilli: 100})}},
		{"a GPU that cannot be cut", "instance 1 of GPU 2, which cannot be cut into instances",
			[]Decision{in(0, 2, Knobs{Instance: 1, ShareMilli: 100})}},
		{"a gang", "an instance for a job on several GPUs, expected one GPU",
			[]Decision{{Kind: Start, Job: 2, GPUs: on(0, 1), Knobs: Knobs{Instance: 1, ShareMilli: 100}}}},
		{"a Tune", "which cannot exist beside 4g.20gb at 0:4",
			[]Decision{in(0, 0, four), in(1, 0, three), {Kind: Tune, Job: 1, Knobs: left}}},
		{"a move", "instance 4g.20gb at 0:4 of GPU 0, which cannot exist beside 3g.20gb at 0:4",
			[]Decision{in(0, 0, left), in(1, 1, four), {Kind: Migrate, Job: 1, GPUs: on(0)}}},
	} {
		_, err := play{cfg: Config{Topology: top}, plan: map[Time][]Decision{0: c.ds}}.run(t, 1, one, one,
			Job{GPUs: 2, Work: Second})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, expected %q", c.name, err, c.want)
		}
	}
}

// The memory of an instance is its own: a job that needs more than is left of it runs out, though
// the GPU has it, and no machine states what GPUs have.
func TestInstanceOutOfMemory(t *testing.T) {
	top := cut(t, 1)
	three, left := place(t, top, "3g.20gb at 4:4"), place(t, top, "3g.20gb at 0:4")
	three.ShareMilli, left.ShareMilli = 200, 200
	job := func(mib int32) Job { return Job{GPUs: 1, GPUMiB: mib, Work: Second} }
	p := play{cfg: Config{Topology: top, Costs: Costs{OutOfMemory: Cost{FixedS: 1}}},
		plan: map[Time][]Decision{0: {in(0, 0, three), in(1, 0, three)}, 2 * Second: {in(1, 0, left)}}}
	o := p.mustRun(t, 1, job(19000), job(969))
	same(t, "events", o.events[2:], "1s out-of-memory 1", "5s finish 0", "7s finish 1")
	delete(p.plan, 2*Second) // to the last MiB there is room
	same(t, "that fit", p.mustRun(t, 1, job(19000), job(968)).events[2:], "5s finish 0", "5s finish 1")
}

// Random decisions over instances of two GPUs: decisions that an own account allows are taken, each
// one else is refused, and every invariant holds.
func TestInstancesAtRandom(t *testing.T) {
	top := cut(t, 2)
	taken, refused := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 16))
		var js []Job
		for i := range 12 {
			js = append(js, Job{ID: fmt.Sprint(i), GPUs: 1, GPUMiB: int32(r.IntN(6000)), Submit: Time(r.IntN(20)) *
				Second, Work: Time(1+r.IntN(9)) * Second})
		}
		p := script{f: func(v *View, out []Decision) []Decision {
			for j := range JobID(v.NumJobs()) {
				k := drawInstance(r)
				d := Decision{Kind: Start, Job: j, GPUs: on(cluster.GPU(r.IntN(3))), Knobs: k}
				switch {
				case v.Run(j).State() == Running && r.IntN(3) == 0:
					d = Decision{Kind: Tune, Job: j, Knobs: k}
				case v.Run(j).State() == Running && r.IntN(8) == 0:
					d = Decision{Kind: Preempt, Job: j}
				case v.Run(j).State() != Waiting:
					continue
				}
				try := v.e.Snapshot()
				want := allowed(v, &d)
				err := v.e.Apply([]Decision{d})
				if (err == nil) != want {
					t.Fatalf("seed %d at %v: %+v: error %v, expected to be allowed: %v", seed, v.Now(), d, err, want)
				}
				if err != nil {
					refused++
				} else {
					taken++
				}
				if err := v.e.Verify(); err != nil && v.e.err == nil {
					t.Fatalf("seed %d: %+v: %v", seed, d, err)
				}
				if v.e.err == nil {
					out = append(out, d)
				}
				if err := v.e.Restore(try); err != nil {
					t.Fatal(err)
				}
				if n := len(out); n > 0 && out[n-1].Job == j {
					break // one at an instant
				}
			}
			return append(out, Decision{Kind: WakeAt, At: v.Now() + Second/2, Key: 1})
		}}
		_, err := Run(context.Background(), Config{Workload: jobs(t, js...), Topology: top, Speed: counting{},
			Check: true, Until: 60 * Second}, p)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if taken < 3000 || refused < 3000 {
		t.Errorf("%d decisions taken, %d refused: too few", taken, refused)
	}
}

// allowed reports whether a decision keeps the rules of instances and shares, by an account of its
// own: slice by slice.
func allowed(v *View, d *Decision) bool {
	if d.Kind == Preempt {
		return true
	}
	gpus, n, share := d.GPUs, int(d.Instance), d.ShareMilli
	if d.Kind == Tune {
		gpus = v.Run(d.Job).Held()
		if n == 0 {
			n = int(v.Run(d.Job).Knobs().Instance)
		}
	}
	dev := v.Topology().MIG(v.Topology().Machine(gpus[0]))
	var owner [8]int // of a memory slice: the instance
	total, within, whole := share, share, n == 0
	mark := func(n int) bool {
		at := dev.Placements[n-1]
		for k := range dev.Profiles[at.Profile].Memory {
			if s := &owner[at.Start+k]; *s != 0 && *s != n {
				return false
			} else {
				*s = n
			}
		}
		return true
	}
	if n > 0 && (dev == nil || !mark(n)) {
		return false
	}
	for _, x := range v.On(gpus[0]) {
		k := v.Run(x).Knobs()
		if x == d.Job {
			continue
		}
		total += k.ShareMilli
		if (k.Instance == 0) != whole {
			return false
		}
		if k.Instance > 0 && !mark(int(k.Instance)) {
			return false
		}
		if int(k.Instance) == n {
			within += k.ShareMilli
		}
	}
	return total <= 1000 && (whole || within <= int32(dev.Profiles[dev.Placements[n-1].Profile].Compute*1000/7))
}

// drawInstance gives an instance, or none, with some share.
func drawInstance(r *rand.Rand) Knobs {
	k := Knobs{Instance: uint8(r.IntN(19)), ShareMilli: int32(50 + r.IntN(400))}
	if r.IntN(4) == 0 {
		k.Instance = 0
	}
	return k
}

// Verify names what instances break.
func TestVerifyInstances(t *testing.T) {
	top := cut(t, 2)
	four, three := place(t, top, "4g.20gb at 0:4"), place(t, top, "3g.20gb at 4:4")
	left := place(t, top, "3g.20gb at 0:4")
	var e *Engine
	for _, c := range []struct {
		name, want string
		damage     func()
	}{
		{"overlap", "I16: GPU 0 has instances 3g.20gb at 0:4, 4g.20gb at 0:4 in use, which cannot exist together",
			func() { e.special[e.of(1).special-1].instance = left.Instance }},
		{"one without", "I16: GPU 0 has instances 4g.20gb at 0:4 in use beside a job without one",
			func() { e.special[e.of(1).special-1].instance = 0 }},
		{"too much", "I16: GPU 0 has instance 4g.20gb at 0:4 with 600 of 571 thousandths",
			func() { e.of(0).share += 29; e.used[0] += 29; e.of(1).share -= 29; e.used[0] -= 29 }},
		{"too much memory",
			"I16: GPU 0 has instance 3g.20gb at 4:4 with 428 of 428 thousandths and 20000 of 19968 MiB",
			func() { e.of(1).gpuMiB = 20000 }},
		{"one that is not", `I16: job "1" has instance 40 of GPUs [0]`, func() { e.special[e.of(1).special-1].instance = 40 }},
	} {
		var err error
		if e, err = New(Config{Workload: jobs(t, Job{GPUs: 1, Work: Second}, Job{GPUs: 1, Work: Second}),
			Topology: top, Speed: counting{}, Check: true}); err != nil {
			t.Fatal(err)
		}
		if _, _, err = e.Next(); err != nil {
			t.Fatal(err)
		}
		if err = e.Apply([]Decision{in(0, 0, four), in(1, 0, three)}); err != nil {
			t.Fatal(err)
		}
		c.damage()
		if err := e.Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", c.name, err, c.want)
		}
	}
}
