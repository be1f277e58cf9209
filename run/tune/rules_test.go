package tune

import (
	"strings"
	"testing"

	"tarry/catalogue/shipped"
)

// Settings of a rule that a policy reads only where one of them is given can be tuned, also when the
// parameter is the first of that rule.
func TestSettingsOfARule(t *testing.T) {
	for policy, params := range map[string][]string{
		"dally:order=gittins,evict=later": {"margin=0:2", "min_run=0.01:4:log"},
		"dally:order=gittins":             {"evict=none|later", "backfill=none|predicted"},
	} {
		c := small("random")
		c.Policy, c.Params = policy, params
		if err := Check(shipped.All(), c, t.TempDir()); err != nil {
			t.Errorf("%s with %v: %v", policy, params, err)
		}
	}
	c := small("random")
	c.Policy, c.Params = "dally", []string{"evct=later|ranked"}
	if err := Check(shipped.All(), c, t.TempDir()); err == nil || !strings.Contains(err.Error(), `no parameter "evct"`) {
		t.Errorf("a setting of no rule: %v", err)
	}
}
