package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Quotas reach each run, priorities the jobs; both are in the resolved configuration, which is as
// before without them.
func TestQuotas(t *testing.T) {
	own := filepath.Join(t.TempDir(), "own.csv")
	if err := os.WriteFile(own, []byte("vc,gpus,priority\nvc1,8,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := Default()
	c.Trace, c.Cluster, c.Policies, c.Replicates = "synth:demo,jobs=60", "1x2x8", []string{"fifo"}, 2
	plain, err := Build(c, fewPolicies())
	if err != nil {
		t.Fatal(err)
	}
	if js := plain.BaseJSON(); strings.Contains(js, "quotas") || strings.Contains(js, "priorities") ||
		plain.Runs[0].Tenants != nil {
		t.Errorf("nobody owns anything, and %s", js)
	}
	c.Quotas, c.Priorities = own, "-1=0.5"
	s, err := Build(c, fewPolicies())
	if err != nil {
		t.Fatal(err)
	}
	low, own2 := 0, 0
	for _, r := range s.Runs {
		if g, ok := r.Tenants.Quota("vc1"); !ok || g != 8 {
			t.Errorf("vc1 owns %d GPUs", g)
		}
		for i := range r.Workload.Jobs {
			switch j := &r.Workload.Jobs[i]; {
			case j.Priority == -1:
				low++
			case j.Priority == 2 && j.VC == "vc1":
				own2++
			case j.Priority != 0 || j.VC == "vc1":
				t.Errorf("job %s of %s has priority %d", j.ID, j.VC, j.Priority)
			}
		}
	}
	if low == 0 || own2 == 0 {
		t.Errorf("%d jobs of class -1, %d of the tenant's priority", low, own2)
	}
	if js := s.BaseJSON(); !strings.Contains(js, `"quotas":"`+own) || !strings.Contains(js, `"priorities":"-1=0.5"`) ||
		!strings.Contains(js, `"path":"`+own) {
		t.Errorf("the configuration is %s", js)
	}
	c.Quotas, c.Priorities = "demand,unit=x", "y"
	if _, err := Build(c, fewPolicies()); err == nil || !strings.Contains(err.Error(), "unit") ||
		!strings.Contains(err.Error(), "priorities") {
		t.Errorf("error %v, expected both faults", err)
	}
	c.Quotas, c.Priorities = "trace", ""
	if _, err := Build(c, fewPolicies()); err == nil || !strings.Contains(err.Error(), "the jobs are generated") {
		t.Errorf("error %v", err)
	}
}
