package speed

import (
	"testing"

	"tarry/sim"
)

// The step is the iteration's of which the speed is made of, and its exposed part the
// synchronisation.
func TestTelemetryOfAnIteration(t *testing.T) {
	topo, fabric := lab(t)
	m, err := NewCollective(topo, fabric, catalogue(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	q := query("resnet50", 0, 1, 4, 8)
	var got sim.Telemetry
	if !m.Telemetry(q, &got) {
		t.Fatal("no telemetry")
	}
	id, _ := m.model(q.Job)
	it := m.iteration(costKey{id, whole, layoutOf(topo, q.GPUs)})
	if !near(got.StepS, (it.ComputeNS+it.ExposedNS)/1e9) || !near(got.SyncS, it.ExposedNS/1e9) || it.ExposedNS == 0 {
		t.Errorf("step %v, synchronisation %v, the iteration is %+v", got.StepS, got.SyncS, it)
	}
	local := got.LocalBatch
	if got.AccumSteps != 1 || got.Batch != 4*local || local == 0 {
		t.Errorf("batches %+v", got)
	}
	q.Batch, q.FreqFrac, q.ShareMilli = 2, .5, 500
	if !m.Telemetry(q, &got) || !near(got.StepS, 2*(4*it.ComputeNS+it.ExposedNS)/1e9) || got.LocalBatch != 2*local {
		t.Errorf("twice the batch at half the clock on half of the GPUs: %+v", got)
	}
	one := query("resnet50", 3)
	if !m.Telemetry(one, &got) || !near(got.StepS, it.ComputeNS/1e9) || got.SyncS != 0 {
		t.Errorf("on one GPU: %+v", got)
	}
	if m.Telemetry(query("nobody's", 0), &got) || m.Telemetry(query("resnet50"), &got) {
		t.Error("telemetry of a model without a profile, or without GPUs")
	}
	c, err := NewContended(topo, fabric, catalogue(), "", Contention{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if q = query("resnet50", 0, 4); !c.Telemetry(q, &got) || got.SyncS <= 0 {
		t.Errorf("contended: %+v", got)
	}
	s, _ := c.Speed(q)
	alone := got.SyncS
	for id := range sim.JobID(2) {
		p := *q
		p.ID = id
		if err := c.Place(&p); err != nil {
			t.Fatal(err)
		}
	}
	if !c.Telemetry(q, &got) || got.SyncS < alone {
		t.Errorf("beside another job: synchronisation %v, alone %v; speed alone %+v", got.SyncS, alone, s)
	}
}
