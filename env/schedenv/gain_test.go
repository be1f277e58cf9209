package schedenv

import (
	"strings"
	"testing"

	"tarry/sim"
)

// The reward gain takes no horizon, in no scenario of a mixture.
func TestGainTakesNoHorizon(t *testing.T) {
	c := timidEnv(t, brief+"warm=0,horizon=30,reward=gain").cfg
	c.Regimes = []Config{c, c}
	if err := c.Validate(); err != nil {
		t.Errorf("without a horizon: %v", err)
	}
	c.Regimes[1].Horizon = 5 * 3600 * sim.Second
	if err := c.Validate(); err == nil || !strings.HasPrefix(err.Error(), "horizon is 5 leases with reward gain") {
		t.Errorf("error %v, expected one of the horizon", err)
	}
}
