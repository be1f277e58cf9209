package tenant

import (
	"math"
	"strings"
	"testing"
)

func TestSet(t *testing.T) {
	s, err := New([]Tenant{{VC: "b", GPUs: 8, Weight: 2, Priority: 3}, {VC: "a"}, {User: "u", Weight: 3},
		{VC: "b", User: "u", Weight: 5, Priority: 7}})
	if err != nil {
		t.Fatal(err)
	}
	if s.Len() != 2 || s.At(0).VC != "a" || s.At(1).VC != "b" || s.GPUs() != 8 {
		t.Errorf("%d virtual clusters, the first %v, %d GPUs", s.Len(), s.At(0), s.GPUs())
	}
	if g, ok := s.Quota("b"); g != 8 || !ok {
		t.Errorf("quota of b is %d (%v)", g, ok)
	}
	for _, vc := range []string{"a", "c", ""} {
		if g, ok := s.Quota(vc); ok || g != 0 {
			t.Errorf("quota of %q is %d (%v), expected none", vc, g, ok)
		}
	}
	for _, c := range []struct {
		vc, user     string
		weight, with float64
		priority     int32
	}{{"b", "u", 2, 5, 7}, {"a", "u", 1, 3, 0}, {"b", "v", 2, 1, 3}, {"c", "", 1, 1, 0}, {"", "", 1, 1, 0}} {
		if w, u, p := s.Weight(c.vc), s.UserWeight(c.vc, c.user), s.Priority(c.vc, c.user); w != c.weight ||
			u != c.with || p != c.priority {
			t.Errorf("%q, %q: weights %v and %v, priority %d, expected %v, %v, %d", c.vc, c.user, w, u, p, c.weight,
				c.with, c.priority)
		}
	}
	var none *Set
	if _, ok := none.Quota("a"); ok || none.Len() != 0 || none.GPUs() != 0 || none.Weight("a") != 1 ||
		none.UserWeight("a", "u") != 1 || none.Priority("a", "u") != 0 {
		t.Error("no set has tenants")
	}
}

func TestWrongRows(t *testing.T) {
	_, err := New([]Tenant{{}, {VC: "a"}, {VC: "a", GPUs: 1}, {VC: "c", GPUs: -1}, {VC: "d", Weight: math.NaN()},
		{VC: "e", Weight: -1}, {VC: "f", User: "u", GPUs: 4}})
	if err == nil {
		t.Fatal("wrong rows are taken")
	}
	for _, want := range []string{"neither a virtual cluster nor a user", `tenant 3 (vc "a", user ""): a second row`,
		"quota is -1", "weight is NaN", "weight is -1", "quota is 4"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}
