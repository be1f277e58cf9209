package reinforce_test

import (
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/reinforce"
)

func TestImitates(t *testing.T) {
	agenttest.Imitates(t, func() (*reinforce.Learner, error) {
		return reinforce.New(reinforce.Default(), 1, agenttest.Classic(cartPole))
	})
}
