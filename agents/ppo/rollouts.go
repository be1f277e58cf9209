package ppo

import "tarry/agents/learn"

// Most of what a scheduler earns is decided by the jobs that happen to arrive, which a critic cannot
// see coming. Where several environments play the same episodes, the advantage of a decision is
// measured from the mean advantage that the others have at the same time of the same episode. They
// made their decisions without it, so the mean of the gradient stays (theorem 1 of Mao et al.,
// arXiv:1807.02264, which does so with returns; leaving out the rollout itself as in RLOO, Kool et
// al., "Buy 4 REINFORCE samples, get a baseline for free!", ICLR workshop 2019, and in groups as GRPO
// does, Shao et al., arXiv:2402.03300; VinePPO, Kazemnejad et al., arXiv:2410.01679, plays on from
// each decision instead). Together with a critic it is a control variate for what the critic does not
// see: the rest of the arrivals.

// begin starts the first episodes; rollouts that are compared start together in each update.
func (l *Learner) begin() (begun bool, err error) {
	if begun, err = l.envs.Begin(); begun || err != nil || l.laps == nil {
		return begun, err
	}
	if err = l.envs.Again(); l.norm != nil {
		l.norm.Reset(l.envs.Batch)
	}
	return true, err
}

// laps is when the rows of a rollout were, and in which of the episodes that it has of their
// environment.
type laps struct {
	at     []float64 // since the episode's start
	number []int
	whole  []int     // how many episodes have ended, by environment
	less   []float64 // advantages less the mean of the others
}

func newLaps(envs, rows int) *laps {
	return &laps{make([]float64, rows), make([]int, rows), make([]int, envs), make([]float64, rows)}
}

// note sets times and numbers.
func (k *laps) note(r *learn.Rollout) {
	for i := range r.Envs {
		now, number := 0.0, 0
		for row := i; row < r.Rows(); row += r.Envs {
			k.at[row], k.number[row] = now, number
			if now += r.Elapsed[row]; r.Terminated[row] || r.Truncated[row] {
				now, number = 0, number+1
			}
		}
		k.whole[i] = number
	}
}

// compare takes the mean of the others away from each advantage, in groups of so many environments.
// Where none of them was, there is nothing to learn from: the advantage is 0. That depends on the
// others and on the time, not on the decision. Without a critic, which would judge what is left of
// them, episodes that the end of the rollout cuts are left out, of which the returns end there.
func (k *laps) compare(r *learn.Rollout, group int, critic bool) {
	k.note(r)
	for row := range k.less {
		i, number := row%r.Envs, k.number[row]
		sum, n := 0.0, 0.0
		for j := i - i%group; j < i-i%group+group; j++ {
			if j == i || !critic && number >= min(k.whole[i], k.whole[j]) {
				continue
			}
			if a, ok := k.of(r, j, number, k.at[row]); ok {
				sum, n = sum+a, n+1
			}
		}
		if k.less[row] = 0; n > 0 {
			k.less[row] = r.Advantages[row] - sum/n
		}
	}
	copy(r.Advantages, k.less)
}

// of is the advantage that environment j has at a time of an episode: on the straight line between
// two decisions; it falls to 0 from the last one to the end of the episode. ok = false: the rollout
// has not got there.
func (k *laps) of(r *learn.Rollout, j, number int, at float64) (a float64, ok bool) {
	lo, hi := 0, r.Rows()/r.Envs
	for lo < hi { // the first row at or after it
		m := (lo + hi) / 2
		if row := m*r.Envs + j; k.number[row] < number || k.number[row] == number && k.at[row] < at {
			lo = m + 1
		} else {
			hi = m
		}
	}
	next, last := lo*r.Envs+j, lo*r.Envs+j-r.Envs
	if lo < r.Rows()/r.Envs && k.number[next] == number && (k.at[next] == at || lo == 0) {
		return r.Advantages[next], true
	}
	if lo == 0 || k.number[last] != number {
		return 0, false
	}
	right, below := k.at[last]+r.Elapsed[last], 0.0
	switch {
	case lo < r.Rows()/r.Envs && k.number[next] == number:
		right, below = k.at[next], r.Advantages[next]
	case !r.Terminated[last] && !r.Truncated[last]:
		return 0, false
	}
	if at >= right {
		return 0, true
	}
	above := r.Advantages[last]
	return above + float64((below-above)*((at-k.at[last])/(right-k.at[last]))), true
}
