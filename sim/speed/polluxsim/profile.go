package polluxsim

import "tarry/sim/goodput"

// Profile is what was measured of one application.
type Profile struct{ a *app }

// Profile finds an application; false where the table has none of this name.
func (t *Table) Profile(application string) (Profile, bool) {
	a := t.app(application)
	return Profile{a}, a != nil
}

// Limits are the bounds of its batches; several steps in an update are allowed.
func (p Profile) Limits() goodput.Limits {
	return goodput.Limits{Initial: int(p.a.initial), Max: int(p.a.most), MinLocal: int(p.a.minLocal),
		MaxLocal: int(p.a.maxLocal), Accumulate: true}
}

// Epochs is how many epochs a job has.
func (p Profile) Epochs() int { return p.a.epochs }

// End is the progress at which an epoch ends, in updates at the initial batch size.
func (p Profile) End(epoch int) float64 { return p.a.ends[epoch] }

// Noise is the squared norm and the variance of the gradient at a batch size during an epoch.
func (p Profile) Noise(batch, epoch int) goodput.Noise {
	sqr, variance := p.a.noise(float64(batch), epoch)
	return goodput.Noise{Sqr: sqr, Var: variance}
}

// Iterations is the updates at a batch size after an epoch.
func (p Profile) Iterations(batch, epoch int) float64 { return p.a.iterations(float64(batch), epoch) }
