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

// The first users of a site are drawn once for all workloads of a configuration. None changes them
// for the next, and a configuration with another site, or other users, has its own.
func TestTabledSites(t *testing.T) {
	c, err := Parse("recur-drift:jobs=80,users=10,stay=5,renew=2")
	if err != nil {
		t.Fatal(err)
	}
	shared := c.Tabled()
	if shared.tables.first == nil {
		t.Fatal("the first users are drawn for each workload")
	}
	for name, change := range map[string]func(*Config){
		"as it was":      func(*Config) {},
		"another site":   func(c *Config) { c.Recur.Site = 9 },
		"no common site": func(c *Config) { c.Recur.Site = 0 },
		"more users":     func(c *Config) { c.Users = 12 },
		"another signal": func(c *Config) { c.Recur.Signal = 0.5 },
		"another law":    func(c *Config) { c.Law = "philly" },
		"other models":   func(c *Config) { c.Models = []Weighted{{"resnet50", 1}, {"bert", 2}} },
	} {
		for seed := range uint64(3) {
			plain, with := c, shared
			change(&plain)
			change(&with)
			a, err := Generate(plain, rng.Source{Seed: seed})
			b, err2 := Generate(with, rng.Source{Seed: seed})
			if err != nil || err2 != nil || a.Hash() != b.Hash() || plain.MeanRate() != with.MeanRate() {
				t.Fatalf("%s, seed %d: the jobs differ (%v, %v)", name, seed, err, err2)
			}
		}
	}
}
