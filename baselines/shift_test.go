package baselines_test

import (
	"context"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/power"
	"tarry/sim/series"
)

// waits is an observer of first starts and of jobs that are done.
type waits struct {
	first sim.Time
	done  int
}

func (o *waits) Interval(*sim.Interval) {}
func (o *waits) Instant(*sim.Gauge)     {}
func (o *waits) Job(r *sim.Record) {
	if o.first = min(o.first, r.Start); r.State == sim.Done {
		o.done++
	}
}

// Over any policy of the catalogue shift holds the jobs of a batch back until the cheapest hour within
// their slack, and as many are done as without it.
func TestShiftOverAnyPolicy(t *testing.T) {
	for _, base := range bases() {
		// over each other none stands, and caps stand over what moves starts
		if slices.Contains([]string{"shift", "cassini", "powercap", "cd-gpc-like", "reclaim-aware", "mixture"}, base) {
			continue
		}
		t.Run(base, func(t *testing.T) {
			cfg := batchOf(t, 1)
			cfg.Power = &power.Model{Specs: make([]power.Spec, 1), Of: make([]int32, cfg.Topology.Machines()),
				Price: &series.Series{Steps: []series.Step{{At: 0, Value: 3}, {At: 2 * 3600e6, Value: 2},
					{At: 3 * 3600e6, Value: 4}, {At: 5 * 3600e6, Value: 1}}}}
			var was, is waits
			run := func(spec string, o *waits) {
				o.first = sim.Never
				p := freshly(t, spec, cluster.BestFit)(nil)
				if _, err := sim.Run(context.Background(), cfg, p, o); err != nil {
					t.Fatalf("%s: %v", spec, err)
				}
			}
			run(base, &was)
			run("shift:rule=slot,slack_h=4,host="+param.Quote(base), &is)
			if is.done != was.done || is.first < 2*3600e6 {
				t.Errorf("%d jobs are done, the first started at %v; without shift %d, at %v", is.done, is.first, was.done,
					was.first)
			}
		})
	}
}
