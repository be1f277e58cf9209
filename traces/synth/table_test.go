package synth

import (
	"testing"

	"tarry/sim/rng"
)

// Tables that are shared change no job, nor do tables of a law that the configuration no longer has.
func TestTabled(t *testing.T) {
	c, err := Parse("recur:jobs=60,users=10")
	if err != nil {
		t.Fatal(err)
	}
	shared := c.Tabled()
	for range 2 {
		a, err := Generate(c, rng.Source{Seed: 7})
		b, err2 := Generate(shared, rng.Source{Seed: 7})
		if err != nil || err2 != nil || a.Hash() != b.Hash() {
			t.Fatalf("law %s: the jobs differ (%v, %v)", c.Law, err, err2)
		}
		if &shared.tabled()[0] != &shared.tables.of[0] && shared.Law == "multi" {
			t.Error("the tables are made anew")
		}
		c.Law, shared.Law = "philly", "philly"
	}
	if plain, _ := Parse("poisson"); plain.Tabled().tables != nil {
		t.Error("jobs that do not recur have tables")
	}
}
