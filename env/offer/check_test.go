package offer

import (
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/schedtest"
)

func TestCheckEnv(t *testing.T) {
	for name, build := range map[string]func(string) (env.Env, error){ID: schedtest.Over(simulation.All(), Make)} {
		for _, options := range []string{"cluster=4x2x4,windows=4,warm=6,horizon=48",
			"cluster=4x2x4,windows=4,warm=6,horizon=48,load=2,hide=places+patience",
			"cluster=4x2x4,windows=4,warm=6,horizon=48,speed=contended",
			"cluster=2x2x8,windows=3,warm=6,horizon=30,checkpoint_s=30,restore_s=10,reward=relative,part=validation",
			`cluster=4x2x4,windows=4,warm=6,horizon=48,load=2,elastic="min=1,max=2x",deadlines="tightness=2"`} {
			t.Run(name, func(t *testing.T) {
				envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) { return build(options) },
					ResetOptions: []string{"window=2"}, Identity: schedtest.Identity})
			})
		}
	}
}
