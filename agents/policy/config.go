package policy

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Config states how a policy is built. The zero value is a linear actor without a critic.
type Config struct {
	// Hidden are the sizes of the hidden layers of actor and critic; for candidates the
	// first is the width of the kernels.
	Hidden []int
	// Activation is the function between layers, tanh or relu; "" = tanh.
	Activation string
	// Critic states that there is a critic.
	Critic bool
	// LogStd is the logarithm of a continuous policy's deviation at the start, in units
	// of half the action's range. Squash bounds actions by tanh instead of clipping them.
	LogStd float64
	Squash bool
	// NormObs scales each observation entry by its running mean and deviation.
	NormObs bool
	// CriticOnly is how many numbers at the start of an observation the critic alone reads.
	CriticOnly int
	// Encoder is how observations are read, one of Encoders; "" = by Candidates.
	Encoder string
	// Candidates states that observations list candidates or classes, which share one kernel;
	// nil = the networks are multi-layer perceptrons.
	Candidates *Candidates
	// Places, Temperature and Start are of ByRank. The first Places places of an order count, 0 =
	// DefaultPlaces. Scores have Gumbel noise times Temperature, in the unit of scores, 0 =
	// DefaultTemperature. Start is a vector of a trait.Searchable, to whose scores the network's
	// are added, which begin at 0; nil = the network's alone. A policy with a start has to be bound
	// to act.
	Places      int
	Temperature float64
	Start       []float64
}

// The encoders.
const (
	// MLP reads the whole observation with multi-layer perceptrons.
	MLP = "mlp"
	// ByCandidate judges each of a list by one kernel, and the action chooses one of them.
	ByCandidate = "candidates"
	// ByClass acts for each of a list by one kernel.
	ByClass = "classes"
	// ByRank puts the items of a list in order by a score that one kernel gives each. The first
	// feature of an item is 0 where there is none.
	ByRank = "ranking"
)

// Encoders lists the encoders.
func Encoders() []string { return []string{MLP, ByCandidate, ByClass, ByRank} }

// Validate reports what does not fit together. The ranges of single settings are checked where they
// are declared, in the configuration of a learner.
func (c *Config) Validate() error { return errors.Join(c.validateRanking(), c.validateCandidates()) }

func (c *Config) validateRanking() error {
	var errs []error
	if c.Start != nil && c.Encoder != ByRank {
		errs = append(errs, fmt.Errorf("start is given with encoder %q, expected encoder %q, for environments whose "+
			"actions put a list in order", c.Encoder, ByRank))
	}
	for i, x := range c.Start {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			errs = append(errs, fmt.Errorf("start[%d] is %v, expected a finite number", i, x))
		}
	}
	return errors.Join(errs...)
}

func (c *Config) validateCandidates() error {
	list := c.Candidates
	switch {
	case c.Encoder != "" && !slices.Contains(Encoders(), c.Encoder):
		return nil // a fault by itself
	case list == nil && (c.Encoder == "" || c.Encoder == MLP):
		return nil
	case list == nil:
		return fmt.Errorf("encoder is %q without candidates, expected what states how observations list them", c.Encoder)
	case c.Encoder == MLP:
		return errors.New("encoder is \"mlp\" with candidates, expected none")
	case c.Encoder == ByRank && c.CriticOnly > 0:
		return fmt.Errorf("critic_only is %d with encoder %q, expected 0", c.CriticOnly, ByRank)
	case c.Encoder == ByRank && list.Each != 1:
		return fmt.Errorf("candidates: each is %d with encoder %q, expected 1", list.Each, ByRank)
	case c.Encoder != ByRank && (c.Encoder == ByClass) != (list.Each > 0):
		return fmt.Errorf("candidates: each is %d with encoder %q, expected at least 1 with %q and 0 with others",
			list.Each, c.Encoder, ByClass)
	case list.Choices < 0 || list.Choices > 0 && list.Each > 0:
		return fmt.Errorf("candidates: choices are %d with encoder %q, expected 0, or at least 1 with %q",
			list.Choices, c.Encoder, ByCandidate)
	case list.Each > 0 && list.Extra != 0:
		return fmt.Errorf("candidates: extra is %d with encoder %q, expected 0", list.Extra, c.Encoder)
	}
	if c.NormObs {
		return errors.New("norm_obs is true with candidates, expected false: each place in the list would be scaled " +
			"in its own way")
	}
	if len(c.Hidden) == 0 {
		return errors.New("hidden is empty, expected the width of the candidates' kernels")
	}
	return list.shape(1).Validate()
}
