package shockwave

import (
	"context"
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// A job of 10 epochs with sizes 4 (1 s) and 8 (3 s). At first one epoch of size 4 is seen: the
// posterior has 6 of 11 and 5 of 11, of 10 epochs 5.4545 and 4.5455; one of size 4 is taken off:
// 4.4545 x 1 + 4.5455 x 3 s, scaled by 10 epochs left over 10.
func TestRemaining(t *testing.T) {
	m := &member{epochs: 10, scale: 1, first: []int64{0}, batch: []int32{4}}
	m.learn(8, 3)
	m.learn(4, 1)
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("at first", m.remainingS(), (60./11-1)+150./11)
	// After 4 epochs, the last two of size 8, and one of that size begun: seen are 2 and 3 of 5.
	m.first, m.batch, m.progress = []int64{0, 2}, []int32{4, 8}, 4
	near("later", m.remainingS(), ((70./15-2)*1+(80./15-3)*3)*6/6)
	near("elapsed", m.elapsedS(), 2+2*3)
	near("mean", m.meanS(), (2+9)/5.)
	m.progress = 10
	near("done", m.remainingS(), 1)
	// 11 s are enough for 2 epochs of 1 s and 3 of 3 s; that 3 were measured is within 40 %, that
	// 2.5 were is not.
	m.progress, m.measured = 2, measured{epochs: 3, rangeS: 11}
	m.calibrate()
	near("within", m.scale, 1)
	m.measured.epochs = 2.5
	m.calibrate()
	near("scale", m.scale, 2)
}

func TestTargets(t *testing.T) {
	var s series
	s.add(0, 100)
	if got := s.value(0, 0.9); got != 100 {
		t.Errorf("%v", got)
	}
	s.add(3, 200)
	// In round 5 the mean is (3 x 100 + 2 x 200) / 5.
	if got, want := s.value(5, 0.9), 0.9*140+0.1*200; math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
}

// Four jobs of one GPU on two, one of them much longer than the others: it is in every round, so
// that the makespan is its own time, which fair shares miss.
func TestLongJobFirst(t *testing.T) {
	var jobs []sim.Job
	for i, s := range []int{600, 200, 200, 200} {
		jobs = append(jobs, sim.Job{ID: string(rune('a' + i)), GPUs: 1, Work: sim.Time(s) * sim.Second})
	}
	w, err := sim.NewWorkload("four", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 1, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	for spec, want := range map[string]float64{"round_s=10,k=10,rhomax=1000": 600,
		"policy=gandiva-fair,round_s=10": 800} {
		e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
			Check: true}, policy(t, spec)())
		if err != nil {
			t.Fatal(err)
		}
		last := 0.0
		for i := range jobs {
			last = max(last, e.Record(sim.JobID(i)).End.Seconds())
		}
		if math.Abs(last-want) > 20 {
			t.Errorf("%s: makespan %v s, want about %v", spec, last, want)
		}
	}
}
