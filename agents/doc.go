// Package agents has learning algorithms, one package each, and what they stand on.
//
// Reading guide: ppo, a2c, reinforce, dqn and sac are learners, policysearch evolves policies, search
// holds optimisers of static parameters. nn has networks, policy their distributions, learn rollouts
// and checkpoints, replay stores of past steps. registry is what a run sees of any of them;
// catalogue/agents and catalogue/optimisers list them.
package agents
