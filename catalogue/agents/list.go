package agents

import (
	"tarry/agents/policy"
	"tarry/env"
)

// start is what an environment states of where a policy starts from: the list in its observations,
// and the encoder for it ("" = no list).
type start struct {
	encoder string
	list    *policy.Candidates
	// criticOnly is how many numbers of an observation are for a critic alone.
	criticOnly int
}

// startOf reads a spec; nil states nothing.
func startOf(s *env.Spec) (start, error) {
	if s == nil {
		return start{}, nil
	}
	l, err := s.List()
	out := start{criticOnly: s.Layout.CriticOnly()}
	if err != nil || l == nil {
		return out, err
	}
	out.encoder, out.list = policy.ByCandidate, &policy.Candidates{Global: l.Global, Features: l.Features, Extra: l.Extra,
		Each: l.Each, Choices: l.Choices, Present: l.Present}
	switch {
	case l.Ranks:
		out.encoder = policy.ByRank
	case l.Each > 0:
		out.encoder = policy.ByClass
	}
	return out, nil
}

// first is the encoder where none is chosen: one kernel where an action chooses one of a list or
// puts it in order, so that an agent serves lists of any length; else "". By class: README of
// agents/ppo, "Classes".
func (s *start) first() string {
	if s.encoder == policy.ByCandidate || s.encoder == policy.ByRank {
		return s.encoder
	}
	return ""
}

// fit sets the layout of a list by the encoder that was chosen, where the environment states what
// it is.
func (s *start) fit(chosen string, to **policy.Candidates) {
	switch {
	case chosen == policy.MLP:
		*to = nil
	case chosen != "" && (chosen == s.encoder || chosen == policy.ByClass && s.encoder == policy.ByRank) && *to == nil:
		*to = s.list
	}
}
