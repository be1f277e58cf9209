package simtest

import (
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// Conform makes the policy of each case from its settings, or with the case's own maker, under the
// case's name and with its options.
func TestConform(t *testing.T) {
	made := map[string]string{} // settings -> maker
	maker := func(name string) func(*param.Set, cluster.Rule) (sim.Policy, error) {
		return func(s *param.Set, _ cluster.Rule) (sim.Policy, error) {
			made[s.Text("x", "")] = name
			return newOrder(), s.Err()
		}
	}
	var scaled []int64
	o := Options{Seeds: 2, Laws: ScaleTimes, Scaled: func(k int64) sim.Policy {
		scaled = append(scaled,
			k)
		return newOrder()
	}}
	cases := slices.Concat(Options{Seeds: 2}.Settings("x=a", "x=b"), o.Named([][2]string{{"a name", "x=c"}}),
		[]Case{{Text: "x=d", Make: maker("own"), Options: Options{Seeds: 2}}})
	Conform(t, "test", maker("common"), cases)
	for x, want := range map[string]string{"a": "common", "b": "common", "c": "common", "d": "own"} {
		if made[x] != want {
			t.Errorf("x=%s was made by %q, expected %q", x, made[x], want)
		}
	}
	if len(scaled) == 0 {
		t.Error("the law of the options was not tried")
	}
	if cases[2].Name != "a name" || cases[0].Name != "" {
		t.Errorf("the cases are called %q and %q", cases[2].Name, cases[0].Name)
	}
}
