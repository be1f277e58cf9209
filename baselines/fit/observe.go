package fit

import (
	"fmt"
	"math"

	"tarry/sim/goodput"
)

// Observation is a measured step.
type Observation struct {
	// Nodes are the machines, Replicas the GPUs, Local the samples of each in the step; 1 or more.
	Nodes, Replicas, Local int
	// StepS is the seconds of the step with synchronisation, SyncS the part of it that
	// synchronises: 0 <= SyncS < StepS.
	StepS, SyncS float64
}

// valid reports what is wrong with an observation.
func (o *Observation) valid() error {
	switch {
	case o.Nodes < 1 || o.Replicas < o.Nodes || o.Local < 1:
		return fmt.Errorf("fit: %d GPUs on %d machines with %d samples each, expected at least one machine, GPU and "+
			"sample, and no more machines than GPUs", o.Replicas, o.Nodes, o.Local)
	case !(o.SyncS >= 0 && o.SyncS < o.StepS && o.StepS <= math.MaxFloat64):
		return fmt.Errorf("fit: a step of %v s of which %v s synchronise, expected 0 <= synchronising < step", o.StepS,
			o.SyncS)
	}
	return nil
}

// The parameters by number.
const (
	alphaC = iota
	betaC
	alphaN
	betaN
	alphaR
	betaR
	gamma
	params
)

// vector is a number for each parameter.
type vector [params]float64

func vectorOf(p goodput.Params) vector {
	return vector{p.AlphaC, p.BetaC, p.AlphaN, p.BetaN, p.AlphaR, p.BetaR, p.Gamma}
}

func (v *vector) params() goodput.Params {
	return goodput.Params{AlphaC: v[alphaC], BetaC: v[betaC], AlphaN: v[alphaN], BetaN: v[betaN], AlphaR: v[alphaR],
		BetaR: v[betaR], Gamma: v[gamma]}
}

// point is an observation made ready: logarithms are taken, and alpha and beta state which
// parameters its synchronising has (0 = none: one replica).
type point struct {
	local, beyond float64
	grad, step    float64 // logarithms of the seconds
	alpha, beta   int
}

// problem is a fit: the points, the parameters that stay as they are, and the others' bounds.
type problem struct {
	points []point
	free   [params]bool
	fixed  vector
	nets   bool // several machines were seen
}

// least is the least value of a time, most the largest Gamma.
const (
	least = 1e-8
	most  = 10
)

// newProblem finds the parameters that the observations determine.
func newProblem(obs []Observation) (*problem, error) {
	if len(obs) == 0 {
		return nil, fmt.Errorf("fit: no observation")
	}
	p := &problem{points: make([]point, len(obs)), free: [params]bool{true, true, true, true, true, true, true}}
	locals, machine, beyond, sum := true, false, false, 0.0
	for i := range obs {
		o := &obs[i]
		if err := o.valid(); err != nil {
			return nil, err
		}
		q := point{local: float64(o.Local), beyond: goodput.Beyond(o.Replicas), grad: math.Log(o.StepS - o.SyncS),
			step: math.Log(o.StepS)}
		switch {
		case o.Nodes > 1:
			q.alpha, q.beta, p.nets = alphaN, betaN, true
		case o.Replicas > 1:
			q.alpha, q.beta, machine = alphaR, betaR, true
		}
		locals = locals && o.Local == obs[0].Local
		beyond = beyond || o.Replicas > 2
		sum += o.StepS - o.SyncS
		p.points[i] = q
	}
	for i := range p.fixed {
		p.fixed[i] = least
	}
	if locals {
		p.free[alphaC], p.fixed[alphaC] = false, sum/float64(len(obs))/2
	}
	p.free[alphaN], p.free[betaN] = p.nets, p.nets && beyond
	p.free[alphaR], p.free[betaR] = machine, machine && beyond
	return p, nil
}
