package evaluate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	agents "tarry/agents/registry"
	"tarry/env"
	"tarry/env/registry"
	"tarry/env/schedenv"
	"tarry/output/results"
	"tarry/run/train"
)

// Python is what a policy of Python is, however it is asked.
const Python = "a policy in Python"

// Actor is a frozen agent from elsewhere: no checkpoint of tarry train, but measured as one.
type Actor struct {
	// Name stands in the tables; What states in a few words what it is.
	Name, What string
	// Kind, unless "", is the kind of agents that differ in the seed of their training alone: they
	// are taken together, too.
	Kind string
	// Env is the environment that it acts in, ID or ID:key=value,...; the options of the request go
	// over it.
	Env string
	// Policy makes it, once, for environments of a spec; at is ID:key=value,... of the environment
	// that it is measured in, and sha256 the hash of what it is, "" = unknown. It acts without
	// random draws; several runs at once use a Fork each.
	Policy func(at string, spec *env.Spec) (p agents.Policy, sha256 string, err error)
	// Seen is what it must not be measured on; nil = it has seen nothing.
	Seen []Seen
}

// Seen is an environment on whose windows an agent trained: the windows of part train and, if
// Validation, of validation.
type Seen struct {
	Env        string
	Validation bool
}

// addActors puts the actors of the request behind its checkpoints. The errors are all faults.
func (s *Setup) addActors(m *registry.Maker, r *Request, on *measured) (errs []error) {
	for i := range r.Actors {
		a := &r.Actors[i]
		if a.Name == "" || slices.Contains(s.Policies, a.Name) || slices.Contains(r.Baselines, a.Name) {
			errs = append(errs, fmt.Errorf("an actor has the name %q, expected one that no other policy has", a.Name))
			continue
		}
		if err := s.addActor(m, a, r, on); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// addActor adds one, once its name is found to be good.
func (s *Setup) addActor(m *registry.Maker, a *Actor, r *Request, on *measured) error {
	id, options, _ := strings.Cut(a.Env, ":")
	options = r.over(options)
	e, err := policyEnvOf(m, id, options)
	if err != nil {
		return fmt.Errorf("%s: %w", a.Name, err)
	}
	if err := on.same(s, a.Name, "acts on", a.Env, options, e); err != nil {
		return err
	}
	for _, seen := range a.Seen {
		t, err := train.Saw(s.from, m, seen.Env, seen.Validation)
		if err != nil {
			return fmt.Errorf("%s, trained on %s: %w", a.Name, seen.Env, err)
		}
		k := known{t, a.Name, ""}
		if !seen.Validation {
			k.spared = schedenv.Validation
		}
		on.known = append(on.known, k)
	}
	p, sha256, err := a.Policy(id+":"+options, e.spec)
	if err != nil {
		return fmt.Errorf("%s: %w", a.Name, err)
	}
	what := fmt.Sprintf("%s, %s in %s", a.Name, a.What, id)
	if sha256 != "" {
		what += ", sha256 " + sha256
	}
	kind := cmp.Or(a.Kind, a.Name)
	f := &Frozen{Name: a.Name, Agent: what, family: kind, kind: "actor " + kind, foreign: true, validation: math.NaN(),
		seed: results.NoSeed, sha256: sha256, env: e, options: options, policy: p, clock: r.Clock, stop: r.Stop}
	s.Policies, s.Agents = append(s.Policies, a.Name), append(s.Agents, f)
	on.envs = append(on.envs, e)
	return nil
}

// legal writes some action that an environment takes, in place of one that it does not: the run
// ends soon, and its result is not used.
func legal(s *env.Spec, mask []bool, action []float64) {
	clear(action)
	switch space := s.Action.(type) {
	case env.Discrete:
		action[0] = float64(space.Start + max(0, slices.Index(mask, true)))
	case env.Box:
		for i := range action {
			action[i] = min(max(0, space.Low[i]), space.High[i])
		}
	}
}

// Seeds gives actors of the same name, one for each seed of their training, that name as their kind
// and names with numbers of their own.
func Seeds(all []Actor) {
	count, next := map[string]int{}, map[string]int{}
	for _, a := range all {
		count[a.Name]++
	}
	for i := range all {
		if name := all[i].Name; count[name] > 1 {
			next[name]++
			all[i].Kind, all[i].Name = name, fmt.Sprintf("%s-%d", name, next[name])
		}
	}
}
