package offer

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/dally"
	"tarry/env/schedenv"
	"tarry/env/schedtest"
)

// Who follows one of Dally's limits is that limit; and with timers in between takes some offers.
func TestFollowing(t *testing.T) {
	c := config(t, "cluster=4x4x4,warm=0,horizon=120")
	for baseline, leases := range map[string]float64{"dally-nowait": 0, "dally-consolidated": math.Inf(1),
		"dally:min_rack=0,min_net=0": -1, "dally-manual:t_rack=1,t_net=2": -1} {
		e, err := New(c, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Follow(baseline); err != nil {
			t.Fatal(err)
		}
		taken, asked := 0.0, 0.0
		_, err = schedenv.Play(e, 1, "window=1", func(_ []float64, _ []bool, action []float64) {
			if err := e.Demonstrate(action); err != nil {
				t.Fatal(err)
			}
			taken += action[0]
			asked++
		})
		if err != nil {
			t.Fatal(err)
		}
		if leases < 0 {
			if taken == 0 || taken == asked {
				t.Errorf("%s takes %v of %v offers, want some", baseline, taken, asked)
			}
			continue
		}
		manual := c.Dally
		manual.Auto, manual.RackLeases, manual.NetLeases = false, leases, leases
		if !slices.Equal(read(e.Engine(), len(e.Workload())), schedtest.Records(t, &c.Config, 1,
			dally.NewPolicy(manual, nil))) {
			t.Errorf("%s: the records differ from the baseline's", baseline)
		}
	}
	e, err := New(c, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Follow("srtf"); err == nil || !strings.Contains(err.Error(),
		"expected one of delay, dally, dally-manual, dally-nowait, dally-consolidated") {
		t.Errorf("srtf gives %v", err)
	}
}
