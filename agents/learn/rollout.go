package learn

// Rollout is what learners on the policy collect and learn from: steps of several environments in
// the order step*Envs + environment. All slices but NextValues have the same length, a multiple of
// Envs.
type Rollout struct {
	// Envs is how many environments were stepped together, at least 1.
	Envs int
	// Rewards is what each step earned.
	Rewards []float64
	// Values are the critic's values of the observations that the steps acted on.
	Values []float64
	// NextValues are the critic's values of what the environments show after the last step, one per
	// environment.
	NextValues []float64
	// FinalValues are the critic's values of the true last observations of episodes that were cut,
	// not of the observations after the reset. Read only where Truncated.
	FinalValues []float64
	// Terminated marks steps after which nothing more can be earned (the value is 0).
	Terminated []bool
	// Truncated marks steps after which the episode was cut although more could have
	// been earned: the step bootstraps from FinalValues, but nothing flows back over the cut.
	Truncated []bool
	// Discounts are gamma to the power of the time that each step took: gamma itself where
	// decisions are equally far apart.
	Discounts []float64
	// Advantages are by how much the actions were better than the critic expected, Returns what the
	// critic should have predicted.
	Advantages, Returns []float64
	// Elapsed is the time that each step took.
	Elapsed []float64

	obs, raw []float64
	mask     []bool
	width    Width
}

// Width is how many numbers a row has: of the observation, of the action, and of the mask (0 = no
// mask).
type Width struct{ Obs, Action, Mask int }

// Critic gives values of observations; mask is nil where there is none.
type Critic interface {
	// Value is the value of an observation as the environment gave it.
	Value(obs []float64, mask []bool) float64
	// Values are the values of observations that follow one another, as many as dst has numbers; so
	// do their masks.
	Values(dst, obs []float64, mask []bool)
	// ValuesOf is Values for observations that are scaled already.
	ValuesOf(dst, x []float64, mask []bool)
}

// NewRollout has room for so many steps of envs environments.
func NewRollout(w Width, envs, steps int) *Rollout {
	n := envs * steps
	floats := func(per int) []float64 { return make([]float64, n*per) }
	return &Rollout{
		Envs: envs, Rewards: floats(1), Values: floats(1), NextValues: make([]float64, envs), FinalValues: floats(1),
		Discounts: floats(1), Terminated: make([]bool, n), Truncated: make([]bool, n),
		Advantages: floats(1), Returns: floats(1), Elapsed: floats(1),
		obs: floats(w.Obs), raw: floats(w.Action), mask: make([]bool, n*w.Mask), width: w,
	}
}

// Rows is the number of rows.
func (r *Rollout) Rows() int { return len(r.Rewards) }

// ObsOf is a row's observation, scaled.
func (r *Rollout) ObsOf(row int) []float64 { return r.obs[row*r.width.Obs : (row+1)*r.width.Obs] }

// RawOf is a row's action as the policy drew it.
func (r *Rollout) RawOf(row int) []float64 {
	return r.raw[row*r.width.Action : (row+1)*r.width.Action]
}

// MaskOf is a row's mask; nil where the environment has none.
func (r *Rollout) MaskOf(row int) []bool {
	n := r.width.Mask
	if n == 0 {
		return nil
	}
	return r.mask[row*n : (row+1)*n]
}

// Step is what step t has of all environments: their observations, actions and masks, one after the
// other.
func (r *Rollout) Step(t int) (obs, raw []float64, mask []bool) {
	w, from, to := r.width, t*r.Envs, (t+1)*r.Envs
	if w.Mask > 0 {
		mask = r.mask[from*w.Mask : to*w.Mask]
	}
	return r.obs[from*w.Obs : to*w.Obs], r.raw[from*w.Action : to*w.Action], mask
}

// Keep writes the outcome of step t of the environments. Where an episode was cut, that includes
// the critic's value of its true last observation.
func (r *Rollout) Keep(t int, e *Envs, c Critic) {
	b, first := e.Batch, t*r.Envs
	copy(r.Rewards[first:], b.Reward)
	copy(r.Discounts[first:], e.Discount)
	copy(r.Elapsed[first:], b.Elapsed)
	copy(r.Terminated[first:], b.Terminated)
	copy(r.Truncated[first:], b.Truncated)
	for i := range r.Envs {
		if b.Truncated[i] {
			r.FinalValues[first+i] = c.Value(b.FinalObsOf(i), b.FinalMaskOf(i))
		}
	}
}

// Judge sets the values of all rows, and NextValues.
func (r *Rollout) Judge(e *Envs, c Critic) {
	var mask []bool
	if r.width.Mask > 0 {
		mask = r.mask
	}
	c.ValuesOf(r.Values, r.obs, mask)
	c.Values(r.NextValues, e.Batch.Obs, e.Batch.Mask)
}
