package ppo

import (
	"tarry/agents/learn"
	"tarry/agents/policy"
)

// Row states how an update went; one per update, numbered from 1.
type Row = learn.Row

// ErrDiverged: a loss or a gradient is not a finite number. The weights are as before the step and
// can still be saved.
var ErrDiverged = learn.ErrDiverged

// Policy is an actor, its critic and what scales their observations. It acts without
// allocating, and serves one goroutine; Fork gives one for another.
type Policy = policy.Policy

// Candidates is the layout of an observation that lists candidates or classes.
type Candidates = policy.Candidates
