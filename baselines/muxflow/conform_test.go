package muxflow

import (
	"testing"

	"tarry/sim"
	"tarry/sim/series"
	"tarry/sim/service"
	"tarry/sim/simtest"
)

// Every case has services, beside which jobs go.
func TestConformance(t *testing.T) {
	o := simtest.Options{Serve: serve}
	simtest.Conform(t, "muxflow", New, o.Settings("", "match=greedy,share=0.3", "match=first,cooldown_s=0"))
}

// serve gives every case two services whose loads change, and an operator that keeps two replicas of
// each until half a minute has passed.
func serve(cfg *sim.Config, seed uint64) {
	day := func(k float64) *series.Series {
		return &series.Series{Steps: []series.Step{{Value: k}, {At: 2e6, Value: 3.5 * k}, {At: 4e6, Value: 2 * k},
			{At: 8e6, Value: 4.1 * k}, {At: 11e6, Value: 0}, {At: 15e6, Value: 3 * k}, {At: 30e6}}}
	}
	cfg.Services = &service.Model{Latency: service.Latency(seed % 2), Services: []service.Spec{
		{Name: "web", Replicas: 2, RatePerS: 4, DeadlineS: 1, Target: 0.9, Load: day(2)},
		{Name: "chat", Replicas: 2, RatePerS: 2, UtilFrac: 0.5, GPUMiB: 30, Load: day(1)}}}
	cfg.Operator = keeper{}
}
