package preempt

import (
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/envtest"
	"tarry/env/schedtest"
)

func TestCheckEnv(t *testing.T) {
	for name, build := range map[string]func(string) (env.Env, error){ID: schedtest.Over(simulation.All(), Make)} {
		for _, options := range []string{"cluster=2x2x4,windows=4,warm=6,horizon=24",
			"cluster=2x2x8,windows=3,warm=6,horizon=30,checkpoint_s=30,restore_s=10,reward=relative,part=validation," +
				"hide=queue+work+gain",
			"cluster=2x2x4,windows=4,warm=6,horizon=24,order=srpt,reward=relative",
			"cluster=2x2x4,windows=4,warm=6,horizon=24,order=las,hide=work+network",
			"cluster=2x2x4,windows=4,warm=6,horizon=24,load=1.2,base=fifo,reward=relative",
			`cluster=2x2x4,windows=4,warm=6,horizon=24,checkpoint_s=5,base="sjf:block=true"`,
			`cluster=2x2x4,windows=4,warm=6,horizon=24,load=1.2,elastic="min=1,max=2x",deadlines="tightness=2"`} {
			t.Run(name, func(t *testing.T) {
				allocs := 0.0
				if strings.Contains(options, "base=") { // its lists grow anew in each episode
					allocs = 1
				}
				envtest.CheckEnv(t, envtest.Config{MaxAllocs: allocs,
					New: func() (env.Env, error) { return build(options) }, ResetOptions: []string{"window=2"},
					Identity: schedtest.Identity})
			})
		}
	}
}
