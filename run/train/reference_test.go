package train

import (
	"tarry/catalogue/shipped"

	"math"
	"testing"
)

// What imitates Dally is compared with Dally, and no baseline is asked where no scheduler acts. The
// return equals that under Dally's own timers.
func TestReference(t *testing.T) {
	const small = "tarry/DelayTimer-v0:workload=poisson,load=1,cluster=ethernet:2x4x8,speed=collective,windows=20," +
		"horizon=24,warm=6"
	means := map[string]float64{}
	for _, c := range []struct{ env, imitate, want string }{
		{small, "", "dally"}, {small, "dally", "dally"}, {small, "dally-nowait", "dally-nowait"},
		{"classic/CartPole-v1", "", ""},
	} {
		cfg, err := Resolve(shipped.All(), c.env, "ppo", 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Imitate = c.imitate
		name, mean, err := cfg.Reference()
		if err != nil || name != c.want {
			t.Fatalf("%s imitating %q: %q, %v; want %q", c.env, c.imitate, name, err, c.want)
		}
		if again, m, _ := cfg.Reference(); again != name || m != mean {
			t.Error("asked again it is another one")
		}
		if name != "" && (math.IsNaN(mean) || mean >= 0) {
			t.Errorf("%s has a return of %v, expected one below 0: jobs take time", name, mean)
		}
		means[c.imitate] = mean
	}
	if means["dally"] == means["dally-nowait"] {
		t.Errorf("timers and no timers both return %v", means["dally"])
	}
}
