// Package policy is the policy that learners of the policy-gradient family share: a network that
// gives the distribution of an action, and beside it a critic.
//
// Reading guide. Config (config.go) states how a policy is built; Policy (policy.go) draws actions
// and judges observations; Layout (layout.go) reads an environment's spaces; convert.go goes
// between raw actions and the environment's; Likelihood (graph.go) is the actor in the graph of a
// loss; ranking.go has the law of actions that put a list in order.
package policy
