package powercap

import (
	"fmt"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
	"tarry/sim/series"
	"tarry/sim/speed"
)

// hand runs jobs of so many GPUs, each for 100 s from 0, 1, 2, .. s on, on two machines of 4 GPUs that
// draw nothing idle and 8 c^3 W per GPU, with clocks 0.5 and 1, and gives the intervals of jobs.
func hand(t *testing.T, text string, capW []series.Step, gpus ...int32) string {
	t.Helper()
	top, err := cluster.New(cluster.Uniform(1, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	var jobs []sim.Job
	for i, n := range gpus {
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), GPUs: n, Submit: sim.Time(i) * sim.Second,
			Work: sim.Time(n) * 100 * sim.Second})
	}
	w, err := sim.NewWorkload("hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	m := &power.Model{Specs: []power.Spec{{CubicW: 8}}, Of: []int32{0, 0}, Cap: &series.Series{Steps: capW}}
	cfg := sim.Config{Workload: w, Topology: top, Power: m, Check: true, Speed: speed.NewCounting(top, nil)}
	seen, done := play(t, cfg, build(t, "powercap", "clocks=2,"+text), nil)
	if done != len(jobs) {
		t.Errorf("%s: %d of %d jobs ended", text, done, len(jobs))
	}
	return strings.Join(seen.ends, "; ")
}

func TestRulesByHand(t *testing.T) {
	half := []series.Step{{Value: 36}} // 4 GPUs at full clock, and 4 at half
	five := []series.Step{{Value: 40}} // 5 GPUs at full clock
	for _, c := range []struct {
		text string
		cap  []series.Step
		gpus []int32
		want string
	}{
		// two jobs of 4: both at half, or one of them
		{"rule=uniform", half, []int32{4, 4}, "0[0 1 2 3]0s-1s 1; 0[0 1 2 3]1s-199s 0.5; 1[4 5 6 7]1s-199s 0.5; " +
			"1[4 5 6 7]199s-200s 1"},
		{"rule=newest", half, []int32{4, 4}, "0[0 1 2 3]0s-100s 1; 1[4 5 6 7]1s-100s 0.5; 1[4 5 6 7]100s-150.5s 1"},
		{"rule=longest", half, []int32{4, 4}, "0[0 1 2 3]0s-1s 1; 1[4 5 6 7]1s-101s 1; 0[0 1 2 3]1s-101s 0.5; " +
			"0[0 1 2 3]101s-150s 1"},
		{"rule=wait", half, []int32{4, 4}, "0[0 1 2 3]0s-100s 1; 1[0 1 2 3]100s-200s 1"},
		// the head waits, and holds the single one back unless it may pass
		{"rule=wait,host=fifo-fit", five, []int32{4, 2, 1}, "0[0 1 2 3]0s-100s 1; 1[0 1]100s-200s 1; 2[2]100s-200s 1"},
		{"rule=wait,host=fifo-fit,pass=true", five, []int32{4, 2, 1},
			"0[0 1 2 3]0s-100s 1; 2[6]2s-102s 1; 1[4 5]100s-200s 1"},
		// the cap falls below both at half: the newest is preempted, and comes back when it rises
		{"rule=uniform", []series.Step{{Value: 64}, {At: 50e6, Value: 6}, {At: 60e6, Value: 64}}, []int32{4, 4},
			"0[0 1 2 3]0s-50s 1; 1[4 5 6 7]1s-50s 1; 0[0 1 2 3]50s-60s 0.5; 0[0 1 2 3]60s-105s 1; 1[4 5 6 7]60s-111s 1"},
	} {
		if got := hand(t, c.text, c.cap, c.gpus...); got != c.want {
			t.Errorf("%s, %v: %s, expected %s", c.text, c.gpus, got, c.want)
		}
	}
}
