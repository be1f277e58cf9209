package measured

import (
	"math"
	"testing"

	"tarry/sim"
)

// A step takes the inverse of the throughput: of LM 150 a second on two GPUs, a quarter of it
// exposed; with twice the batch 1.75 times as long.
func TestTelemetryOfSteps(t *testing.T) {
	m := model(t, folder(t, "isolated.csv", isolated), Options{Untyped: "v100"})
	twice := query("LM (batch size 5)", 0, 1)
	twice.Batch = 2
	for _, c := range []struct {
		q          *sim.Query
		step, sync float64
	}{{query("LM (batch size 5)", 0), 0.01, 0}, {query("LM (batch size 5)", 0, 1), 0.01 / 1.5, 0.01 / 1.5 / 4},
		{twice, 0.01 / 1.5 * 1.75, 0.01 / 1.5 / 4}} {
		var got sim.Telemetry
		if !m.Telemetry(c.q, &got) || math.Abs(got.StepS-c.step) > 1e-15 || math.Abs(got.SyncS-c.sync) > 1e-15 ||
			got.AccumSteps != 1 {
			t.Errorf("%d GPUs, batch %v: %+v, expected %v and %v s", len(c.q.GPUs), c.q.Batch, got, c.step, c.sync)
		}
	}
	var got sim.Telemetry
	if m.Telemetry(query("A3C", 5), &got) || m.Telemetry(query("nobody's", 0), &got) {
		t.Error("telemetry of a job that does not fit, or whose model is not known")
	}
}
