package sim

import (
	"strings"
	"tarry/sim/power"
	"testing"
)

// Verify names each invariant that is broken: the state of a sound run is damaged in one place at a
// time. At 5 s job 0 runs on GPUs 0 and 1, job 1 waits, job 2 writes its checkpoint on GPU 2, job 3
// is done, job 4 has not arrived; GPU 3 is down, GPU 4 free.
func TestVerifyNamesWhatIsBroken(t *testing.T) {
	one := func(submit, work Time) Job {
		return Job{GPUs: 1, Work: work * Second, Submit: submit * Second, CPUMilli: 100}
	}
	w := jobs(t, Job{GPUs: 2, Work: 40 * Second, CPUMilli: 100}, one(0, 9), one(0, 9), one(0, 2), one(9, 1))
	cfg := Config{Workload: w, Topology: topology(t, 1, 1, 5, 1), Speed: counting{},
		Costs:   Costs{Checkpoint: Cost{FixedS: 20}},
		Outages: Schedule{{At: 4 * Second, Machine: 0, GPU: 3}}.Source()}
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	p := play{plan: map[Time][]Decision{0: {begin(0, 0, 1), begin(2, 2), begin(3, 4)},
		Second: {{Kind: Preempt, Job: 2}}, 5 * Second: nil}}
	for e.Now() < 5*Second {
		v, ok, err := e.Next()
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		if err := e.Apply(p.Decide(v, nil)); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Verify(); err != nil {
		t.Fatalf("the run is sound, and Verify says %v", err)
	}
	sound := e.Snapshot()
	for _, c := range []struct {
		name, want string
		damage     func()
	}{
		{"a busy GPU too many", "I1: 4 busy + 1 free + 1 down = 6 GPUs", func() { e.busy++ }},
		{"a GPU lost", "I1: 3 busy + 1 free + 0 down", func() { e.downGPUs-- }},
		{"an event now", "I3: an event at 5s is not after the clock at 5s",
			func() { e.events.put(e.at[0], e.now, Finish) }},
		{"a share not given", "I2: GPU 0 has 1000 thousandths by job, 900 by GPU", func() { e.used[0] = 900 }},
		{"a GPU given twice", "I2: GPU 0 has 1000 thousandths in use, down 0, free true",
			func() { e.free.Release(0); e.free.Take(4) }},
		{"a GPU that is down, free", "I2: GPU 3 has 0 thousandths in use, down 1, free true",
			func() { e.free.Release(3); e.free.Take(4) }},
		{"CPU not given", "I2: machine 0 has 300 thousandths of CPU", func() { e.cpuUsed[0]++ }},
		{"memory not given", "I2: machine 0 has 300 thousandths of CPU", func() { e.memUsed[0]++ }},
		{"GPUs of a job that waits", `I2: job "1" is waiting and holds 1 GPUs`, func() { e.of(1).gpus = on(4) }},
		{"no GPUs of a job that runs", `I2: job "0" is running and holds 0 GPUs`, func() { e.of(0).gpus = nil }},
		{"a job that waits twice", "I4: states [1 1 1 1 1 0 0] do not add up: 2 waiting", func() { e.waiting++ }},
		{"a checkpoint of nobody", "I4: states", func() { e.draining-- }},
		{"a job in the system too many", "I4: states", func() { e.inSystem++ }},
		{"an arrival that was not", "I4: states", func() { e.next++ }},
		{"a running job that is not listed", `I4: job "0" runs but is not listed`, func() { e.running[0] = 1 }},
		{"a grant before the arrival", `I5: job "0" started at 0s, submitted at 0s`, func() { e.of(0).since = -1 }},
		{"a start before the arrival", `I5: job "0" started at -1e-06s`, func() { e.of(0).start = -1 }},
		{"more work than was asked", `I6: job "0" has -1 of 40s left`, func() { e.of(0).left = -1 }},
		{"more work than there is", `I6: job "0" has 4.1e+07 of 40s left`,
			func() { e.of(0).left, e.of(0).saved = 41e6, 41e6 }},
		{"a checkpoint of the future", `I6: job "0" has 4e+07 of 40s left, 1 saved`, func() { e.of(0).saved = 1 }},
		{"a checkpoint after all running", `I8: job "0" ran 0s, of that 1e-06s until`, func() { e.of(0).savedRun = 1 }},
		{"more lost than run", `I8: job "0" ran 0s, of that 0s until the last checkpoint and 1e-06s lost`,
			func() { e.of(0).lostRun = 1 }},
		{"a kill where preemptions save", `I17: job "0" is running and lost 1e-06s of its running time, 1e-06s of that`,
			func() { e.of(0).lostRun, e.of(0).killedRun = 1, 1 }},
		{"more killed than lost", `I17: job "0" is running and lost 0s of its running time, 1e-06s of that by kills`,
			func() { e.of(0).killedRun = 1 }},
		{"a job on a machine that is off", `I18: machine 0 is off, and GPU 0 of it has 1000 thousandths in use, down 0`,
			func() {
				e.machines.states, e.machines.at = make([]power.State, 99), make([]Time, 99)
				e.machines.states[0], e.machines.off = power.Off, 1
			}},
		{"time in no state", `I8: job "3" was 2s in the system, queue 1e-06s + run 2s + overhead 0s`,
			func() { e.past[3].Queue++ }},
	} {
		c.damage()
		if err := e.Verify(); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", c.name, err, c.want)
		}
		if err := e.Restore(sound); err != nil {
			t.Fatal(err)
		}
		if err := e.Verify(); err != nil {
			t.Fatalf("%s: restored, and still %v", c.name, err)
		}
	}
	e.cfg.Costs.Kill = true // then job 2 should not write a checkpoint
	if err := e.Verify(); err == nil || !strings.HasPrefix(err.Error(), `I17: job "2" is draining`) {
		t.Errorf("killed, and holds its GPUs on: %v", err)
	}
}
