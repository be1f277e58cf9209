package config

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/run/trial"
)

// powered gives the completion times and the summary of a run, and its measures of energy.
func powered(t *testing.T, policy, power, price string) (jcts, row string, energy map[string]float64) {
	t.Helper()
	c := Default()
	c.Trace, c.Cluster, c.Policies = "synth:demo,jobs=60,load=0.8", "v100:2x2x8", []string{policy}
	c.Power, c.KWhPrice, c.Carbon, c.PowerCap = power, price, price, ""
	if power != "" {
		c.PowerCap = "0.6"
	}
	s, err := Build(c, simulation.All())
	if err != nil {
		t.Fatal(err)
	}
	done, err := trial.Run(context.Background(), s.Trials(), trial.Options{})
	if err != nil {
		t.Fatal(err)
	}
	done[0].Row.ConfigSHA256 = ""
	energy = map[string]float64{}
	for _, m := range done[0].Measures {
		energy[m.Name] = m.Value
	}
	return fmt.Sprint(done[0].JCT), fmt.Sprint(done[0].Row.Summary), energy
}

// Doubling all watts doubles energy, power, cost and carbon and moves nothing else; jobs run as they
// do without power, and a constant price times the energy is the cost.
func TestDoubledWatts(t *testing.T) {
	for _, policy := range []string{"fifo", "dally", "las"} {
		plain, _, none := powered(t, policy, "", "")
		jcts, row, once := powered(t, policy, "auto:cycle_j=1000", "day")
		_, same, twice := powered(t, policy, "auto:cycle_j=1000,scale=2", "day")
		if plain != jcts || row != same {
			t.Errorf("%s: without power\n%s\nwith it\n%s\n%s\ndoubled\n%s", policy, plain, jcts, row, same)
		}
		if len(none) > 0 && none["energy_kwh"] != 0 || once["energy_kwh"] <= 0 || once["energy_cost"] <= 0 {
			t.Errorf("%s: without power %v, with it %v", policy, none, once)
		}
		for name, v := range once {
			want := v
			if strings.HasPrefix(name, "energy_") || strings.HasPrefix(name, "power_") || name == "carbon_kg" {
				want = 2 * v
			}
			if got := twice[name]; math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Errorf("%s: %s is %v, of doubled watts %v, expected %v", policy, name, v, got, want)
			}
		}
		if _, _, flat := powered(t, policy, "auto", "0.25"); math.Abs(flat["energy_cost"]-0.25*flat["energy_kwh"]) >
			1e-9*flat["energy_cost"] {
			t.Errorf("%s: %v kWh cost %v at 0.25", policy, flat["energy_kwh"], flat["energy_cost"])
		}
	}
}
