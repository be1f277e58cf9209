package results

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"tarry/catalogue/envs"
	"tarry/catalogue/simulation"
	"tarry/catalogue/traces"
	"tarry/env"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/sim/param"
)

func TestSettings(t *testing.T) {
	seen := map[string]bool{}
	for i, s := range settings() {
		if name := fmt.Sprintf("%s-%d-%s", s.workload, s.gpus, s.speed); s.name != name || seen[name] {
			t.Errorf("setting %d is %q, want %q, once", i, s.name, name)
		}
		seen[s.name] = true
		if s.large != (s.gpus == 512) || i < 14 != (s.gpus == 64) {
			t.Errorf("setting %d, %s, is large %v", i, s.name, s.large)
		}
	}
	if len(seen) != 28 || settings()[0].name != "synth-0.9-64-collective" {
		t.Errorf("%d settings, the first of them %s", len(seen), settings()[0].name)
	}
}

// Every setting has the windows that training, validation and measuring ask for, and the cluster
// that its name states.
func TestSettingsHaveWindows(t *testing.T) {
	t.Chdir("../..")
	for _, s := range settings() {
		if testing.Short() && s.large {
			continue
		}
		path := param.Parse("", s.options).Text("trace", "")
		if _, file := scenario.TraceFile(traces.All(), path); path != "" {
			if _, err := os.Stat(file); err != nil {
				t.Logf("%s is left out, its jobs are not there (tarry reproduce order --data): %v", s.name, err)
				continue
			}
		}
		e, err := envs.All().Make(simulation.All(), timers+":"+s.options+","+common)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		on, ok := env.Find[*schedenv.Env](e)
		if !ok {
			t.Fatalf("%s is no environment of a cluster", s.name)
		}
		c := on.Config()
		if n := c.Topology.GPUs(); n != s.gpus {
			t.Errorf("%s has %d GPUs", s.name, n)
		}
		for p, least := range map[schedenv.Part]int{schedenv.Train: 30, schedenv.Validation: 16, schedenv.Test: 30} {
			n := c.Source.Windows(p)
			if n < least {
				t.Errorf("%s has %d windows of part %s, expected at least %d", s.name, n, p, least)
			}
			if w, err := c.Source.Window(p, n-1); err != nil || len(w.Jobs) < 50 &&
				!strings.HasPrefix(s.workload, "philly") {
				t.Errorf("%s: the last window of part %s has jobs %v, %v", s.name, p, w, err)
			}
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}
