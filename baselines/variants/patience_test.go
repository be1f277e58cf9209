package variants

import (
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
	"tarry/sim/simtest/hand"
)

// The least run follows the lull and the doubt, by hand. Eight GPUs that nothing slows have four jobs
// of one GPU, whose ends at 30, 60, 90 and 120 s are the instants at which evictions are looked for,
// and one of four GPUs; another of four waits, with less service. A lease is 100 s, min_run 20 s.
func TestLeastRunFollowsGates(t *testing.T) {
	const sooner, early, late, never = "10s preempt job 4", "30s preempt job 4", "60s preempt job 4", ""
	// All come at once, lull 1, or the last after 10 s: the lull, which is read every quarter of a lease, is
	// then 1 before 25 s, 0 at 30 s, 1/8 at 60.
	list := func(last sim.Time) (jobs []sim.Job) {
		for k := range sim.Time(4) {
			jobs = append(jobs, sim.Job{GPUs: 1, Work: 30 * (k + 1) * s})
		}
		return append(jobs, sim.Job{GPUs: 4, Work: 4 * 400 * s}, sim.Job{GPUs: 4, Work: 4 * 400 * s, Submit: last * s})
	}
	cfg := sim.Config{Topology: hand.Topology(t, 1, 1, 8, 1), Speed: simtest.Counting{}}
	for _, c := range []struct {
		last       sim.Time
		text, want string
	}{
		{0, "", early},
		{0, ",lull_min_run=1", late},   // 54 s
		{0, ",lull_min_run=2", never},  // 148 s
		{0, ",doubt_min_run=2", early}, // the doubt is 0 in a lull
		{10, "", early},
		{10, ",lull_min_run=2", early},
		{10, ",doubt_min_run=1", late},                     // 54 s at 30, 48 s at 60
		{10, ",doubt_min_run=1,spread=0.5", early},         // run times are sure
		{10, ",doubt_min_run=1.5", never},                  // 90 s at 30, 74 s at 60
		{10, ",doubt_min_run=1.5,lull_min_run=-3", sooner}, // 1 s before 25
	} {
		cfg.Workload = hand.Numbered(t, list(c.last)...)
		got := ""
		for line := range strings.Lines(play(t, cfg, makeRanked,
			"features=gpus:1+attained:1,preempt=false,lease=100,min_run=0.2,t_rack=0,t_net=0"+c.text)) {
			if at, _, ok := strings.Cut(line, " preempt job 4"); ok && (at == "10s" || at == "30s" || at == "60s") {
				got = strings.TrimSpace(line)
				break
			}
		}
		if got != c.want {
			t.Errorf("%d s%s: %q, expected %q", c.last, c.text, got, c.want)
		}
	}
}
