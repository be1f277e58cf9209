package heterogeneity

import (
	"slices"
	"testing"

	"tarry/catalogue/policies"
	"tarry/experiments/rivals"
	"tarry/sim/cluster"
	"tarry/sim/models"
)

// The models stand in order of the compute of an iteration, as the rule of the spread says.
func TestModelsAreInOrder(t *testing.T) {
	was := 0.0
	for _, name := range modelNames() {
		p, err := models.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if p.ComputeNS() <= was || p.Name != name {
			t.Errorf("%s (%s) has iterations of %v ns, the one before %v", name, p.Name, p.ComputeNS(), was)
		}
		was = p.ComputeNS()
	}
}

// The spread moves speeds from one per type to the ranges that hardware.go states, and the fastest
// type stays at 1.
func TestSpread(t *testing.T) {
	for _, g := range types() {
		var even, wide []float64
		for i := range modelNames() {
			even, wide = append(even, g.speed(i, 0)), append(wide, g.speed(i, 1))
		}
		if slices.Min(even) != slices.Max(even) {
			t.Errorf("%s: %v, want one speed", g.name, even)
		}
		want := map[string][2]float64{"V100": {1, 1}, "P100": {0.54, 1}, "K80": {0.07, 1}}[g.name]
		if lo, hi := slices.Min(wide), slices.Max(wide); lo < want[0] || lo > want[0]+0.02 || hi != want[1] {
			t.Errorf("%s: %v to %v, want %v", g.name, lo, hi, want)
		}
	}
}

// Each form has one name and can be built, and stands in the sweep by place.
func TestForms(t *testing.T) {
	specs := map[string]string{}
	for _, s := range byPlace() {
		if specs[s.name] != "" {
			t.Errorf("two schedulers are called %s", s.name)
		}
		specs[s.name] = s.policy
		_, build, err := policies.All().Parse(s.policy, cluster.BestFit)
		if err == nil {
			_, err = build()
		}
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
	for _, name := range rivals.Names(families()) {
		if specs[name] == "" {
			t.Errorf("the form %s is not in the sweep", name)
		}
	}
}
