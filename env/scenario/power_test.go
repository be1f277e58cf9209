package scenario_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env/scenario"
	"tarry/sim/param"
)

// built makes a scenario of settings.
func built(t *testing.T, text string) (*scenario.Setup, error) {
	t.Helper()
	s, sc := param.Parse("test", text), scenario.Default()
	sc.Read(s)
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return sc.Build(simulation.All())
}

// The settings give the machines of the run's cluster their specs and the run its series; a cap up to
// 1 is a part of what the cluster draws at most. Files are recorded.
func TestPower(t *testing.T) {
	prices := filepath.Join(t.TempDir(), "prices.csv")
	if err := os.WriteFile(prices, []byte("hour,price\n0,0.1\n1,0.3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := built(t, "cluster=v100:1x2x4+a100:1x1x8,power=auto:boot_s=9,kwh_price="+param.Quote(prices+",every_s=7200")+
		",carbon=300,power_cap=0.5,speed=counting")
	if err != nil {
		t.Fatal(err)
	}
	m := s.Power()
	if m == nil || m.Spec(1).Name != "v100" || m.Spec(2).Name != "a100" || m.Spec(2).BootS != 9 {
		t.Fatalf("power is %+v", m)
	}
	most := 2*(520+4*176.9) + 6500
	if got := m.Cap.At(5); got < most/2-1e-6 || got > most/2+1e-6 {
		t.Errorf("half of the maximum is %v W, expected %v", got, most/2)
	}
	if m.Carbon.At(0) != 300 || m.Price.At(3600e6) != 0.3 || m.Price.At(7200e6) != 0.1 {
		t.Errorf("series %+v, %+v", m.Carbon, m.Price)
	}
	if len(s.Files) != 1 || s.Files[0].Path != prices {
		t.Errorf("files %+v", s.Files)
	}
	_, part, _, err := s.PartOf(4)
	if err != nil || len(part.Of) != 1 || math.Abs(part.Cap.At(0)-(520+4*176.9)/2) > 1e-9 {
		t.Errorf("a part of 4 GPUs has %+v, %v", part, err)
	}
	for _, text := range []string{"speed=counting", "speed=counting,power=none,kwh_price=none"} {
		if s, err := built(t, text); err != nil || s.Power() != nil {
			t.Errorf("%s: %+v, %v", text, s.Power(), err)
		}
	}
}

// Faults have the place of their setting, the value and what was expected.
func TestPowerFaults(t *testing.T) {
	for text, want := range map[string]string{
		"power=auto":                            `power "auto": GPU type "" names no spec`,
		"power=v10":                             `unknown spec "v10"`,
		"power=v100:boot_z=3":                   `unknown key "boot_z"`,
		"kwh_price=3":                           `kwh_price is "3" without power, expected what machines draw`,
		"power=a100,carbon=none.csv":            "no such file",
		"power=a100,power_cap=-3":               `power_cap is "-3", expected a number in 0..1e+12`,
		"power=v10,kwh_price=dya,power_cap=day": `kwh_price is "dya"`,
	} {
		_, err := built(t, "speed=counting,"+text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %s", text, err, want)
		}
		if strings.HasPrefix(text, "power=v10,") && strings.Count(err.Error(), "\n") != 2 {
			t.Errorf("%s: %v, expected three faults", text, err)
		}
	}
}
