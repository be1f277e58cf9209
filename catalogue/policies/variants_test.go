package policies

import (
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/entry"
)

// TestMoved: settings that moved are none of the old policy, are of the variant, and are an error
// that names it; the variant is none of the schedulers.
func TestMoved(t *testing.T) {
	published, variants := All(), Variants()
	find := func(list entry.Policies, name string) *entry.Policy {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
		return nil
	}
	n := 0
	for name, all := range moved() {
		old := find(published, name)
		if old == nil {
			t.Errorf("settings moved from %s, which is not in the list", name)
			continue
		}
		for _, m := range all {
			to := find(variants, m.To)
			if to == nil || find(published, m.To) != nil {
				t.Errorf("%s: settings moved to %s, which is not in the list of variants alone", name, m.To)
				continue
			}
			for _, key := range m.Keys {
				n++
				if hasSetting(old, key) || !hasSetting(to, key) {
					t.Errorf("%s is to be a setting of %s and not of %s", key, m.To, name)
				}
				_, _, err := published.Parse(name+":"+key+"=1", cluster.BestFit)
				if want := "use " + m.To + ":" + key + "=1"; err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s:%s=1: error %v, expected %q", name, key, err, want)
				}
			}
			if m.Switch == "" {
				continue
			}
			_, _, err := published.Parse(name+":"+m.Switch, cluster.BestFit)
			want := "use " + strings.TrimSuffix(m.To+":"+strings.Join(m.With, ","), ":")
			if err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("%s:%s: error %v, expected %q", name, m.Switch, err, want)
			}
		}
	}
	if n < 6 {
		t.Errorf("%d settings were looked at", n)
	}
}

func hasSetting(e *entry.Policy, key string) bool {
	for _, s := range e.Settings() {
		if s.Key == key {
			return true
		}
	}
	return false
}
