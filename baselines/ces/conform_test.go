package ces

import (
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// make is the catalogue's.
func makeOver(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return Over(Order{"qssf", queueing.NewQSSF}, Order{"fifo", queueing.NewFIFO},
		Order{"fifo-fit", queueing.NewFitFirst}, Order{"sjf", queueing.NewSJF})(s, rule)
}

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "qssf-ces", makeOver, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 100, Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "qssf-ces", makeOver, o.Settings(
		"", "forecast=none,idle_s=1,boot_s=2", "forecast=none,idle_s=0,boot_s=0,order=fifo-fit,buffer=1",
		"forecast=day,site=philly,tick_s=2,boot_s=3,buffer=0",
		"tick_s=1,boot_s=0,buffer=0,order=sjf,place=consolidate",
		"forecast=last,fut_threshold=0,tick_s=1,buffer=1,keep=0,history=1,boot_s=5,order=fifo",
		"forecast=perfect-off", "vc=true,forecast=none,idle_s=1,boot_s=2",
	))
}

func TestFaults(t *testing.T) {
	for _, text := range []string{"buffer=some", "buffer=-1", "order=las", "forecast=oracle", "tick_s=0", "site=pluto",
		"tick_s=7200", "order=fifo,block=true", "boot_s=-1"} {
		if _, err := makeOver(param.Parse("policy qssf-ces", text), cluster.BestFit); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
