package polluxsim

import (
	"testing"

	"tarry/internal/sharedata"
)

// A profile has the limits, marks and noise that a run of the model meets.
func TestProfile(t *testing.T) {
	table, err := Open(sharedata.Path(t, "profiles", "pollux-sim"))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := table.Profile("no such model"); ok {
		t.Error("there is a profile of no application")
	}
	p, ok := table.Profile("CIFAR10")
	if l := p.Limits(); !ok || l.Initial != 128 || l.Max != 4096 || !l.Accumulate || p.Epochs() != 100 {
		t.Fatalf("%v %+v, %d epochs", ok, l, p.Epochs())
	}
	a := table.app("cifar10")
	if p.End(99) != a.ends[99] || !(p.End(0) > 0) || p.Iterations(128, 99) <= p.Iterations(128, 98) {
		t.Errorf("progress %v to %v", p.End(0), p.End(99))
	}
	if n := p.Noise(192, 3); n.Sqr <= 0 || n.Var <= 0 || n == p.Noise(192, 90) {
		t.Errorf("noise %+v", n)
	}
}
