package train

import (
	"strings"
	"testing"

	"tarry/agents/registry"
	"tarry/catalogue/shipped"
	"tarry/output/results"
)

// TestScheduleIsDescribed: the ranges that tarry list agents prints for the settings of every run
// are the checked ranges.
func TestScheduleIsDescribed(t *testing.T) {
	with := func(key, value string) error {
		_, err := Resolve(shipped.All(), "classic/CartPole-v1", "ppo", 1, []registry.Setting{{Key: key, Value: value}})
		return err
	}
	for _, a := range registry.Describe(Defaults()) {
		if len(a.Meaning) < 10 || a.Range == "" {
			t.Errorf("%s lacks its meaning or range: %+v", a.Key, a)
		}
		if strings.HasPrefix(a.Key, "imitate") {
			continue // they need a scheduler
		}
		if a.Key == "parquet_codec" {
			if want := strings.Join(results.Codecs(), ", "); a.Range != want {
				t.Errorf("the range of %s is %s, expected %s", a.Key, a.Range, want)
			}
			continue
		}
		low, below := "0", "-1"
		if a.Range == "true or false" {
			low, below = "false", "maybe"
			if err := with(a.Key, below); err == nil || !strings.Contains(err.Error(),
				a.Key+` is "maybe", expected true or false`) {
				t.Errorf("%s=maybe: %v", a.Key, err)
			}
			continue
		}
		if strings.HasPrefix(a.Range, "[1,") {
			low, below = "1", "0"
		}
		if err := with(a.Key, low); err != nil {
			t.Errorf("%s=%s with range %s: %v", a.Key, low, a.Range, err)
		}
		if err := with(a.Key, below); err == nil || !strings.Contains(err.Error(), a.Key+" is "+below) {
			t.Errorf("%s=%s with range %s: %v", a.Key, below, a.Range, err)
		}
	}
}
