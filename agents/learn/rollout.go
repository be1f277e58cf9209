package learn

// Rollout is what learners on the policy collect and learn from: steps of several environments in the order
// step*Envs + environment. All slices have the same length, a multiple of Envs.
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
	// Advantage is by how much an action was better than the critic expected, Return what the critic should have said.
	Advantage, Return []float64
	// Elapsed is the time that each step took.
	Elapsed []float64

	obs, raw []float64
	mask     []bool
	last     []float64 // values of what the environments show after the last row
	width    Width
}

// Width is how many numbers a row has: of the observation, of the action, and of the mask (0 = no mask).
type Width struct{ Obs, Action, Mask int }

// Critic gives the value of an observation as the environment gave it; mask is nil where there is none.
type Critic interface {
	Value(obs []float64, mask []bool) float64
	// Values is that of observations that follow one another, as many as dst has numbers; so do their masks.
	Values(dst, obs []float64, mask []bool)
}

// NewRollout has room for so many steps of envs environments.
func NewRollout(w Width, envs, steps int) *Rollout {
	n := envs * steps
	floats := func(per int) []float64 { return make([]float64, n*per) }
	return &Rollout{
		Envs: envs, Reward: floats(1), Value: floats(1), Next: floats(1), Discount: floats(1),
		Terminated: make([]bool, n), Truncated: make([]bool, n),
		Advantage: floats(1), Return: floats(1), Elapsed: floats(1),
		obs: floats(w.Obs), raw: floats(w.Action), mask: make([]bool, n*w.Mask), last: make([]float64, envs), width: w,
	}
}

// Rows is the number of rows.
func (r *Rollout) Rows() int { return len(r.Reward) }

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

// Step is what step t has of all environments: their observations, actions and masks, one after the other.
func (r *Rollout) Step(t int) (obs, raw []float64, mask []bool) {
	w, from, to := r.width, t*r.Envs, (t+1)*r.Envs
	if w.Mask > 0 {
		mask = r.mask[from*w.Mask : to*w.Mask]
	}
	return r.obs[from*w.Obs : to*w.Obs], r.raw[from*w.Action : to*w.Action], mask
}

// Judge sets the values of all rows; of gives those of scaled observations that follow one another.
func (r *Rollout) Judge(of func(dst, obs []float64, mask []bool)) {
	var mask []bool
	if r.width.Mask > 0 {
		mask = r.mask
	}
	of(r.Value, r.obs, mask)
}

// Keep writes what step t of the environments gave. A step that was cut leads to the value of the true last observation.
func (r *Rollout) Keep(t int, e *Envs, c Critic) {
	b, first := e.Batch, t*r.Envs
	copy(r.Reward[first:], b.Reward)
	copy(r.Discount[first:], e.Discount)
	copy(r.Elapsed[first:], b.Elapsed)
	copy(r.Terminated[first:], b.Terminated)
	copy(r.Truncated[first:], b.Truncated)
	for i := range r.Envs {
		if b.Truncated[i] {
			r.Next[first+i] = c.Value(b.FinalObsOf(i), b.FinalMaskOf(i))
		}
	}
}

// Link sets what all other steps lead to: the value of the next row's observation, and of the one that the environment
// shows now after the last row.
func (r *Rollout) Link(e *Envs, c Critic) {
	c.Values(r.last, e.Batch.Obs, e.Batch.Mask)
	for row := range r.Reward {
		switch next := row + r.Envs; {
		case r.Truncated[row]:
		case next < r.Rows():
			r.Next[row] = r.Value[next]
		default:
			r.Next[row] = r.last[next-r.Rows()]
		}
	}
}

// Finish computes advantages by GAE, and returns: the advantage and the value that it was measured from.
func (r *Rollout) Finish(lambda float64) {
	GAE(r.Advantage, r, lambda)
	for i, a := range r.Advantage {
		r.Return[i] = a + r.Value[i]
	}
}
