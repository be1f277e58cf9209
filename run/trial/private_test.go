package trial

import (
	"context"
	"fmt"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/power"
	"tarry/sim/simtest"
	"tarry/sim/tenant"
)

// measured runs a trial of tenants by virtual cluster, each of which has quota GPUs of its own, on
// one machine.
func measured(t *testing.T, gpus int, quotas map[string]int, js ...sim.Job) map[string]float64 {
	t.Helper()
	top := topology(t, 1, 1, gpus)
	tr := newTrial(workload(t, js...), top, 0)
	var rows []tenant.Tenant
	for vc, n := range quotas {
		rows = append(rows, tenant.Tenant{VC: vc, GPUs: n})
	}
	var err error
	if tr.Owners, err = tenant.New(rows); err != nil {
		t.Fatal(err)
	}
	tr.Speed = func() (sim.SpeedModel, error) { return simtest.Counting{}, nil }
	tr.Tenants, tr.Check = "vc", true
	tr.Private = func(n int) (*cluster.Topology, *power.Model, func() (sim.SpeedModel, error), error) {
		return topology(t, 1, 1, n), nil, tr.Speed, nil
	}
	out, err := Run(context.Background(), []Trial{tr}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, m := range out[0].Measures {
		got[m.Name+" "+m.Of] = m.Value
	}
	return got
}

func owned(id, vc string, gpus int32, submit, run sim.Time) sim.Job {
	return sim.Job{ID: id, VC: vc, GPUs: gpus, Submit: submit * sim.Second, Work: run * sim.Second * sim.Time(gpus)}
}

// By hand, fifo on two GPUs of which a and b own one each. a's four jobs of 10 s come at once: they
// start at 0, 0, 10 and 10 s; alone at 0, 10, 20 and 30: no job waits longer than alone, and 10, 10
// and 20 s are saved. b's job comes at 1 s and starts at 20 s, alone at once: 19 s are an anomaly.
// b's job of two GPUs does not fit its own GPU. a holds two GPUs for 20 s: 20 of 40 GPU-seconds are
// above its quota.
func TestAnomalyByHand(t *testing.T) {
	got := measured(t, 2, map[string]int{"a": 1, "b": 1}, owned("0", "a", 1, 0, 10), owned("1", "a", 1, 0, 10),
		owned("2", "a", 1, 0, 10), owned("3", "a", 1, 0, 10),
		owned("4", "b", 1, 1, 10), owned("5", "b", 2, 2, 10))
	for name, want := range map[string]float64{
		"anomaly_frac a": 0, "excess_queue_mean_s a": 0, "saved_queue_mean_s a": 10, "private_queue_mean_s a": 15,
		"private_unfit_jobs a": 0, "over_quota_frac a": .5, "quota_gpus a": 1,
		"anomaly_frac b": 1, "excess_queue_mean_s b": 19, "excess_queue_max_s b": 19, "saved_queue_mean_s b": 0,
		"private_queue_mean_s b": 0, "private_unfit_jobs b": 1, "over_quota_frac b": 10. / 30,
		"anomaly_frac ": .2, "excess_queue_mean_s ": 3.8, "excess_queue_max_s ": 19, "saved_queue_mean_s ": 8,
		"private_queue_mean_s ": 12, "private_unfit_jobs ": 1,
	} {
		if v, ok := got[name]; !ok || v < want-1e-9 || v > want+1e-9 {
			t.Errorf("%s is %v (there: %v), expected %v", name, v, ok, want)
		}
	}
}

// A tenant that owns the whole cluster and is alone on it waits as in its private cluster, to the
// microsecond; without quotas nothing is compared.
func TestNoAnomalyAlone(t *testing.T) {
	var js []sim.Job
	for i := range 50 {
		js = append(js, owned(fmt.Sprint(i), "a", int32(1+i*7%4), sim.Time(i*3), sim.Time(1+i*5%17)))
	}
	got := measured(t, 4, map[string]int{"a": 4}, js...)
	for _, name := range []string{"anomaly_frac a", "excess_queue_max_s a", "saved_queue_mean_s a",
		"over_quota_frac a"} {
		if v, ok := got[name]; !ok || v != 0 {
			t.Errorf("%s is %v (there: %v), expected 0", name, v, ok)
		}
	}
	if got["private_queue_mean_s a"] != got["queue_mean_s a"] || got["queue_mean_s a"] == 0 {
		t.Errorf("the mean wait is %v, alone %v", got["queue_mean_s a"], got["private_queue_mean_s a"])
	}
	if _, ok := measured(t, 4, nil, js...)["anomaly_frac a"]; ok {
		t.Error("without a quota there is a private cluster")
	}
}
