package delaytimer

import (
	"errors"
	"testing"

	"tarry/env"
	envc "tarry/env/cluster"
	"tarry/env/envtest"
)

func TestCheckEnv(t *testing.T) {
	for name, build := range map[string]func(string) (env.Env, error){"continuous": Make, "discrete": MakeDiscrete} {
		for _, c := range []struct {
			options   string
			maxAllocs float64
		}{
			{"cluster=2x2x4,windows=4,warm=6,horizon=24", 0},
			{"cluster=2x2x8,windows=3,warm=6,horizon=30,checkpoint_s=30,restore_s=10,reward=relative,part=validation", 0},
			// This speed model allocates by itself when jobs come and go.
			{"cluster=2x2x4,windows=5,warm=6,horizon=24,speed=contended,reward=comm", -1},
		} {
			t.Run(name, func(t *testing.T) {
				envtest.CheckEnv(t, envtest.Config{New: func() (env.Env, error) { return build(c.options) },
					ResetOptions: []string{"window=2"}, MaxAllocs: c.maxAllocs, Identity: identity})
			})
		}
	}
}

// identity asks the environment whether the rewards are what they stand for.
func identity(e env.Env, sum env.Episode) error {
	c, ok := env.Find[*envc.Env](e)
	if !ok {
		return errors.New("no environment over the simulator inside")
	}
	return c.Identity(sum.Return)
}
