package ppo

import (
	"tarry/agents/nn"
	"tarry/env/vec"
)

// The differential form for tasks that never end: what is made as large as possible is the reward
// per unit of Info.Elapsed, and a step earns what is more than that rate over its time,
// r - rate dt (Sutton and Barto 2018, section 10.3; for time that steps take Das et al., "Solving
// semi-Markov decision problems using average reward reinforcement learning", Management Science
// 45(4), 1999). Nothing is discounted, so that it does not matter how often an agent is
// asked. Values are only known up to a number common to all; they are held at mean 0 over the
// rollout (compare Ma et al., "Average-reward reinforcement learning with trust region methods",
// IJCAI 2021).

// defaultAverageWeight is the weight of the newest rollout in the running rate.
const defaultAverageWeight = 0.1

// rate is the running rate of reward: older rollouts weigh less and less, in both sums alike, so
// that it is a ratio of sums from the first one on.
type rate struct{ reward, time float64 }

// add takes in what a rollout earned in its time.
func (a *rate) add(reward, time, weight float64) {
	a.reward += float64(weight * (reward - a.reward))
	a.time += float64(weight * (time - a.time))
}

// perTime is the rate; 0 before any time has passed.
func (a *rate) perTime() float64 {
	if a.time == 0 {
		return 0
	}
	return a.reward / a.time
}

func (a *rate) save(s *nn.State) error {
	s.PutFloats("average", []float64{a.reward, a.time})
	return nil
}

func (a *rate) load(s *nn.State) error {
	var f [2]float64
	if err := s.Floats("average", f[:]); err != nil {
		return err
	}
	a.reward, a.time = f[0], f[1]
	return nil
}

// differ turns the rollout's rewards into differential ones, and scales them if that is asked for.
// Nothing is discounted. An episode that ended leads to the first observation of the next one, as
// in any task without an end: there is no value 0 to which others could be compared.
func (l *Learner) differ() {
	r, n := l.r, l.cfg.Envs
	reward, time := 0.0, 0.0
	for row, v := range r.Rewards {
		reward += v
		time += r.Elapsed[row]
	}
	weight := l.cfg.AverageWeight
	if weight == 0 {
		weight = defaultAverageWeight
	}
	l.rate.add(reward, time, weight)
	mean := l.rate.perTime()
	for row := range r.Rewards {
		r.Rewards[row] -= float64(mean * r.Elapsed[row])
		r.Discounts[row] = 1
	}
	for at := 0; l.norm != nil && at < r.Rows(); at += n {
		l.norm.Step(&vec.Batch{Reward: r.Rewards[at : at+n], Elapsed: r.Elapsed[at : at+n],
			Terminated: r.Terminated[at : at+n], Truncated: r.Truncated[at : at+n]})
	}
	clear(r.Terminated)
}

// centre takes the mean out of returns.
func centre(returns []float64) {
	mean := 0.0
	for _, v := range returns {
		mean += v / float64(len(returns))
	}
	for i := range returns {
		returns[i] -= mean
	}
}
