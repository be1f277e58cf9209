package a2c_test

import (
	"testing"

	"tarry/agents/a2c"
	"tarry/agents/agenttest"
)

func TestImitates(t *testing.T) {
	agenttest.Imitates(t, func() (*a2c.Learner, error) {
		return a2c.New(a2c.Default(), 1, agenttest.Classic(cartPole))
	})
}
