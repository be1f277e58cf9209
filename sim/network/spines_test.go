package network

import (
	"math"
	"strings"
	"testing"
)

func TestSpinesAreChecked(t *testing.T) {
	for want, s := range map[string]Spines{
		"":                                      {},
		"count is 0, expected 1..64":            {Rails: 2},
		"count is 65, expected 1..64":           {Count: 65},
		"cores is 2, expected 0 without pods":   {Count: 2, Cores: 2},
		"cores is 0, expected a number >= 1":    {Count: 2, PodRacks: 2},
		"count x cores is 68, expected at most": {Count: 4, Cores: 17, PodRacks: 1},
		"rails is -1, expected 0..64":           {Count: 4, Rails: -1},
		"GB/s is NaN, expected a number >= 0":   {Count: 4, GBps: math.NaN()},
		"core GB/s is -1, expected":             {Count: 4, CoreGBps: -1},
		"pod racks is -1, expected":             {Count: 4, PodRacks: -1},
	} {
		if err := s.validate(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, expected %q", s, err, want)
		}
	}
}

func TestPeriod(t *testing.T) {
	for _, c := range []struct{ compute, transfer, solo, release float64 }{
		{2, 1, 3, 1}, {2, 1, 2.5, .75}, {2, 1, 2, .5}, {2, 3, 3, 0}, {1, 4, 4.5, .5}, {0, 2, 2, 0}, {5, 0, 5, 1},
	} {
		p := PeriodOf(c.compute, c.transfer, c.solo)
		if p.ReleaseFrac != c.release || math.Abs(p.SoloS()-c.solo) > 1e-15 {
			t.Errorf("%+v: %+v, alone %v", c, p, p.SoloS())
		}
	}
}
