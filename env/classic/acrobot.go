package classic

import (
	"math"

	"tarry/env"
	"tarry/internal/fixmath"
)

// The constants of Acrobot, in SI units; both links are alike.
const (
	linkGravity = 9.8
	linkLength  = 1.0
	linkMass    = 1.0
	linkCentre  = 0.5 // from the joint to the centre of mass
	linkMoment  = 1.0
	linkTau     = 0.2
	linkSpeed1  = 4 * math.Pi
	linkSpeed2  = 9 * math.Pi
)

type acrobot struct{ body }

// Acrobot is "classic/Acrobot-v1": two hanging links, a motor between them only; swing the end
// above a line. Sutton (1996), "Generalization in reinforcement learning", with the equations of
// Sutton and Barto's book (1st edition, section 11.3).
//
//	start        each number uniform in [low, high]; reset options low, high (-0.1, 0.1)
func Acrobot() env.Env {
	high := []float64{1, 1, 1, 1, linkSpeed1, linkSpeed2}
	low := []float64{-1, -1, -1, -1, -linkSpeed1, -linkSpeed2}
	return &acrobot{newBody(env.Spec{ID: "classic/Acrobot-v1", Advice: adviceAcrobot(),
		Observation: env.Box{Low: low, High: high},
		Action:      env.Discrete{N: 3}, RewardThreshold: -100}, 4, words{`
cos_1  -1..1  cosine  cosine of angle 1, the upper link's, 0 = hanging
sin_1  -1..1  sine  sine of angle 1
cos_2  -1..1  cosine  cosine of angle 2, the lower link's relative to the upper one
sin_2  -1..1  sine  sine of angle 2
turn_1  -4pi..4pi  rad/s  angular velocity of the upper link, cut
turn_2  -9pi..9pi  rad/s  angular velocity of angle 2, cut`, `
0  a torque of -1 N m between the links
1  no torque
2  a torque of 1 N m`, "-1 for every step, 0 for the last", "terminated when the end is more than 1 m above the upper joint"})}
}

func (a *acrobot) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	if err := a.draw(seed, options, -0.1, 0.1, -math.Pi, math.Pi); err != nil {
		return nil, env.Info{}, err
	}
	a.see()
	return a.obs, env.Info{}, nil
}

func (a *acrobot) see() {
	a.obs[1], a.obs[0] = fixmath.Sincos(a.state[0])
	a.obs[3], a.obs[2] = fixmath.Sincos(a.state[1])
	a.obs[4], a.obs[5] = a.state[2], a.state[3]
}

func (a *acrobot) Step(action []float64) (env.Step, error) {
	if err := a.check(action); err != nil {
		return env.Step{}, err
	}
	s := (*links)(a.state)
	s.advance(action[0] - 1)
	a.see()
	// The end's height over the joint is -cos(angle 1) - cos(angle 1 + angle 2).
	if -a.obs[0]-fixmath.Cos(s[1]+s[0]) > 1 {
		return a.done(0, true), nil
	}
	return a.done(-1, false), nil
}

// links is angle 1, angle 2 and their velocities.
type links [4]float64

// advance integrates over one step by one step of the classical Runge-Kutta method.
func (s *links) advance(torque float64) {
	k1 := s.slope(torque)
	k2 := s.plus(linkTau/2, k1).slope(torque)
	k3 := s.plus(linkTau/2, k2).slope(torque)
	k4 := s.plus(linkTau, k3).slope(torque)
	for i := range s {
		s[i] += float64(linkTau / 6 * (k1[i] + 2*k2[i] + 2*k3[i] + k4[i]))
	}
	s[0], s[1] = turn(s[0]), turn(s[1])
	s[2] = max(-linkSpeed1, min(linkSpeed1, s[2]))
	s[3] = max(-linkSpeed2, min(linkSpeed2, s[3]))
}

func (s links) plus(h float64, k links) links {
	for i := range s {
		s[i] += float64(h * k[i])
	}
	return s
}

// turn brings an angle into [-pi, pi] by whole turns.
func turn(angle float64) float64 {
	for angle > math.Pi {
		angle -= 2 * math.Pi
	}
	for angle < -math.Pi {
		angle += 2 * math.Pi
	}
	return angle
}

// slope is the derivative of the state under a torque; the names are the book's. cos(x - pi/2),
// as the book has it, is sin(x).
func (s links) slope(torque float64) links {
	const m, l, lc, i, g = linkMass, linkLength, linkCentre, linkMoment, linkGravity
	sin2, cos2 := fixmath.Sincos(s[1])
	w1, w2 := s[2], s[3]
	d1 := m*lc*lc + m*(l*l+lc*lc+float64(2*l*lc*cos2)) + 2*i
	d2 := m*(lc*lc+float64(l*lc*cos2)) + i
	phi2 := float64(m * lc * g * fixmath.Sin(s[0]+s[1]))
	phi1 := -float64(m*l*lc*float64(w2*w2)*sin2) - float64(2*m*l*lc*float64(w2*w1)*sin2) +
		float64((m*lc+m*l)*g*fixmath.Sin(s[0])) + phi2
	a2 := (torque + float64(d2/d1*phi1) - float64(m*l*lc*float64(w1*w1)*sin2) - phi2) /
		(m*lc*lc + i - float64(d2*d2)/d1)
	a1 := -(float64(d2*a2) + phi1) / d1
	return links{w1, w2, a1, a2}
}
