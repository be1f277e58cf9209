package envs

import (
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/inspect"
	"tarry/env/pick"
	"tarry/env/schedenv"
	"tarry/env/vec"
)

// begins reports whether an environment's windows begin with an empty cluster.
func begins(id string) bool { return id == pick.ID || id == inspect.ID }

// After a reset the info states how things stand, as after a step: a warm start leaves jobs in the
// system. The jobs' time in the system counts since the last step: 0. One environment and several
// in a vector say the same.
func TestInfoAfterReset(t *testing.T) {
	for _, entry := range All() {
		if modelID(entry.ID) || !strings.HasPrefix(entry.ID, "tarry/") {
			continue
		}
		text := entry.ID + ":cluster=2x2x4,warm=12,horizon=24,windows=4,load=1.2"
		if begins(entry.ID) {
			text = entry.ID + ":cluster=2x2x4,window_jobs=60,windows=4"
		}
		t.Run(entry.ID, func(t *testing.T) {
			fresh := func(int) (env.Env, error) { return All().Make(simulation.All(), text) }
			e, err := fresh(0)
			if err != nil {
				t.Fatal(err)
			}
			seed := uint64(3)
			_, info, err := e.Reset(&seed, "")
			if err != nil {
				t.Fatal(err)
			}
			on, _ := env.Find[*schedenv.Env](e)
			v, m := on.View(), info.Metrics
			now, jobs := float64(v.Now())/3.6e9, v.Waiting()+v.Draining()+len(v.Running())
			if m[0] != now || m[1] != float64(jobs) || m[2] != float64(v.Waiting()) || m[3] != 0 || jobs == 0 ||
				!begins(entry.ID) && now < 12 {
				t.Errorf("metrics %v after a reset, at %v leases with %d jobs, %d of which wait", m, now, jobs,
					v.Waiting())
			}
			all, err := vec.New(vec.Config{N: 2, New: fresh, Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			defer all.Close()
			b, err := all.Reset()
			if err != nil {
				t.Fatal(err)
			}
			for i := range 2 {
				if m := b.MetricsOf(i); m[1] == 0 || m[1] < m[2] || m[3] != 0 || !begins(entry.ID) && m[0] < 12 {
					t.Errorf("environment %d of a vector has metrics %v after a reset", i, m)
				}
			}
		})
	}
}
