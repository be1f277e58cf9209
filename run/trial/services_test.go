package trial

import (
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/series"
	"tarry/sim/service"
)

// lender is an operator by hand: it starts a replica on machine 1, lends the machine at 10 s and takes
// it back at 16 s from the job that runs there.
type lender struct{}

func (lender) Knows() know.Set   { return know.Nothing }
func (lender) Clone() sim.Policy { return lender{} }

func (lender) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	replica := sim.JobID(v.NumJobs())
	switch v.Now() {
	case 0:
		return append(out, sim.Decision{Kind: sim.Cordon, Machine: 1}, sim.Decision{Kind: sim.Start, Job: replica,
			GPUs: []cluster.GPU{2}}, sim.Decision{Kind: sim.WakeAt, At: 10 * sim.Second})
	case 10 * sim.Second:
		return append(out, sim.Decision{Kind: sim.Preempt, Job: replica}, sim.Decision{Kind: sim.Uncordon, Machine: 1},
			sim.Decision{Kind: sim.WakeAt, At: 16 * sim.Second})
	case 16 * sim.Second:
		return append(out, sim.Decision{Kind: sim.Preempt, Job: 1}, sim.Decision{Kind: sim.Cordon, Machine: 1},
			sim.Decision{Kind: sim.Start, Job: replica, GPUs: []cluster.GPU{3}})
	}
	return out
}

// Measures, the table services, and both again from the files of an earlier run.
func TestServicesByHand(t *testing.T) {
	const s = sim.Second
	start := func(j sim.JobID, gpus ...cluster.GPU) sim.Decision {
		return sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus}
	}
	p := script{0: {start(0, 0, 1)}, 10 * s: {start(1, 2, 3)}, 20 * s: {start(1, 0, 1)}}
	tr := newTrial(workload(t, sim.Job{ID: "a", GPUs: 2, Work: 40 * s}, sim.Job{ID: "b", GPUs: 2, Work: 40 * s}),
		topology(t, 1, 2, 2), 0)
	tr.Services = &service.Model{Own: []bool{false, true}, Services: []service.Spec{{Name: "web", Replicas: 1, RatePerS: 4,
		DeadlineS: 1, Target: 0.9, Tenant: "u", Load: series.Constant(3)}}}
	tr.Operator = lender{}
	tr.Policy = func() (sim.Policy, error) { return p, nil }
	tr.Speed = func() (sim.SpeedModel, error) { return ideal{}, nil }
	dir := t.TempDir()
	for range 2 {
		out, err := Run(t.Context(), []Trial{tr}, Options{Out: dir, Keep: []string{"services"}})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, m := range out[0].Measures {
			got[m.Name] = m.Value
		}
		// 3 a second over 34 s; from 10 to 16 s none is served, then a backlog of 18 lasts for 18 s, the last 3 of it short
		for name, want := range map[string]float64{"slo_attained_frac": (30 + 9.) / 102, "overloaded_s": 6,
			"slo_bad_s": 24, "replica_gpu_s": 10 + 18, "lent_gpu_s": 12, "lent_used_gpu_s": 12, "reclaims": 1,
			"preempted_by_reclaim": 1, "harvested_gpu_s": 0, "tenant_replica_gpu_s": 28, "late_returns_gpu_s": 0,
			"tenant_attained_frac": 39. / 102,
			// 30 take 0.25 s, 54 meet the backlog, evenly from 4.75 down to 0.25 s, 18 come without a replica
			"latency_p50_s": 0.25 + 4.5*21/54} {
			v, ok := got[name]
			if !ok || math.Abs(v-want) > 1e-9*max(1, want) {
				t.Errorf("%s is %v (there: %v), expected %v", name, v, ok, want)
			}
		}
		if v := got["latency_p95_s"]; !math.IsInf(v, 1) {
			t.Errorf("latency_p95_s is %v, expected +Inf: 18 of 102 requests come without a replica", v)
		}
		if rows := out[0].Services; len(rows) != 1 || rows[0].Load != 3 || math.Abs(rows[0].Lent-12./34) > 1e-12 {
			t.Errorf("table services: %+v", rows)
		}
	}
	// Until 100 s jobs hold 80 GPU-seconds, replicas 28 and 66 behind the last job, of 400.
	tr.Until = 100 * s
	out, err := Run(t.Context(), []Trial{tr}, Options{})
	if err != nil || math.Abs(out[0].Row.GPUUtil-.435) > 1e-12 {
		t.Fatalf("GPUs in use: %v, expected 0.435 (%v)", out[0].Row.GPUUtil, err)
	}
}
