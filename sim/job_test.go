package sim

import (
	"fmt"
	"testing"

	"tarry/sim/end"
	"tarry/sim/know"
	"tarry/sim/origin"
)

func TestJobRangeAndWidth(t *testing.T) {
	for _, c := range []struct {
		job    Job
		lo, hi int32
		width  float64
	}{
		{Job{GPUs: 4}, 4, 4, 4},
		{Job{GPUs: 4, MinGPUs: 2}, 2, 4, 4},
		{Job{GPUs: 4, MaxGPUs: 8}, 4, 8, 4},
		{Job{GPUs: 4, MinGPUs: 1, MaxGPUs: 6}, 1, 6, 4},
		{Job{GPUs: 4, MinGPUs: 1, MaxGPUs: 7, WorkerGPUs: 2}, 2, 6, 4},
		{Job{GPUs: 4, MinGPUs: 2, MaxGPUs: 4, WorkerGPUs: 4}, 4, 4, 4},
		{Job{GPUs: 4, MaxGPUs: 6, WorkerGPUs: 1}, 4, 6, 4},
		{Job{GPUs: 1, ShareMilli: 250}, 1, 1, .25},
		{Job{GPUs: 2, ShareMilli: 1000}, 2, 2, 2},
	} {
		if lo, hi := c.job.Range(); lo != c.lo || hi != c.hi || c.job.Width() != c.width {
			t.Errorf("%+v: range %d..%d, width %v, expected %d..%d, %v", c.job, lo, hi, c.job.Width(), c.lo, c.hi,
				c.width)
		}
	}
}

// What is printed of the enumerations, in the order of their values.
func TestNames(t *testing.T) {
	var got []string
	for k := Finish; k <= Arrive; k++ {
		got = append(got, k.String())
	}
	for k := Start; k <= PowerOn+1; k++ {
		got = append(got, k.String())
	}
	for s := Pending; s <= Rejected; s++ {
		got = append(got, s.String())
	}
	for r := end.Finish; r <= end.OutOfMemory; r++ {
		got = append(got, r.String())
	}
	same(t, "names", got, "finish", "drained", "out-of-memory", "expire", "cross", "ready", "shift", "timer",
		"fail", "repair", "load", "arrive", "start", "preempt", "migrate", "resize", "renew", "tune", "wake-at",
		"watch", "cordon", "uncordon", "lift",
		"reject", "power-off", "power-on", "kind 14",
		"pending", "waiting", "running", "draining", "done", "refused", "rejected", "finish", "preempt", "migrate",
		"resize", "fault", "horizon", "tune", "mark", "out-of-memory")
	sets := []string{fmt.Sprint(origin.Field(0)), fmt.Sprint(origin.Model),
		fmt.Sprint(origin.VC | origin.Deadline | origin.User),
		fmt.Sprint(know.Nothing), fmt.Sprint(know.Work | know.Speed), fmt.Sprint(know.Estimate | know.History)}
	same(t, "sets", sets, "", "model", "user+vc+deadline", "nothing", "work+speed", "estimate+history")
}
