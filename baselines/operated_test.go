package baselines_test

import (
	"fmt"
	"strings"
	"testing"

	"tarry/catalogue/operators"
	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/series"
	"tarry/sim/service"
	"tarry/sim/simtest"
)

// lenders are operators under which every machine is lent in the end.
func lenders() []string {
	return []string{"loans:list=0:1/2:3/5:0/9:2/11:1/20:99,notice_s=3,reclaim=cost",
		"least:lend=all,least=0,ahead_s=2,notice_s=3,down_s=0.5,reclaim=best",
		"lifecycle:lend=all,least=0,protect_s=1,reuse_s=0.5,most_s=2,reclaim=random",
		"loans:list=0:9/4:0/17:99,reclaim=idle", "deepboot:least=0,protect_s=1,reuse_s=0.5,sleep_s=2"}
}

// lent gives a case services on every second machine, and an operator that lends these.
func lent(t *testing.T, cfg *sim.Config, seed uint64) {
	load := &series.Series{Steps: []series.Step{{Value: 3}, {At: 3e6, Value: 12}, {At: 6e6 + 1, Value: 1},
		{At: 13e6, Value: 14}, {At: 30e6}}}
	own := make([]bool, cfg.Topology.Machines())
	for m := range own {
		own[m] = m%2 == 1 || len(own) == 1
	}
	cfg.Services = &service.Model{Own: own, Latency: service.MMC, Services: []service.Spec{
		{Name: "web", Replicas: 5, RatePerS: 4, DeadlineS: 1, Target: 0.9, StartS: 0.75, Load: load}}}
	var err error
	if cfg.Operator, err = operators.All().Parse(lenders()[seed%uint64(len(lenders()))]); err != nil {
		t.Fatal(err)
	}
}

// Every scheduler of the catalogue on a cluster that lends: what the conformance suite wants.
func TestTortureLent(t *testing.T) {
	specs := append(variants(), "dally:t_rack=2,t_net=5,lease=20")
	for _, e := range everything() {
		specs = append(specs, e.Name)
	}
	simtest.Torture(t, effort.Of(t, 4, 24), func(seed uint64) error {
		for _, spec := range specs {
			_, build, err := everything().Parse(spec, cluster.BestFit)
			if err != nil {
				t.Fatal(err)
			}
			name, _, _ := strings.Cut(spec, ":")
			o := options(name)
			o.Serve = func(cfg *sim.Config, seed uint64) { lent(t, cfg, seed) }
			err = simtest.Try(func() sim.Policy {
				p, err := build()
				if err != nil {
					t.Fatal(err)
				}
				return p
			}, seed, o)
			if err != nil {
				return fmt.Errorf("%s: %w", spec, err)
			}
		}
		return nil
	})
}
