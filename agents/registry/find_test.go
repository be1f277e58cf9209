package registry

import (
	"strings"
	"testing"
)

// An agent that is not there is named beside the nearest one; where there are settings behind it, the
// error names their place.
func TestFindFaults(t *testing.T) {
	c := Catalogue{{Name: "ppo"}, {Name: "dqn"}}
	for name, want := range map[string]string{
		"pppo":         `agent "pppo": unknown, expected one of ppo, dqn; did you mean "ppo"?`,
		"ppo:gamma=.9": `agent "ppo:gamma=.9": expected the name ppo alone, and its settings apart: --set gamma=.9`,
		"sac:gamma=.9": `agent "sac:gamma=.9": unknown`,
	} {
		if _, err := c.Find(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %s", name, err, want)
		}
	}
	if e, err := c.Find("dqn"); err != nil || e.Name != "dqn" {
		t.Errorf("%+v, error %v", e, err)
	}
}
