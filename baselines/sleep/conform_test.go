package sleep

import (
	"fmt"
	"strings"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// hosts parses the hosts of these tests.
func hosts(spec string, rule cluster.Rule) (sim.Policy, error) {
	name, text, _ := strings.Cut(spec, ":")
	of := map[string]func(*param.Set, cluster.Rule) (sim.Policy, error){"fifo": queueing.NewFIFO,
		"fifo-fit": queueing.NewFitFirst, "las": queueing.NewLAS, "qssf": queueing.NewQSSF, "sjf": queueing.NewSJF}[name]
	if of == nil {
		return nil, fmt.Errorf("policy %q: unknown", name)
	}
	return of(param.Parse("policy "+name, text), rule)
}

// makeOver is the maker of qssf-ces over these hosts.
func makeOver(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	return New(hosts, "qssf", ByForecast)(s, rule)
}

// policy gives policies with some settings or fails the test.
func policy(t testing.TB, text string) func() sim.Policy {
	t.Helper()
	return simtest.Build(t, "qssf-ces", makeOver, text)
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 60, Laws: simtest.NullJob}
	simtest.Conform(t, "qssf-ces", makeOver, o.Settings(
		"", "rule=timer,idle_s=1", "rule=timer,idle_s=0,host=fifo-fit,buffer=1,boots=one,first=sleep",
		"forecast=day,site=philly,tick_s=2,buffer=0", "tick_s=1,buffer=0,host=\"sjf:place=consolidate\"",
		"forecast=last,fut_threshold=0,tick_s=1,buffer=1,keep=0,history=1,host=fifo",
		"rule=break-even,idle_s=2,host=\"qssf:vc=true\"", "rule=timer,idle_s=1,host=\"las:quantum_s=4\",patience_s=3",
	))
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{"buffer=some": "buffer", "buffer=-1": "buffer", "host=lsa": "lsa",
		"forecast=oracle": "forecast", "tick_s=0": "tick_s", "site=pluto": "site", "tick_s=7200": "future is 18",
		"host=\"fifo:block=true\"": "block", "rule=never": "rule", "order=fifo": "order", "boot_s=3": "boot_s"} {
		_, err := makeOver(param.Parse("policy qssf-ces", text), cluster.BestFit)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", text, err, want)
		}
	}
}
