package policysearch_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tarry/agents/agenttest"
	"tarry/env"
	"tarry/env/trait"
)

// toy is an environment with two parameters, whose best values differ a little from window to
// window around (0.7, -2). The second is bounded at -1.5.
type toy struct {
	env.Env
	part  trait.Part
	plays *int
}

// toys makes toys around a probe of one observation and one number as action.
func toys(t testing.TB) func(int) (env.Env, error) {
	t.Helper()
	return func(i int) (env.Env, error) {
		e, err := agenttest.Probe("probe/Match-v0")(i)
		return &toy{Env: e, part: trait.Train, plays: new(int)}, err
	}
}

func (e *toy) Part() trait.Part          { return e.part }
func (e *toy) Windows(trait.Part) int    { return 12 }
func (e *toy) Unwrap() env.Env           { return e.Env }
func (e *toy) Snapshot() ([]byte, error) { return env.Snapshot(e.Env) }
func (e *toy) WindowHash(p trait.Part, i int) (string, error) {
	return fmt.Sprint(p, i), nil
}

func (e *toy) Parameters() []trait.Parameter {
	return []trait.Parameter{{Name: "a", Sigma: 0.5, Lo: math.Inf(-1), Hi: math.Inf(1)},
		{Name: "b", Start: 1, Sigma: 1, Lo: -1.5, Hi: 9}}
}

func (e *toy) Play(_ context.Context, x []float64, p trait.Part, window int) (trait.Outcome, error) {
	*e.plays++
	if window%5 == 4 {
		return trait.Outcome{}, trait.ErrNoQuestion
	}
	if p != trait.Train || x[1] < -1.5 {
		return trait.Outcome{}, fmt.Errorf("part %s, parameters %v", p, x)
	}
	shift := 0.1 * float64(window%3-1)
	a, b := x[0]-0.7-shift, x[1]+2+shift
	return trait.Outcome{Cost: (1 + float64(window)) * (1 + a*a + b*b)}, nil
}

func (e *toy) Answer(dst, obs, x []float64) error {
	dst[0] = 0
	if x[0]+obs[0] > 1 {
		dst[0] = 1
	}
	return nil
}
