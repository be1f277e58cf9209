// Package mixture learns a mixture of given controllers (improper reinforcement learning): which of
// them decides is drawn from a softmax of one parameter for each, from 0 on. Discrete and masked
// actions; an action names a controller, as in tarry/Mix-v0. Acting draws as well: the mixture is what
// was learned, its likeliest member may be bad.
//
// Three gradients:
//
//  1. spsa: rollouts at parameters theta + c delta and theta - c delta, delta a vector of random
//     signs; the difference of returns over 2 c delta (Zaki et al., arXiv:2102.08201; Spall, IEEE TAC
//     37(3), 1992). Both sides play the same instances.
//  2. ac: actor-critic (Zaki et al., arXiv:2207.09090): the log-likelihood of what was drawn, weighed
//     by generalised advantages over a linear critic.
//  3. nac: the natural gradient of it: the advantages are regressed on the scores (compatible
//     features), and their weights are the step.
//
// We differ: the critic is fitted anew in each update, by least squares on the returns of its rollouts;
// an action is the member itself, whose own probability of what it decides is not needed; features=true
// has logits that are linear in the observation beside the constant.
//
// Reading guide: mixture.go is the learner, gradient.go the three gradients, track.go one rollout,
// policy.go the mixture, config.go the settings.
package mixture
