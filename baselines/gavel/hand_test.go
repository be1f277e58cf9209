package gavel

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tarry/baselines/gavel/gaveltest"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// diary writes the decisions of a policy.
type diary struct {
	sim.Policy
	text *strings.Builder
}

func (d diary) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	n := len(out)
	out = d.Policy.Decide(v, out)
	for _, x := range out[n:] {
		if x.Kind != sim.WakeAt {
			fmt.Fprintf(d.text, "%v %v %d%v lease %v", v.Now(), x.Kind, x.Job, x.GPUs, x.Lease)
			if x.ShareMilli != 0 {
				fmt.Fprintf(d.text, " share %d", x.ShareMilli)
			}
			d.text.WriteString("; ")
		}
	}
	return out
}

func run(t *testing.T, cfg sim.Config, settings string) string {
	t.Helper()
	p, err := New(param.Parse("policy gavel", settings), cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Check = true
	d := diary{p, &strings.Builder{}}
	if _, err := sim.Run(context.Background(), cfg, d); err != nil {
		t.Fatal(err)
	}
	return d.text.String()
}

// TestNativeByHand: two jobs of equal shares take turns on the fast GPU; they change places by a
// lift, and when one has ended the other is alone and its lease is renewed.
func TestNativeByHand(t *testing.T) {
	cfg := gaveltest.Duo(t, 1, 1, sim.Job{Iterations: 45}, sim.Job{Iterations: 40})
	got := run(t, cfg, "policy=isolated,types=fastest,round_s=10,recompute_s=0")
	// Rates 2 and 1: after 30 s job 0 has done 20 + 10 + 20 and has ended at 27.5 s, job 1 10 + 20
	// + 7.5 at 27.5 s, and 2.5 to do on the slow GPU.
	want := "0s start 0[0] lease 10s; 0s start 1[1] lease 10s; 10s lift 1[] lease 0s; 10s lift 0[] lease 0s; 10s " +
		"migrate 1[0] lease 10s; 10s migrate 0[1] lease 10s; " +
		"20s lift 0[] lease 0s; 20s lift 1[] lease 0s; 20s migrate 0[0] lease 10s; 20s migrate 1[1] lease 10s; "
	if got != want {
		t.Errorf("%s\nexpected\n%s", got, want)
	}
}

// TestNativeFills: a job that ends inside a round frees its GPU at once for one that waits, with a
// lease to the end of the round; jobs that keep their type keep their GPU.
func TestNativeFills(t *testing.T) {
	cfg := gaveltest.Duo(t, 2, 0, sim.Job{Iterations: 8}, sim.Job{Iterations: 30},
		sim.Job{Iterations: 26, Submit: sim.Second})
	got := run(t, cfg, "policy=isolated,round_s=10,recompute_s=0")
	if want := "0s start 0[0] lease 10s; 0s start 1[1] lease 10s; 4s start 2[0] lease 6s; 10s renew 1[] lease 10s; " +
		"10s renew 2[] lease 10s; "; got != want {
		t.Errorf("%s\nexpected\n%s", got, want)
	}
}

// TestNativeWide: a job that no type can hold gets GPUs of several for its share of the time.
func TestNativeWide(t *testing.T) {
	cfg := gaveltest.Duo(t, 1, 1, sim.Job{Iterations: 60}, sim.Job{Iterations: 40, GPUs: 2})
	e, err := sim.Run(context.Background(), cfg, policy(t, "policy=isolated,round_s=10,recompute_s=0")())
	if err != nil {
		t.Fatal(err)
	}
	for j := range sim.JobID(2) {
		if r := e.Record(j); r.State != sim.Done {
			t.Errorf("job %d is %v", j, r.State)
		}
	}
}

// TestSettings: mistakes are named.
func TestSettings(t *testing.T) {
	for settings, want := range map[string]string{
		"policy=min-max":           `gavel: no objective "min-max", expected one of `,
		"round_s=0":                `round_s is "0"`,
		"prices=-1":                `prices is "-1"`,
		"packing=true,policy=fifo": `objective "fifo" has no form with pairs of jobs, expected max-min, ftf, makespan or throughput`,
		"packing=true,perf=false":  "pairs are chosen by throughputs, expected perf=true",
		"pair_min=1.5":             "pair_min is about pairs, expected packing=true beside it",
	} {
		if _, err := New(param.Parse("policy gavel", settings), cluster.BestFit); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", settings, err, want)
		}
	}
}

// TestChoose: short names, and which of several variants they mean.
func TestChoose(t *testing.T) {
	for _, c := range []struct {
		name      string
		perf, slo bool
		want      string
	}{
		{"max-min", true, false, "max_min_fairness_perf"}, {"max-min", false, false, "max_min_fairness"},
		{"ftf", true, false, "finish_time_fairness_perf"},
		{"makespan", false, false, "min_total_duration"}, {"throughput", false, false, "max_sum_throughput_perf"},
		{"fifo", false, false, "fifo_perf"},
		{"cost", true, false, "max_sum_throughput_normalized_by_cost_perf"},
		{"hierarchical", false, false, "hierarchical"}, {"cost", true, true, "max_throughput_per_cost_perf"},
		{"isolated", true, true, "isolated"}, {"allox", true, false, "allox"},
	} {
		if e, err := choose(c.name, c.perf, c.slo); err != nil || e.Name != c.want {
			t.Errorf("%+v: %q, error %v", c, e.Name, err)
		}
	}
}
