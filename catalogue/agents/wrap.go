package agents

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"tarry/agents/registry"

	"tarry/agents/learn"
	"tarry/agents/policy"
	"tarry/env"
)

// acting is a policy of an agent's own package.
type acting[P any] interface {
	Act(dst, obs []float64, mask []bool, r *rand.Rand) error
	Fork() P
}

// trained is a learner of an agent's own package, with policies P.
type trained[P any] interface {
	Update() (registry.Row, error)
	Done() bool
	Save() ([]byte, error)
	Policy() P
	Close() error
}

// maker makes environment i of a run.
type maker = func(i int) (env.Env, error)

// algorithm is what an agent's package has, for its settings C, policies P and learners L.
type algorithm[C any, P acting[P], L trained[P]] struct {
	new    func(c C, workers int, make maker) (L, error)
	resume func(c C, workers int, make maker, saved []byte) (L, error)
	// size is a run's number of updates (0 = that depends on how long episodes are), steps, and
	// environments.
	size func(c *C) (updates, steps, envs int)
}

// config is a Config with settings C.
type config[C any, P acting[P], L trained[P]] struct {
	algorithm[C, P, L]
	settings C
}

func (c config[C, P, L]) JSON() ([]byte, error) { return json.Marshal(c.settings) }

func (c config[C, P, L]) Updates() int {
	updates, _, _ := c.size(&c.settings)
	return updates
}

func (c config[C, P, L]) Steps() int {
	_, steps, _ := c.size(&c.settings)
	return steps
}

func (c config[C, P, L]) Envs() int {
	_, _, envs := c.size(&c.settings)
	return envs
}

func (c config[C, P, L]) New(workers int, make func(i int) (env.Env, error)) (registry.Learner, error) {
	l, err := c.new(c.settings, workers, make)
	return learnerOf(l, err)
}

func (c config[C, P, L]) Resume(workers int, make func(i int) (env.Env, error), saved []byte) (registry.Learner,
	error) {
	l, err := c.resume(c.settings, workers, make, saved)
	return learnerOf(l, err)
}

// learner is a Learner with policies P, imitator one that is an Imitator too.
type (
	learner[P acting[P]]  struct{ trained[P] }
	imitator[P acting[P]] struct {
		learner[P]
		registry.Imitator
	}
)

func learnerOf[P acting[P]](l trained[P], err error) (registry.Learner, error) {
	if err != nil {
		return nil, err
	}
	if i, ok := l.(registry.Imitator); ok {
		return imitator[P]{learner[P]{l}, i}, nil
	}
	return learner[P]{l}, nil
}

func (l learner[P]) Policy() registry.Policy { return frozen[P]{l.trained.Policy()} }

// frozen is a Policy.
type frozen[P acting[P]] struct{ of P }

func (p frozen[P]) Act(dst, obs []float64, mask []bool, r *rand.Rand) error {
	return p.of.Act(dst, obs, mask, r)
}

func (p frozen[P]) Fork() registry.Policy { return frozen[P]{p.of.Fork()} }

// Inner implements registry.Wrapper.
func (p frozen[P]) Inner() any { return p.of }

// loads is the Load of an Entry.
func loads[P acting[P]](load func(saved []byte, spec *env.Spec) (P, error)) func(saved []byte,
	spec *env.Spec) (registry.Policy, error) {
	return func(saved []byte, spec *env.Spec) (registry.Policy, error) {
		p, err := load(saved, spec)
		if err != nil {
			return nil, err
		}
		return frozen[P]{p}, nil
	}
}

// listed are the settings by which learners on the policy read a list in observations.
type listed struct {
	seed       *uint64
	encoder    *string
	candidates **policy.Candidates
	criticOnly *int
	validate   func() error
}

// configure sets settings, which to points to and f has fields of, to what the Spec advises and
// then to what is given.
func (f listed) configure(agent string, to any, s *env.Spec, seed uint64, given []registry.Setting) error {
	from, err := startOf(s)
	if err = errors.Join(err, learn.Advise(s, agent, to)); err != nil {
		return err
	}
	*f.encoder, *f.seed, *f.criticOnly = from.first(), seed, from.criticOnly
	err = registry.Put(to, given)
	from.fit(*f.encoder, f.candidates)
	return errors.Join(err, f.validate())
}
