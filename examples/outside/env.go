package main

import (
	"tarry/env"
	"tarry/env/layout"
	"tarry/env/registry"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/trait"
	"tarry/sim/param"
)

const turnID = "outside/Turn-v0"

// turnEntry shows an environment: while jobs wait, the agent chooses at each instant between the
// order of arrival (0) and the smallest job first (1). Windows of jobs, warm starts, snapshots and
// all options are as in tarry/env/schedenv; turn.go has the scheduler that asks.
//
// Its Layout and Guide state what it sees, does and is rewarded with: tarry list envs outside/Turn-v0
// prints them.
func turnEntry() registry.Entry {
	return registry.Entry{ID: turnID, Doc: "order of arrival, or the smallest job first", Rows: schedenv.Rows,
		New:  newTurn,
		Read: func(from scenario.Catalogues, s *param.Set) { schedenv.Read(s, from) }}
}

func newTurn(from scenario.Catalogues, options string) (env.Env, error) {
	s := param.Parse(turnID, options)
	c := schedenv.Read(s, from)
	if err := s.Err(); err != nil {
		return nil, err
	}
	e, err := schedenv.New(c, env.Spec{ID: turnID, Options: options, Observation: env.NewBox(0, 1, 3),
		Action: env.Discrete{N: 2},
		Layout: layout.Observation{Segments: []layout.Segment{{Name: "queue", Items: 1, Features: layout.Features(`
free  0..1  share  free GPUs / GPUs
waiting  0..1  ratio, squashed  jobs that wait / 8
fits  0, 1  flag  1 if the oldest of them fits`)}}},
		Guide:  layout.Guide{Action: layout.Features("0  order of arrival\n1  the smallest job first")},
		Advice: env.Advice{"ppo": {"hidden": []int{8}}}}, func() schedenv.Scheduler { return new(turn) })
	if err != nil {
		return nil, err
	}
	e.Spec().Guide.Reward = "1 - the number waiting, after each action that takes time"
	return rewarded{e}, nil
}

// rewarded rewards the agent for a short queue. What it does not declare is the inner environment's:
// windows, snapshots, baselines.
type rewarded struct{ *schedenv.Env }

func (r rewarded) Step(action []float64) (env.Step, error) {
	s, err := r.Env.Step(action)
	return paid(s), err
}

func (r rewarded) Restore(data []byte) (env.Step, error) {
	s, err := r.Env.Restore(data)
	return paid(s), err
}

// Another gives the same environment on another part: validation, test.
func (r rewarded) Another(p trait.Part) (env.Env, error) {
	e, err := r.Env.Another(p)
	if err != nil {
		return nil, err
	}
	return rewarded{e.(*schedenv.Env)}, nil
}

func paid(s env.Step) env.Step {
	if s.Obs != nil && s.Info.Elapsed > 0 {
		s.Reward = 1 - s.Obs[1]
	}
	return s
}
