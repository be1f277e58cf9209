package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	agents "tarry/agents/registry"
	"tarry/baselines"
	"tarry/env"
	"tarry/internal/legible"
	"tarry/internal/release"
	"tarry/run/evaluate"
	"tarry/run/parts"
	"tarry/run/pyactor"
	"tarry/run/pychild"
	"tarry/run/pyentry"
)

// nothing is what --trained-on states of a policy that was not trained.
const nothing = "none"

// actorFlags are the flags of tarry eval for policies that tarry did not train.
func actorFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "actor", Usage: "a policy in Python, `python:MODULE:FUNCTION` or " +
			"NAME=python:MODULE:FUNCTION: FUNCTION(env) gives it; repeatable, several of one NAME are one agent " +
			"trained with several seeds"},
		&cli.StringFlag{Name: "env", Usage: "with --actor, the environment that it acts in, `ID:key=value,...` (see " +
			"tarry list envs)"},
		&cli.StringSliceFlag{Name: "trained-on", Usage: "with --actor, the environment `ID:key=value,...` on whose " +
			"training windows it was trained, none = on none; repeatable (default: --env)"},
		&cli.BoolFlag{Name: "chosen-on-validation", Usage: "with --actor, it saw the windows of validation too"},
		&cli.StringFlag{Name: "python", Value: "python3", EnvVars: []string{"TARRY_PYTHON"},
			Usage: "the `PROGRAM` that has the Python package tarry, for --actor and policies python:MODULE:CLASS"},
	}
}

// evalActors reads the flags of actors. Their processes start when the request is built, and end
// when ctx does; closeAll waits for that.
func evalActors(ctx context.Context, c *cli.Context) (all []evaluate.Actor, closeAll func(), err error) {
	var open []*pyactor.Actor
	closeAll = func() {
		for _, a := range open {
			_ = a.Close()
		}
	}
	stderr := pychild.Shared(legible.NewWriter(legible.Under(c.App.ErrWriter)))
	given := c.StringSlice("actor")
	if len(given) == 0 {
		return nil, closeAll, withoutActor(c)
	}
	var errs []error
	if c.String("env") == "" {
		errs = append(errs, errors.New("--actor without --env, expected --env ID:key=value,...: the environment "+
			"that it acts in"))
	}
	var seen []evaluate.Seen
	for _, on := range trainedOn(c) {
		seen = append(seen, evaluate.Seen{Env: on, Validation: c.Bool("chosen-on-validation")})
	}
	for _, text := range given {
		name, function, err := pyactor.Split(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("--actor: %w", err))
			continue
		}
		make := func(at string, spec *env.Spec) (agents.Policy, string, error) {
			a, err := pyactor.Open(ctx, pyactor.Config{Function: function, Python: c.String("python"),
				Version: release.Version, Env: at, Spec: spec, Stderr: stderr,
				Processes: min(workersOf(c), c.Int("count"))})
			if err != nil {
				return nil, "", err
			}
			open = append(open, a)
			return a, a.SHA256(), nil
		}
		all = append(all, evaluate.Actor{Name: name, What: evaluate.Python, Env: c.String("env"), Policy: make,
			Seen: seen})
	}
	evaluate.Seeds(all)
	return all, closeAll, errors.Join(errs...)
}

// withPython gives catalogues whose policies python:MODULE:CLASS run in the interpreter of --python.
func (from program) withPython(c *cli.Context) *parts.Catalogues {
	out := from.Catalogues
	i := slices.IndexFunc(out.Policies, func(p baselines.Entry) bool { return p.Name == "python" && p.Open != nil })
	if i >= 0 && c.IsSet("python") {
		out.Policies = slices.Clone(out.Policies)
		out.Policies[i] = pyentry.Entry(pyentry.Config{Python: c.String("python")})
	}
	return &out
}

// trainedOn lists the environments on whose windows the actors were trained.
func trainedOn(c *cli.Context) []string {
	on := c.StringSlice("trained-on")
	if len(on) == 0 {
		return []string{c.String("env")}
	}
	return slices.DeleteFunc(slices.Clone(on), func(one string) bool { return one == nothing })
}

// withoutActor refuses the flags that only an actor has a use for.
func withoutActor(c *cli.Context) error {
	var errs []error
	for _, name := range []string{"env", "trained-on", "chosen-on-validation"} {
		if c.IsSet(name) {
			errs = append(errs, fmt.Errorf("--%s without --actor", name))
		}
	}
	return errors.Join(errs...)
}
