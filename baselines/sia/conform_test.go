package sia

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

func policy(t testing.TB, params string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "sia", New, params)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 40}
	simtest.Conform(t, "sia", New, o.Settings(
		"", "interval_s=1,grow=free", "interval_s=7,share_max=false,most=2", "power=0.5,lambda=-1.1,kind=scale",
		"kind=rigid,digits=5,interval_s=3",
	))
}

func TestElastic(t *testing.T) {
	for _, c := range []struct{ params, tripled string }{
		{"interval_s=3,restart_s=2", "interval_s=9,restart_s=6"},
		{"interval_s=1,restart_s=5,grow=free", "interval_s=3,restart_s=15,grow=free"},
	} {
		n := simtest.CheckElastic(t, policy(t, c.params), simtest.ElasticLaws{Seeds: 60, IDs: true, Times: true,
			Scaled: func(int64) sim.Policy { return policy(t, c.tripled)() }})
		if n == 0 {
			t.Errorf("%s: no job was resized", c.params)
		}
	}
}

func TestSettings(t *testing.T) {
	for params, want := range map[string]string{
		"lambda=-1.1": "policy sia: lambda is -1.1, expected a number beyond 1 with the sign that the power " +
			"-0.5 has not",
		"restart_s=none": `policy sia: restart_s is "none", expected a number in 0..1e+06 or auto`,
		"interval_s=0":   `policy sia: interval_s is "0", expected a number in 0.001..1e+06`,
	} {
		_, err := New(param.Parse("policy sia", params), cluster.BestFit)
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, expected %s", params, err, want)
		}
	}
}
