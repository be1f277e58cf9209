package operate

import (
	"fmt"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/entry"
	"tarry/sim/param"
	"tarry/sim/series"
	"tarry/sim/service"
	"tarry/sim/simtest"
)

// makers are the operators by name.
func makers() entry.Operators {
	var all entry.Operators
	for name, make := range map[string]func(*param.Set) (sim.Operator, error){"none": NewNone, "fixed": NewFixed,
		"least": NewLeast, "lifecycle": NewLifecycle, "deepboot": NewDeepBoot, "loans": NewLoans, "learned": NewLearned} {
		all = append(all, entry.Operator{Name: name, New: make})
	}
	return all
}

// operator gives one or fails the test.
func operator(t testing.TB, spec string) sim.Operator {
	t.Helper()
	o, err := makers().Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// served gives a case services of three kinds with loads that end after half a minute; every second
// case has machines of the services, every third one stated memory.
func served(t testing.TB, cfg *sim.Config, seed uint64, spec string) {
	day := func(k float64) *series.Series {
		return &series.Series{Steps: []series.Step{{Value: 3 * k}, {At: 2e6, Value: 9 * k}, {At: 5e6 + 1, Value: 0.5 * k},
			{At: 12e6, Value: 7 * k}, {At: 13e6, Value: 14 * k}, {At: 30e6}}}
	}
	m := &service.Model{Latency: service.Latency(seed / 2 % 2), Services: []service.Spec{
		{Name: "web", Replicas: 3, RatePerS: 4, DeadlineS: 1, Target: 0.9, StartS: 0.75, Load: day(1)},
		{Name: "chat", Replicas: 4, RatePerS: 2, ShareMilli: 400, GPUMiB: 100, CPUMilli: 100, MemMiB: 64, Load: day(0.5)},
		{Name: "wide", GPUs: 3, Replicas: 2, RatePerS: 5, StartS: 0.25, Load: day(0.3)},
	}}
	if n := cfg.Topology.Machines(); seed%2 == 0 || spec[:3] == "loa" {
		m.Own = make([]bool, n)
		for k := range m.Own {
			m.Own[k] = k%2 == int(seed/2)%2 || n == 1
		}
	}
	if cfg.Topology.GPUs() < 3 {
		m.Services = m.Services[:2]
	}
	cfg.Services, cfg.Operator = m, operator(t, spec)
}

// specs are settings under which every machine is lent in the end.
func specs() []string {
	return []string{"none:lend=all", "least:lend=all,least=0,down_s=0", "least:lend=all,least=0,down_s=1,reclaim=best," +
		"place=spread,headroom=2", "least:lend=all,least=0,ahead_s=2,notice_s=3,down_s=0.5", "lifecycle:lend=all,least=0," +
		"protect_s=1,reuse_s=0.5,most_s=2",
		"deepboot:least=0,protect_s=1,sleep_s=2", "deepboot:least=0,headroom=2",
		"learned:lend=all,every_s=1,least=0", "learned:lend=all,every_s=3,least=0,rule=lifecycle,place=spread," +
			"reclaim=count",
		"learned:lend=all,every_s=1,least=0,rule=coming",
		"lifecycle:lend=all,least=0,reclaim=idle,protect_s=0.5", "least:lend=all," +
			"least=0,reclaim=random,notice_s=1", "least:lend=all,least=0,reclaim=latest,down_s=3",
		"least:lend=all,least=0,reclaim=idle,notice_s=4", "loans:list=0:1/2:3/5:0/9:2/11:1/20:99",
		"loans:list=1:2/3:1/6:2/14:0/25:99,notice_s=3,reclaim=count", "loans:list=0:9/4:0/17:99,reclaim=idle"}
}

// Under every operator the kernel's invariants and the audit hold, runs are reproducible and resume
// from snapshots: with a queue, and with a policy that preempts and resizes.
func TestTorture(t *testing.T) {
	for _, policy := range []string{"fifo-fit", "srtf"} {
		fresh := map[string]func() sim.Policy{"fifo-fit": simtest.Build(t, "fifo-fit", queueing.NewFitFirst, ""),
			"srtf": simtest.Build(t, "srtf", queueing.NewSRTF, "")}[policy]
		for _, spec := range specs() {
			t.Run(policy+"/"+spec, func(t *testing.T) {
				simtest.Torture(t, 40, func(seed uint64) error {
					o := simtest.Options{Serve: func(cfg *sim.Config, seed uint64) { served(t, cfg, seed, spec) }}
					if err := simtest.Try(fresh, seed, o); err != nil {
						return fmt.Errorf("%s under %s: %w", policy, spec, err)
					}
					return nil
				})
			})
		}
	}
}
