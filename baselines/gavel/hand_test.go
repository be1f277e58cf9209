package gavel

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// pace is a speed model by type: rate per GPU.
type pace struct {
	top  *cluster.Topology
	rate map[string]float64
}

func (p pace) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: p.rate[p.top.Type(p.top.Machine(q.GPUs[0]))] * float64(len(q.GPUs)), ComputeFrac: 1}, nil
}

// duo is a cluster of machines of one GPU: fast ones of rate 2, slow ones of rate 1.
func duo(t *testing.T, fast, slow int, jobs ...sim.Job) sim.Config {
	t.Helper()
	var rack []cluster.Machines
	for _, m := range []cluster.Machines{{Count: fast, Type: "fast"}, {Count: slow, Type: "slow"}} {
		if m.GPUs, m.Slots = 1, 1; m.Count > 0 {
			rack = append(rack, m)
		}
	}
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{rack}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i)
		if jobs[i].GPUs == 0 {
			jobs[i].GPUs = 1
		}
		if jobs[i].IterS == 0 {
			jobs[i].IterS = 1
		}
		jobs[i].Work = sim.Time(float64(jobs[i].Iterations) * jobs[i].IterS * 1e6)
	}
	w, err := sim.NewWorkload("duo", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: pace{top, map[string]float64{"fast": 2, "slow": 1}}}
}

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
	cfg := duo(t, 1, 1, sim.Job{Iterations: 45}, sim.Job{Iterations: 40})
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
	cfg := duo(t, 2, 0, sim.Job{Iterations: 8}, sim.Job{Iterations: 30}, sim.Job{Iterations: 26, Submit: sim.Second})
	got := run(t, cfg, "policy=isolated,round_s=10,recompute_s=0")
	if want := "0s start 0[0] lease 10s; 0s start 1[1] lease 10s; 4s start 2[0] lease 6s; 10s renew 1[] lease 10s; " +
		"10s renew 2[] lease 10s; "; got != want {
		t.Errorf("%s\nexpected\n%s", got, want)
	}
}

// TestNativeWide: a job that no type can hold gets GPUs of several for its share of the time.
func TestNativeWide(t *testing.T) {
	cfg := duo(t, 1, 1, sim.Job{Iterations: 60}, sim.Job{Iterations: 40, GPUs: 2})
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

// TestHabits: what each habit of the simulator does to a completion time. Job 0 comes at 10 s and
// has 2/7 steps/s on a fast GPU, so that 102 whole steps are done after 357 s of a round of 360 s;
// the other 48 take 168 s. Job 1 comes at 11 s and needs 35 s; the next computation is due 1920 s
// after the first, or when nothing runs.
func TestHabits(t *testing.T) {
	for settings, want := range map[string][2]float64{
		// job 1 takes a GPU at 367 s and does not run before all has ended
		"":                        {525, 357 + 168 + 35 - 1},
		",late=false":             {525, 357 + 35 - 1},
		",ends=fixed":             {528, 360 + 360 + 35 - 1},
		",ends=fixed,steps=fluid": {525, 360 + 360 + 35 - 1},
	} {
		cfg := duo(t, 2, 0, sim.Job{Iterations: 150, IterS: 7, Submit: 10 * sim.Second},
			sim.Job{Iterations: 10, IterS: 7, Submit: 11 * sim.Second})
		got, _ := play(t, cfg, "mode=simulator,policy=isolated"+settings)
		if math.Abs(got["0"]-want[0]) > 1e-6 || math.Abs(got["1"]-want[1]) > 1e-6 {
			t.Errorf("%q: %v, expected %v", settings, got, want)
		}
	}
}

// TestSplit: a gang with fewer steps left than workers fails, and five rounds in a row remove it;
// without the habit it ends.
func TestSplit(t *testing.T) {
	for settings, want := range map[string]float64{"": math.NaN(), ",split=false": 0.25} {
		cfg := duo(t, 2, 0, sim.Job{Iterations: 1, GPUs: 2})
		got, _ := play(t, cfg, "mode=simulator,policy=isolated"+settings)
		if x, ok := got["0"]; ok == math.IsNaN(want) || ok && x != want {
			t.Errorf("%q: %v, expected %v", settings, got, want)
		}
	}
}

// TestSettings: mistakes are named.
func TestSettings(t *testing.T) {
	order := filepath.Join(t.TempDir(), "order.csv")
	if err := os.WriteFile(order, []byte("call\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for settings, want := range map[string]string{
		"policy=min-max":                     `gavel: no objective "min-max", expected one of `,
		"ends=last":                          "ends is a habit of the simulator, expected mode=simulator beside it",
		"mode=simulator,type_order=none.csv": "none.csv",
		"mode=simulator,type_order=" + order: "1 lines, expected a header call,first,...",
		"mode=simulator,table=nowhere":       "nowhere",
		"round_s=0":                          `round_s is "0"`,
		"prices=-1":                          `prices is "-1"`,
		"packing=true,policy=fifo":           `objective "fifo" has no form with pairs of jobs, expected max-min, ftf, makespan or throughput`,
		"packing=true,perf=false":            "pairs are chosen by throughputs, expected perf=true",
		"packing=true,mode=simulator":        "pairs of jobs run in the native rounds, expected mode=native",
		"pair_min=1.5":                       "pair_min is about pairs, expected packing=true beside it",
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
