package hours

import (
	"fmt"
	"strings"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// hosts parses the hosts of these tests.
func hosts(spec string, rule cluster.Rule) (sim.Policy, error) {
	name, text, _ := strings.Cut(spec, ":")
	of := map[string]func(*param.Set, cluster.Rule) (sim.Policy, error){"fifo": queueing.NewFIFO,
		"fifo-fit": queueing.NewFitFirst, "las": queueing.NewLAS, "srtf": queueing.NewSRTF}[name]
	if of == nil {
		return nil, fmt.Errorf("policy %q: unknown", name)
	}
	return of(param.Parse("policy", text), rule)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 60, Laws: simtest.PermuteIDs}
	simtest.Conform(t, "ce-dla-like", New, o.Settings("", "slot_s=7,horizon_h=0.02,slack_h=0.01",
		"slot_s=5,horizon_h=0.01,slack_h=0.003,preempt=true", "sleep=false,states=0,passes=0"))
	o.Laws |= simtest.NullJob
	simtest.Conform(t, "shift", NewShift(hosts), o.Settings("", "host=las,rule=slot", "host=srtf,rule=window,by=carbon"))
}

func TestSettings(t *testing.T) {
	for _, text := range []string{"slack_h=-1", "slot_s=0", "by=time", "horizon_h=24,slot_s=10", "passes=-1",
		"states=-1"} {
		if _, err := New(param.Parse("policy ce-dla-like", text), cluster.BestFit); err == nil {
			t.Errorf("ce-dla-like: %q is taken", text)
		}
	}
	for _, text := range []string{"slack_h=-1", "slot_s=0", "by=time", "host=none", "quantile=1.5",
		"rule=slot,quantile=0.5", "rule=window,horizon_h=3"} {
		if _, err := NewShift(hosts)(param.Parse("policy shift", text), cluster.BestFit); err == nil {
			t.Errorf("shift: %q is taken", text)
		}
	}
	for text, want := range map[string]know.Set{"": know.Series, "rule=window": know.Series | know.Estimate,
		"host=srtf": know.Series | know.Work} {
		if got := simtest.Build(t, "shift", NewShift(hosts), text)().Knows(); got != want {
			t.Errorf("shift %q knows %v, expected %v", text, got, want)
		}
	}
}
