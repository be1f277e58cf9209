//go:build unix

package config

import (
	"context"
	"errors"
	"runtime"
	"syscall"
	"testing"
	"time"

	"tarry/catalogue/policies"
	"tarry/catalogue/simulation"
	"tarry/run/trial"
	"tarry/sim"
)

// measured is a policy with its settings, and with a predictor where a setting reads one.
type measured struct{ policy, predict string }

// everyPolicy lists each policy of the catalogue as it is by default, then settings that change
// what a decision costs.
func everyPolicy() []measured {
	var out []measured
	for _, e := range policies.All() {
		out = append(out, measured{policy: e.Name})
	}
	for _, spec := range []string{
		"fifo-fit:place=consolidate", "sjf:block=true", "las:quantum_s=60", "picked:order=f1",
		"picked:order=sjf,backfill=fcfs",
		"tiresias:queues=3250/7200", "tiresias:promote=8", "tiresias-sim:every_s=60,inside=submitted", "tiresias-sim",
		"delay:order=fair", "delay:form=count", "gandiva:quantum=10", "gandiva:quantum=600", "gandiva:quantum=inf",
		"gandiva:migrate=false",
		"gandiva:affinity=false", "dally:order=srpt,evict=later", "dally:order=las", "dally:preempt=false",
	} {
		out = append(out, measured{policy: spec})
	}
	for _, spec := range []string{
		"sjf:by=estimate", "srtf:by=left", "srtf:by=gittins", "gittins", "qssf", "easy", "conservative",
		"dally:order=gittins,evict=later,margin=1",
		"dally:order=psrsf,evict=later,margin=1", "ranked:predicted=true",
	} {
		out = append(out, measured{spec, "request:sigma=1"})
	}
	return out
}

// mostTime is how long a benchmark may run.
func mostTime() time.Duration {
	if testing.Short() {
		return 15 * time.Second
	}
	return 200 * time.Second
}

func (m measured) String() string {
	if m.predict == "" {
		return m.policy
	}
	return m.policy + "/" + m.predict
}

// trial is the policy on a trace on 512 GPUs in 64 machines with the speeds of collective.
func (m measured) trial(tb testing.TB, trace string) trial.Trial {
	tb.Helper()
	c := Default()
	c.Trace, c.Cluster, c.Speed, c.Policies, c.Predict = trace, "8x8x8", "collective", []string{m.policy}, m.predict
	s, err := Build(c, simulation.All())
	if err != nil {
		tb.Fatal(err)
	}
	return s.Trials()[0]
}

// crowded is a list that needs no data; its queue is long, for more work arrives than the cluster
// can do.
const crowded = "synth:philly,gpus=512,load=1.2,jobs="

// processor is the time that this process has had on processors.
func processor(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// simulate runs a trial without tables for at most some time by the clock, and gives its processor
// time and its events.
func simulate(tb testing.TB, tr trial.Trial, most time.Duration) (took time.Duration, e *sim.Engine, ended bool) {
	tb.Helper()
	p, err := tr.Policy()
	if err != nil {
		tb.Fatal(err)
	}
	m, err := tr.Speed()
	if err != nil {
		tb.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), most)
	defer stop()
	runtime.GC()
	from := processor(tb)
	e, err = sim.Run(ctx, sim.Config{Workload: tr.Workload, Topology: tr.Topology, Speed: m, Costs: tr.Costs,
		Estimate:  tr.Estimate,
		Predictor: tr.Predictor, History: tr.History}, p)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		tb.Fatal(err)
	}
	return processor(tb) - from, e, err == nil
}

// Each policy of the catalogue can be measured without settings of one's own, and ends the jobs
// that it is given.
func TestCatalogueIsMeasured(t *testing.T) {
	for _, m := range everyPolicy() {
		t.Run(m.String(), func(t *testing.T) {
			_, e, ended := simulate(t, measured{quick(m.policy), m.predict}.trial(t, crowded+"300"), time.Minute)
			if !ended {
				t.Fatal("it did not end in a minute")
			}
			for j := range 300 {
				if s := e.Record(sim.JobID(j)).State; s != sim.Done {
					t.Fatalf("job %d is %v, expected done", j, s)
				}
			}
		})
	}
}
