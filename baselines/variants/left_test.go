package variants

import (
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/simtest/hand"
)

// What a law without spread leaves is its rank, and a request of the true run time is a second
// such law; where nothing is asked for the law stands in.
func TestTimeLeftIsTheRankWithoutSpread(t *testing.T) {
	for seed := range uint64(4) {
		cfg := hours(t, seed, 300)
		run := func(text string) []sim.Record {
			return hand.Records(t, cfg, build(t, makeRanked, "preempt=false,"+text)())
		}
		want := run("exact=true,features=rank:1")
		if !slices.Equal(run("exact=true,features=left:1"), want) {
			t.Errorf("seed %d: exact time left is not the exact rank", seed)
		}
		if !slices.Equal(run("exact=true,features=request:1"), want) {
			t.Errorf("seed %d: without requests the law does not stand in", seed)
		}
		const law = "median_s=1800,spread=1.5,"
		if left := run(law + "features=left:1"); slices.Equal(left, run(law+"features=rank:1")) ||
			!slices.Equal(left, run(law+"features=request:1")) {
			t.Errorf("seed %d: with spread the time left is the rank, or the law does not stand in", seed)
		}
		for i := range cfg.Workload.Jobs {
			j := &cfg.Workload.Jobs[i]
			j.Request = j.RunTime()
		}
		if !slices.Equal(run(law+"features=request:1"), want) {
			t.Errorf("seed %d: requests of the true run times are not the exact rank", seed)
		}
	}
}
