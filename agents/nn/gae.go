package nn

// Rollout is what advantages are computed from: steps of several environments in the
// order step*envs + env. All slices have the same length, a multiple of Envs.
type Rollout struct {
	// Envs is how many environments were stepped together, at least 1.
	Envs int
	// Reward is what each step earned.
	Reward []float64
	// Value is the critic's value of the observation that each step acted on.
	Value []float64
	// Next is the critic's value of the observation that each step led to: that of the
	// true last observation if the episode was cut, not of the one after the reset. It
	// is not read where Terminated.
	Next []float64
	// Terminated marks steps after which nothing more can be earned (the value is 0).
	Terminated []bool
	// Truncated marks steps after which the episode was cut although more could have
	// been earned: the step bootstraps from Next, but nothing flows back over the cut.
	Truncated []bool
	// Discount is the discount over each step. It is a number per step because in an
	// environment whose decisions are not equally far apart it depends on the time that
	// passed.
	Discount []float64
}

// GAE fills adv with generalised advantage estimates (Schulman et al., arXiv:1506.02438,
// equation 16): adv(t) = delta(t) + discount(t) lambda adv(t+1), with
// delta(t) = reward(t) + discount(t) next(t) - value(t).
func GAE(adv []float64, r *Rollout, lambda float64) {
	for i := len(r.Reward) - 1; i >= 0; i-- {
		next, later := r.Next[i], 0.0
		if j := i + r.Envs; j < len(adv) {
			later = adv[j]
		}
		if r.Terminated[i] {
			next = 0
		}
		if r.Terminated[i] || r.Truncated[i] {
			later = 0
		}
		delta := r.Reward[i] + float64(r.Discount[i]*next) - r.Value[i]
		adv[i] = delta + float64(float64(r.Discount[i]*lambda)*later)
	}
}
