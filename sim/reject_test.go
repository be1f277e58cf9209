package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tarry/sim/know"
)

// A job is turned away when it comes, after a while, and after it ran once; the others run on as if
// it had never been there. It counts in Little's law for as long as it waited: by hand, with 0 s, 3
// s and 4 s of waiting.
func TestRejectedJobsLeave(t *testing.T) {
	p := play{plan: map[Time][]Decision{
		0:          {begin(0, 0), {Kind: Reject, Job: 1}, begin(3, 1)},
		2 * Second: {{Kind: Preempt, Job: 3}},
		3 * Second: {{Kind: Reject, Job: 2}},
		6 * Second: {{Kind: Reject, Job: 3}},
	}}
	p.look = func(v *View) {
		for j := range JobID(4) {
			if s := v.Run(j).State(); s == Rejected && (len(v.Run(j).Held()) > 0 || v.Waiting() > 2) {
				t.Errorf("at %v the rejected job %d holds %v, and %d jobs wait", v.Now(), j, v.Run(j).Held(), v.Waiting())
			}
		}
	}
	one := Job{GPUs: 1, Work: 10 * Second}
	o := p.mustRun(t, 2, one, one, one, one)
	same(t, "events", o.events, "0s arrive 0", "0s arrive 1", "0s arrive 2", "0s arrive 3", "10s finish 0")
	same(t, "tape", o.tape,
		"job 1 rejected start never end 0s queue 0s run 0s overhead 0s lost 0s",
		"job 3 on [1] 0s-2s run 2s preempt",
		"job 2 rejected start never end 3s queue 3s run 0s overhead 0s lost 0s",
		"job 3 rejected start 0s end 6s queue 4s run 2s overhead 0s lost 0s",
		"job 0 on [0] 0s-10s run 10s finish", "job 0 done start 0s end 10s queue 0s run 10s overhead 0s lost 0s")
	if got := o.life(3); got != "rejected: start 0s end 6s queue 4s run 2s overhead 0s lost 0s in 0s" {
		t.Errorf("job 3 at the end is %s", got)
	}
	jobs, waiting, busy := o.e.Areas() // 10 + 0 + 3 + 6 s in the system, 3 + 4 s waiting, 10 + 2 s of GPUs
	if jobs[1] != uint64(19*Second) || waiting[1] != uint64(7*Second) || busy != 12*Second {
		t.Errorf("areas %v %v %v", jobs, waiting, busy)
	}
}

// A run whose last jobs are all rejected ends there; nothing is left in it.
func TestRunEndsWhenAllAreRejected(t *testing.T) {
	p := play{plan: map[Time][]Decision{0: {{Kind: Reject, Job: 0}}, 5 *
		Second: {{Kind: Reject, Job: 1}, {Kind: WakeAt, Key: 3, At: 99 * Second}}}}
	o := p.mustRun(t, 1, Job{GPUs: 1, Work: Second}, Job{GPUs: 1, Work: Second, Submit: 5 * Second})
	if g := o.e.Gauge(); o.e.Now() != 5*Second || g.Waiting+g.Running+g.Busy != 0 {
		t.Errorf("the run ended at %v with %+v", o.e.Now(), g)
	}
}

func TestWrongRejectionsAreNamed(t *testing.T) {
	reject := Decision{Kind: Reject, Job: 0}
	for want, plan := range map[string]map[Time][]Decision{
		`at 0s: decision 1, reject of job "0": the job is running, expected waiting`:  {0: {begin(0, 0), reject}},
		`at 0s: decision 1, reject of job "0": the job is rejected, expected waiting`: {0: {reject, reject}},
		`at 1s: decision 0, start of job "0": the job is rejected, expected waiting`: {0: {reject},
			Second: {begin(0, 0)}},
		`at 9s: decision 0, reject of job "0": the job is done, expected waiting`: {0: {begin(0, 0)}, 9 *
			Second: {reject}},
		`at 1s: decision 1, reject of job "0": the job is draining, expected waiting`: {0: {begin(0, 0)},
			Second: {{Kind: Preempt}, reject}},
		`at 0s: decision 0, reject of job "1": the job is pending, expected waiting`: {0: {{Kind: Reject, Job: 1}}},
		`at 1s: decision 0, migrate of job "0": the job is rejected, expected running`: {0: {reject},
			Second: {{Kind: Migrate, GPUs: on(0)}}},
		`at 0s: decision 0, reject of job number 7: no such job, expected 0..1`: {0: {{Kind: Reject, Job: 7}}},
		`at 1s: decision 1, reject of job "0": the job is running, expected waiting`: {0: {begin(0, 0)},
			Second: {{Kind: Lift}, reject}},
		`at 30s: decision 0, watch of job "0": the job is rejected, expected running`: {0: {reject}, 30 *
			Second: {{Kind: Watch, Bound: 1}}},
		`at 30s: decision 0, reject of job "0": the job is rejected, expected waiting`: {0: {reject}, 30 *
			Second: {reject}},
		`at 0s: decision 1, start of job "0": the job is rejected, expected waiting`: {0: {reject, begin(0, 0)}},
		`at 0s: decision 2, start of job "0": the job is rejected, expected waiting`: {0: {{Kind: WakeAt, Key: 5,
			At: 7}, reject, begin(0, 0)}},
		`at 40s: decision 1, start of job "0": the job is rejected, expected waiting`: {0: {reject}, 40 *
			Second: {begin(1, 0), begin(0, 0)}},
		`at 40s: decision 0, tune of job "0": the job is rejected, expected running`: {0: {reject}, 40 *
			Second: {{Kind: Tune}}},
		`at 40s: decision 0, preempt of job "0": the job is rejected, expected running`: {0: {reject}, 40 *
			Second: {{Kind: Preempt}}},
	} {
		p := play{plan: plan, cfg: Config{Costs: Costs{Checkpoint: Cost{FixedS: 5}}}}
		if _, err := p.run(t, 1, Job{GPUs: 1, Work: 5 * Second},
			Job{GPUs: 1, Work: 5 * Second, Submit: 40 * Second}); err == nil || err.Error() != want {
			t.Errorf("error %v\nwant  %s", err, want)
		}
	}
}

// A view gives deadlines as times that compare, whatever a policy knows.
func TestDeadlines(t *testing.T) {
	p := play{plan: map[Time][]Decision{0: {begin(0, 0), begin(1, 1)}}, look: func(v *View) {
		if v.Now() == 0 && (v.Job(0).Deadline() != Never || v.Job(1).Deadline() != 7*Second ||
			v.Job(1).Public().Deadline != 7*Second) {
			t.Errorf("deadlines %v and %v, expected none and 7 s", v.Job(0).Deadline(), v.Job(1).Deadline())
		}
	}}
	p.mustRun(t, 2, Job{GPUs: 1, Work: Second}, Job{GPUs: 1, Work: Second, Deadline: 7 * Second})
}

// What is left of a rejected job is its work: nothing was done that counts. So it is where jobs are
// held and where they come one by one.
func TestLeftOfARejectedJob(t *testing.T) {
	p := play{know: know.Work, plan: map[Time][]Decision{0: {{Kind: Reject, Job: 0}, begin(1, 0)}}}
	p.look = func(v *View) {
		if v.Now() > 0 && (v.Run(0).State() != Rejected || v.Run(0).Left() != 1e6 || v.Run(0).Done() != 0) {
			t.Errorf("at %v job 0 is %v with %v left and %v done", v.Now(), v.Run(0).State(), v.Run(0).Left(), v.Run(0).Done())
		}
	}
	p.mustRun(t, 1, Job{GPUs: 1, Work: Second}, Job{GPUs: 1, Work: Second})
}

// strict is greedy with a mind of its own: it turns one job in four away, some of them after they
// ran.
func strict(seed uint64) Policy {
	r := rand.New(rand.NewPCG(seed, 8))
	g := greedy(rand.New(rand.NewPCG(seed, 9)))
	return script{know: g.Knows(), f: func(v *View, out []Decision) []Decision {
		n := len(out)
		out = g.Decide(v, out)
		for _, ev := range v.Events() {
			taken := ev.Job == NoJob || v.Run(ev.Job).State() != Waiting || r.IntN(4) > 0
			for i := n; i < len(out) && !taken; i++ {
				taken = out[i].Job == ev.Job && out[i].Kind != WakeAt
			}
			if !taken {
				out = append(out, Decision{Kind: Reject, Job: ev.Job})
			}
		}
		return out
	}}
}

// Rejections among any decisions keep every invariant and Little's law, and a run is the same
// whether its jobs are held or come one by one.
func TestRejectionsStreamed(t *testing.T) {
	rejected := 0
	for seed := range uint64(60) {
		cfg, _ := drawTwin(t, rand.New(rand.NewPCG(seed, 51)))
		play := func(cfg Config) (tape, *Engine) {
			var o tape
			e, err := Run(t.Context(), cfg, strict(seed), &o)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			return o, e
		}
		held, a := play(cfg)
		w := cfg.Workload
		cfg.Workload, cfg.Stream = nil, w.Stream()
		streamed, b := play(cfg)
		same(t, fmt.Sprintf("seed %d", seed), streamed.lines, held.lines...)
		all, _, _ := a.Areas()
		sum := Time(0)
		for id := range w.Jobs {
			r := a.Record(JobID(id))
			sum += min(r.End, a.Now()) - w.Jobs[id].Submit
			if s := b.Record(JobID(id)).State; s != r.State {
				t.Errorf("seed %d: job %d is %v held and %v streamed", seed, id, r.State, s)
			}
			if r.State == Rejected {
				rejected++
			}
		}
		if all != [2]uint64{0, uint64(sum)} {
			t.Errorf("seed %d: Little: area %v, sum of times in the system %v", seed, all, sum)
		}
	}
	if rejected < 50 {
		t.Errorf("only %d jobs were rejected: the cases are too easy", rejected)
	}
}

// A run restored from a snapshot at any instant, rejections among its decisions, ends as the
// uninterrupted one.
func TestSnapshotsOfRejections(t *testing.T) {
	w := random(t, rand.New(rand.NewPCG(9, 10)), 15, 6)
	cfg := Config{Workload: w, Topology: topology(t, 2, 2, 2, 1), Speed: counting{}, Check: true,
		Costs: Costs{Checkpoint: Cost{FixedS: 1}}}
	g := greedy(nil)
	decide := func(v *View) []Decision {
		var out []Decision
		for _, ev := range v.Events() {
			if ev.Kind == Arrive && ev.Job%3 == 1 {
				out = append(out, Decision{Kind: Reject, Job: ev.Job})
			}
		}
		for _, d := range g.Decide(v, nil) {
			if d.Job%3 != 1 {
				out = append(out, d)
			}
		}
		return out
	}
	finish := func(e *Engine, snapAt int) (snap *Snapshot, ends string) {
		for n := 0; ; n++ {
			v, ok, err := e.Next()
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			if err := e.Apply(decide(v)); err != nil {
				t.Fatal(err)
			}
			if n == snapAt {
				snap = e.Snapshot()
			}
		}
		for id := range w.Jobs {
			ends += fmt.Sprintf("%+v\n", e.Record(JobID(id)))
		}
		return snap, ends
	}
	for at := range 16 {
		e, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		snap, want := finish(e, at)
		if strings.Count(want, "State:rejected") != 5 {
			t.Fatalf("expected 5 rejected jobs:\n%s", want)
		}
		f, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range []*Engine{e, f} {
			if err := target.Restore(snap); err != nil {
				t.Fatal(err)
			}
			if _, got := finish(target, -1); got != want {
				t.Errorf("restored at instant %d: other records\n%s\nexpected\n%s", at, got, want)
			}
		}
	}
}

// Verify names a rejected job that is not quite gone.
func TestVerifyRejected(t *testing.T) {
	w := jobs(t, Job{GPUs: 1, Work: 40 * Second}, Job{GPUs: 1, Work: Second}, Job{GPUs: 1, Work: Second},
		Job{GPUs: 1, Work: Second, Submit: 2 * Second})
	e, err := New(Config{Workload: w, Topology: topology(t, 1, 1, 1, 1), Speed: counting{}})
	if err != nil {
		t.Fatal(err)
	}
	p := play{plan: map[Time][]Decision{0: {begin(0, 0), {Kind: Reject, Job: 1}}, 2 * Second: {{Kind: Reject, Job: 2}}}}
	for e.Now() < 2*Second {
		v, ok, err := e.Next()
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		if err := e.Apply(p.Decide(v, nil)); err != nil {
			t.Fatal(err)
		}
	}
	sound := e.Snapshot()
	for want, damage := range map[string]func(){
		`I13: job "1" is rejected, and its record states done`:           func() { e.past[1].State = Done },
		`I13: job "1" is done, and its record states rejected`:           func() { e.at[1] = rowDone },
		`I8: job "1" was 0s in the system, queue 1e-06s`:                 func() { e.past[1].Queue++ },
		`I13: job "2" was rejected at 1.999999s, and is still in the sy`: func() { e.of(2).end-- },
		`I13: job "2" was rejected at 2s, and is still in the system`:    func() { e.leaving = e.leaving[:0] },
		`I2: job "2" is rejected and holds 1 GPUs`:                       func() { e.of(2).gpus = on(0) },
		`I8: job "2" was 2s in the system, queue 2.000001s`:              func() { e.of(2).queue++ },
		`I4: states [0 1 1 0 0 0 2] do not add up: 2 waiting`:            func() { e.waiting++ },
	} {
		damage()
		if err := e.Verify(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
		if err := e.Restore(sound); err != nil {
			t.Fatal(err)
		}
		if err := e.Verify(); err != nil {
			t.Fatal(err)
		}
	}
}
