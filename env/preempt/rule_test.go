package preempt

import (
	"slices"
	"testing"

	"tarry/baselines/contest"
	"tarry/baselines/dally"
	"tarry/env/schedtest"
)

// An agent that always follows a preemptive order, asked at every instant and shown every job, is
// the rule evict=later of Dally's own policy, if that lets jobs choose in the same order: record
// for record, with leases and without, with and without checkpoints.
func TestFollowingIsTheRule(t *testing.T) {
	for baseline, order := range map[string]contest.Order{"srtf": contest.ShortestTime(),
		"srsf": contest.ShortestService(), "las": contest.LeastService()} {
		for _, text := range []string{"load=1.1", "load=1.1,checkpoint_s=20,restore_s=10",
			"load=1.1,checkpoint_s=20,leases=true", "load=0.8,min_run=2"} {
			c := config(t, "cluster=2x2x4,warm=0,horizon=60,candidates=16,victims=16,"+text)
			c.Every = 1
			c.Dally.Order = order
			rule := c.Dally
			rule.Evict, rule.MinRun = true, float64(c.MinRun)/float64(c.Lease())
			want := schedtest.Records(t, &c.Config, 1, dally.NewPolicy(rule, nil))
			got, evictions := follow(t, c, baseline)
			if !slices.Equal(got, want) || evictions < 5 {
				t.Errorf("%s, %s: %d evictions, records equal: %v; expected the records of the rule", baseline, text,
					evictions, slices.Equal(got, want))
			}
		}
	}
}
