package classic

import (
	"math"

	"tarry/env"
	"tarry/internal/fixmath"
)

// The constants of CartPole, in SI units.
const (
	cartGravity = 9.8
	cartMass    = 1.0
	poleMass    = 0.1
	totalMass   = cartMass + poleMass
	poleHalf    = 0.5 // half the pole's length
	poleMoment  = poleMass * poleHalf
	cartForce   = 10.0
	cartTau     = 0.02
	cartTrack   = 2.4                // the cart's limit on either side
	poleLean    = 12 * math.Pi / 180 // the pole's limit on either side
)

type cartPole struct{ body }

// CartPole is "classic/CartPole-v1": push a cart left or right so that its pole stays up. Barto,
// Sutton and Anderson (1983), "Neuronlike adaptive elements that can solve difficult learning
// control problems".
//
//	start        each number uniform in [low, high]; reset options low, high (-0.05, 0.05)
func CartPole() env.Env {
	inf := math.Inf(1)
	high := []float64{2 * cartTrack, inf, 2 * poleLean, inf}
	low := []float64{-2 * cartTrack, -inf, -2 * poleLean, -inf}
	return &cartPole{newBody(env.Spec{ID: "classic/CartPole-v1", Advice: adviceCartPole(),
		Observation: env.Box{Low: low, High: high},
		Action:      env.Discrete{N: 2}, RewardThreshold: 475}, 4, words{`
position  -4.8..4.8  m  where the cart is, from the middle of the track
velocity  -inf..inf  m/s  speed of the cart to the right, unbounded
angle  -0.418879..0.418879  rad  angle of the pole, 0 = upright; 24 degrees on either side
turn  -inf..inf  rad/s  angular velocity of the pole, unbounded`, `
0  push the cart left with 10 N
1  push it right`, "1 for every step, the last one too", "terminated when the position is beyond 2.4 m or the angle " +
		"beyond 12 degrees (0.2095 rad)"})}
}

func (c *cartPole) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	if err := c.draw(seed, options, -0.05, 0.05, -2*poleLean, 2*poleLean); err != nil {
		return nil, env.Info{}, err
	}
	copy(c.obs, c.state)
	return c.obs, env.Info{}, nil
}

func (c *cartPole) Step(action []float64) (env.Step, error) {
	if err := c.check(action); err != nil {
		return env.Step{}, err
	}
	force := -cartForce
	if action[0] == 1 {
		force = cartForce
	}
	s := (*[4]float64)(c.state)
	x, v, angle, w := s[0], s[1], s[2], s[3]
	sin, cos := fixmath.Sincos(angle)
	// Florian (2007), "Correct equations for the dynamics of the cart-pole system", without
	// friction.
	push := (force + float64(poleMoment*float64(w*w)*sin)) / totalMass
	angular := (float64(cartGravity*sin) - float64(cos*push)) /
		(poleHalf * (4.0/3.0 - poleMass*float64(cos*cos)/totalMass))
	linear := push - poleMoment*float64(angular*cos)/totalMass
	// Explicit Euler: positions move with the old velocities.
	s[0] = x + float64(cartTau*v)
	s[1] = v + float64(cartTau*linear)
	s[2] = angle + float64(cartTau*w)
	s[3] = w + float64(cartTau*angular)
	copy(c.obs, s[:])
	return c.done(1, s[0] < -cartTrack || s[0] > cartTrack || s[2] < -poleLean || s[2] > poleLean), nil
}
