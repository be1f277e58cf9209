package schedenv

import (
	"strings"
	"testing"

	"tarry/sim"
)

// An agent is not trained by the reward gain under a horizon, in no scenario of a mixture.
func TestGainIsNotTrainedUnderAHorizon(t *testing.T) {
	e := timidEnv(t, brief+"warm=0,horizon=30,reward=gain")
	e.cfg.Horizon = 0
	e.cfg.Regimes = []Config{e.cfg, e.cfg}
	if err := e.Trainable(); err != nil {
		t.Errorf("without a horizon: %v", err)
	}
	e.cfg.Regimes[1].Horizon = 5 * 3600 * sim.Second
	if err := e.Trainable(); err == nil || !strings.HasPrefix(err.Error(), "horizon is 5 leases with reward gain") {
		t.Errorf("error %v, expected one of the horizon", err)
	}
	e.cfg.Reward.Kind = "bsld"
	if err := e.Trainable(); err != nil {
		t.Errorf("with another reward: %v", err)
	}
}
