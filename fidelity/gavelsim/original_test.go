package gavelsim

import (
	"math"
	"testing"

	"tarry/baselines/gavel/gaveltest"
	"tarry/internal/sharedata"
)

// TestOriginal: the completion times of Gavel's own simulator, job by job.
func TestOriginal(t *testing.T) {
	order := sharedata.Path(t, "reference", "gavel", "type_order_seed0.csv")
	for _, c := range []struct{ name, settings string }{
		{"fifo_perf", "policy=fifo_perf"}, {"isolated_fixedorder", "policy=isolated"},
		{"isolated", "policy=isolated,type_order=" + order},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := gaveltest.Table(t, "reference", "gavel", "max_min_fairness__"+c.name+".jobs.csv")
			got, _ := gaveltest.Play(t, gaveltest.Scene(t, "max_min_fairness", 8, 16, 24), New,
				"table="+sharedata.Path(t, "profiles", "gavel")+","+c.settings)
			worst, bad := 0.0, 0
			for _, r := range want {
				d := math.Abs(got[r["job_id"]] - gaveltest.Number(t, r["jct_s"]))
				if worst = max(worst, d); !(d <= 1e-6) {
					bad++
					t.Logf("job %s: %v, expected %s", r["job_id"], got[r["job_id"]], r["jct_s"])
				}
			}
			if t.Logf("worst %v", worst); bad > 0 {
				t.Errorf("%d jobs differ", bad)
			}
		})
	}
}
