package registry

import "reflect"

// common lists the settings that several learners have: their meanings and ranges, each in one
// place. A field of such a key needs no tags about and range; one that has them states how its
// learner differs.
func common() map[string]About {
	return map[string]About{
		// the length of a run
		"total_steps": {Meaning: "environment steps of a run, counted over all environments",
			Range: "at least one update"},
		"envs": {Meaning: "environments that are stepped together", Range: "[1,inf)"},
		"steps": {Meaning: "steps of each environment in one update, which is a row of the curves",
			Range: "[1,inf)"},
		// the optimiser
		"learning_rate": {Meaning: "learning rate of Adam", Range: "(0,1]"},
		"anneal":        {Meaning: "the learning rate falls linearly to 0 at the end"},
		"adam_eps":      {Meaning: "what Adam adds to the root of the second moment", Range: "(0,1]"},
		"max_grad_norm": {Meaning: "bound of the norm of the gradient; 0 = none", Range: "[0,inf)"},
		// returns
		"gamma": {Meaning: "discount of rewards per unit of time: a lease in environments over the simulator, " +
			"a step elsewhere; 1 = none", Range: "(0,1]"},
		"lambda": {Meaning: "lambda of generalised advantage estimation; 1 = returns over all steps of a rollout",
			Range: "[0,1]"},
		"n_steps":  {Meaning: "steps over which rewards are summed before a value is trusted", Range: "[1,inf)"},
		"norm_obs": {Meaning: "observations are scaled by their running mean and deviation, clipped at 10"},
		"norm_reward": {Meaning: "rewards are divided by the running deviation of the discounted return " +
			"(ppo, a2c: and clipped at 10)"},
		// the loss
		"entropy_coef": {Meaning: "weight of the entropy against the loss of the policy", Range: "[0,10]"},
		"value_coef":   {Meaning: "weight of the loss of values against the loss of the policy", Range: "[0,100]"},
		// the store of learners off the policy
		"buffer":          {Meaning: "environment steps that are kept to learn from", Range: "[1,inf)"},
		"learning_starts": {Meaning: "environment steps before learning begins", Range: "[0,inf)"},
		"train_every":     {Meaning: "environment steps between two rounds of learning", Range: "[1,inf)"},
		"gradient_steps":  {Meaning: "minibatches of a round of learning", Range: "[1,inf)"},
		"batch":           {Meaning: "transitions of a minibatch; at least 2 with demonstrations", Range: "[1,inf)"},
		"demo_share":      {Meaning: "part of each minibatch that is demonstrated; needs imitate", Range: "(0,1)"},
		"demo_weight":     {Meaning: "weight of the loss of demonstrations; 0 = none; needs imitate", Range: "[0,1e6]"},
		// the networks
		"hidden": {Meaning: "sizes of the hidden layers, such as 64,64; for a list (encoder) the first is the width " +
			"of its kernel",
			Range: wholes},
		"activation": {Meaning: "function between the layers of the networks; empty = tanh, relu for perceptrons of " +
			"dqn and sac", Range: "tanh, relu"},
		"critic_only": {Meaning: "numbers at the start of an observation that the critic alone reads, not the " +
			"actor; environments state theirs", Range: "[0,inf)"},
		"log_std": {Meaning: "natural logarithm of the deviation of continuous actions at the start, in halves of " +
			"the range of an action",
			Range: "[-20,2]"},
		"squash": {Meaning: "continuous actions are bounded by tanh instead of clipping"},
		"encoder": {Meaning: "how observations are read: mlp as a whole; candidates: one kernel judges each of a " +
			"list, of which " +
			"the action chooses one; classes: one kernel acts for each of a list; ranking: one kernel scores each " +
			"of a list, " +
			"which the action puts in order; empty = by candidates", Range: "mlp, candidates, classes, ranking"},
		"candidates": {Meaning: "layout of the list in an observation, as JSON; environments over the simulator " +
			"have theirs",
			Range: "a JSON object"},
	}
}

// about is the meaning and the range of a field: from its tags, or else from the settings that
// learners share.
func about(f reflect.StructField) (meaning, takes string) {
	shared := common()[keyOf(f)]
	if meaning = f.Tag.Get("about"); meaning == "" {
		meaning = shared.Meaning
	}
	if takes = f.Tag.Get("range"); takes == "" {
		takes = shared.Range
	}
	if f.Type.Kind() == reflect.Bool {
		takes = "true or false"
	}
	return meaning, takes
}
