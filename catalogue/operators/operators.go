// Package operators lists what starts replicas of services and lends machines to training.
package operators

import (
	"tarry/baselines/operate"
	"tarry/sim"
	"tarry/sim/entry"
	"tarry/sim/param"
)

// All lists the operators that tarry ships.
func All() entry.Operators {
	return entry.Operators{
		operator("none", "no replicas; the services' machines are idle or lent", "", operate.NoneParams, operate.NewNone),
		operator("fixed", "as many replicas at all times", "", operate.FixedParams, operate.NewFixed),
		operator("least", "the least replicas for the load and the target, ahead of it and down after a delay", "textbook",
			operate.LeastParams, operate.NewLeast),
		operator("lifecycle", "DeepBoot's life cycle: replicas that are not needed are protected, then sleep until jobs "+
			"need their GPUs", "Chen et al., IEEE TPDS 34(9), 2023", operate.LifecycleParams, operate.NewLifecycle),
		operator("deepboot", "the life cycle, and ATS-I: GPUs where training has least, then the training GPUs that it "+
			"loses least by", "Chen et al., IEEE TPDS 34(9), 2023", operate.DeepBootParams, operate.NewDeepBoot),
		operator("learned", "one replica more or fewer at every epoch, by a rule of the agents of tarry/Replicas-v0", "",
			operate.LearnedParams, operate.NewLearned),
		operator("loans", "as many machines lent as a list states", "", operate.LoansParams, operate.NewLoans),
	}
}

func operator(name, doc, paper, params string, make func(s *param.Set) (sim.Operator, error)) entry.Operator {
	return entry.Operator{Name: name, Doc: doc, Paper: paper, Params: params, New: make}
}
