package catalogue

import (
	"fmt"
	"strings"
	"testing"

	"tarry/agents/registry"
	"tarry/baselines"
	"tarry/sim/speed"
	"tarry/traces"
)

// What tarry ships can be named, every entry under a name of its own.
func TestAll(t *testing.T) {
	if err := All().Validate(); err != nil {
		t.Error(err)
	}
}

// A name that two entries have, or an entry that lacks what makes it, is reported; all are reported
// at once.
func TestValidate(t *testing.T) {
	c := All()
	c.Policies = append(c.Policies, c.Policies[0], baselines.Entry{Name: "mine"})
	c.Traces = append(c.Traces, traces.Format{Name: "philly", Open: c.Traces[0].Open},
		traces.Format{Open: c.Traces[0].Open})
	c.Speeds = append(c.Speeds, speed.Kind{Name: "fast"})
	c.Envs = append(c.Envs, c.Envs[1])
	c.Agents = append(c.Agents, registry.Entry{Name: "mine", Configure: c.Agents[0].Configure})
	c.Optimisers = append(c.Optimisers, c.Optimisers[2])
	c.Questions = append(c.Questions, c.Questions[3])
	last := func(n int) string { return fmt.Sprintf("%d)", n) }
	err := c.Validate()
	if err == nil {
		t.Fatal("nothing is reported")
	}
	want := []string{
		`catalogue: two entries are called policy "fifo" (1 and ` + last(len(c.Policies)-1),
		`catalogue: policy "mine" has no constructor`,
		`catalogue: two entries are called trace format "philly" (1 and ` + last(len(c.Traces)-1),
		fmt.Sprintf("catalogue: trace format %d has no name", len(c.Traces)),
		`catalogue: speed model "fast" has no constructor`,
		`catalogue: two entries are called environment "classic/Pendulum-v1" (2 and `,
		`catalogue: agent "mine" has no constructor`,
		`catalogue: two entries are called optimiser "grid" (3 and ` + last(len(c.Optimisers)),
		`catalogue: two entries are called question "timers" (4 and ` + last(len(c.Questions)),
	}
	got := strings.Split(err.Error(), "\n")
	if len(got) != len(want) {
		t.Fatalf("reported:\n%v", err)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("fault %d is\n%s\nexpected\n%s", i, got[i], want[i])
		}
	}
}
