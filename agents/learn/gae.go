package learn

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
