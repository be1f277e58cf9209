package entry

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// TestMoved: an old spelling is an error that names the new one.
func TestMoved(t *testing.T) {
	reads := func(keys ...string) func(*param.Set, cluster.Rule) (sim.Policy, error) {
		return func(s *param.Set, _ cluster.Rule) (sim.Policy, error) {
			for _, k := range keys {
				s.Text(k, "")
			}
			return nil, s.Err()
		}
	}
	list := Policies{{Name: "new", New: reads("own", "table")},
		{Name: "old", New: reads("own"), Moved: []Moved{{To: "new", Switch: "mode=far", Keys: []string{"table"}}}},
		{Name: "slow", New: reads("own"), Moved: []Moved{{To: "new", Keys: []string{"table"}, With: []string{"own=2"}}}}}
	for spec, want := range map[string]string{
		"old:own=1": "", "new:own=1,table=x": "",
		"old:mode=far":                 "policy old: mode=far has moved, use new",
		"old:own=1, mode=far ,table=x": "policy old: mode=far has moved, use new:own=1,table=x",
		`old:table="a,b",own=1`:        `policy old: table has moved, use new:table="a,b",own=1`,
		"old:mode=near,own=1":          "policy old: there is no mode=near any more, use old:own=1",
		"slow:table=x":                 "policy slow: table has moved, use new:table=x,own=2",
		"slow:own=1,table=x":           "policy slow: table has moved, use new:own=1,table=x",
		"new:mode=far":                 `policy new: unknown key "mode", expected one of label, own, table`,
	} {
		_, _, err := list.Parse(spec, cluster.BestFit)
		if got := ""; err != nil {
			got = err.Error()
			if got != want {
				t.Errorf("%s: %s, expected %s", spec, got, want)
			}
		} else if want != "" {
			t.Errorf("%s: no error, expected %s", spec, want)
		}
	}
	for spec, want := range map[string]string{"old": "", "old:own=1,table=x": "", "slow:table=x": "", "none:mode=far": "",
		"old:mode=far,own=1": "policy old: mode=far has moved, use new:own=1",
		"old:mode=near":      "policy old: there is no mode=near any more, use old"} {
		if err := list.Switched(spec); want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s switched: %v, expected %q", spec, err, want)
		}
	}
}
