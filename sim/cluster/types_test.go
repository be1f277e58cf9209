package cluster

import (
	"slices"
	"testing"
)

// By speed, equals by name, types that are not listed at 1, names without case.
func TestFastest(t *testing.T) {
	one := func(types ...string) Spec {
		var s Spec
		for _, typ := range types {
			s.Racks = append(s.Racks, []Machines{{Count: 1, GPUs: 2, Type: typ}})
		}
		return s
	}
	speeds := map[string]float64{"V100": 3, "k80": 0.25, "p100": 3}
	for _, c := range []struct {
		spec   Spec
		speeds map[string]float64
		want   []string
	}{
		{one("k80", "v100", "", "p100"), speeds, []string{"p100", "v100", "", "k80"}},
		{one("p100", "", "v100", "k80"), speeds, []string{"p100", "v100", "", "k80"}},
		{one("b", "c", "a"), nil, []string{"a", "b", "c"}},
		{one("b"), nil, []string{"b"}},
	} {
		c.spec.Speeds = c.speeds
		top, err := New(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, i := range top.Fastest() {
			got = append(got, top.Types()[i])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, expected %q", c.spec.Racks, got, c.want)
		}
		if f := NewFree(top); (f.Fastest() == nil) != (len(c.want) == 1) || f.Type(0).Fastest() != nil &&
			len(c.want) > 1 {
			t.Errorf("%v: a list of one type has an order of types, or one of several has none", c.spec.Racks)
		}
	}
}
