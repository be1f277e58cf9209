package gavel

import (
	"context"
	"testing"

	"tarry/baselines/gavel/gaveltest"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// BenchmarkGavel is a run of 2 000 jobs on 108 GPUs, by objective.
func BenchmarkGavel(b *testing.B) {
	for _, name := range []string{"isolated", "fifo_perf", "max_min_fairness_perf", "max_min_fairness",
		"finish_time_fairness_perf"} {
		b.Run(name, func(b *testing.B) {
			cfg := gaveltest.Scene(b, "genhi_2000", 36, 36, 36)
			b.ReportAllocs()
			for b.Loop() {
				p, err := New(param.Parse("policy gavel", "perf=false,policy="+name), cluster.BestFit)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := sim.Run(context.Background(), cfg, p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
