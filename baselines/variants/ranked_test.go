package variants

import (
	"strings"
	"testing"

	"tarry/sim/simtest"
)

// all has a weight for every term.
const all = "features=rank:1+spread:0.5+gpus:0.3+attained:-0.2+age:-0.3+wait:-0.4" +
	"+running:-0.5+preempted:-0.2+exposed:0.7+slowed:-0.6+level:0.3" +
	"+pressure_rank:0.4+pressure_gpus:-0.3+pressure_attained:0.2+rank2:0.1+gpus2:-0.1+attained2:0.15+age2:-0.05+wait2:0.07"

// Every variant keeps the kernel's rules on random small workloads.
func TestRankedConformance(t *testing.T) {
	for name, text := range map[string]string{
		"rank":              "lease=6",
		"rank, evictions":   "lease=6,preempt=false,median_s=20,spread=1,min_run=0",
		"all terms":         "lease=6," + all,
		"margin":            "lease=6,margin=0.5,min_run=0.3,every=0.5," + all,
		"no evictions":      "lease=6,margin=inf,t_rack=2," + all,
		"least service":     "lease=6,features=attained:1+gpus:1",
		"arrival":           "lease=6,features=rank:0,ties=submit",
		"oldest first":      "lease=6,features=age:-1,t_rack=1.5,t_net=inf",
		"without timers":    "lease=6,features=wait:-1+running:-1,t_rack=0,t_net=0",
		"the time left":     "lease=6,preempt=false,min_run=0,features=left:1+request:0.5+pressure_left:0.2+request2:0.1",
		"a network's layer": "lease=6,weights=testdata/hidden.txt",
	} {
		t.Run(name, func(t *testing.T) {
			o := simtest.Options{Seeds: 24, Without: simtest.Costs}
			simtest.Policy(t, build(t, makeRanked, text), o)
			o.Without = 0
			simtest.Policy(t, build(t, makeRanked, strings.ReplaceAll(text, "lease=6", "lease=60")), o)
		})
	}
}
