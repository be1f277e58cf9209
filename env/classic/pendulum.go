package classic

import (
	"math"

	"tarry/env"
	"tarry/internal/fixmath"
	"tarry/sim/param"
)

// The constants of Pendulum, in SI units.
const (
	rodGravity = 10.0
	rodMass    = 1.0
	rodLength  = 1.0
	rodTau     = 0.05
	rodSpeed   = 8.0
	rodTorque  = 2.0
)

type pendulum struct{ body }

// Pendulum is "classic/Pendulum-v1": swing a rod up by a weak torque at its hinge and hold it.
// It never terminates; only a time limit cuts it.
//
//	start        angle uniform in [-x_init, x_init], velocity in [-y_init, y_init]; reset options
//	             x_init (pi), y_init (1)
func Pendulum() env.Env {
	return &pendulum{newBody(env.Spec{ID: "classic/Pendulum-v1", Advice: advicePendulum(),
		Observation: env.Box{Low: []float64{-1, -1, -rodSpeed}, High: []float64{1, 1, rodSpeed}},
		Action:      env.NewBox(-rodTorque, rodTorque, 1)}, 2, words{`
cos  -1..1  cosine  cosine of the angle, 0 = upright
sin  -1..1  sine  sine of the angle
turn  -8..8  rad/s  angular velocity, cut to 8`, "0  -2..2  N m  torque at the hinge",
		"-(angle^2 + 0.1 velocity^2 + 0.001 torque^2), angle in [-pi, pi), before the step", "never terminated"})}
}

func (p *pendulum) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	angle, speed := math.Pi, 1.0
	if options != "" {
		set := param.Parse(p.spec.ID+" reset", options)
		angle = set.Float("x_init", angle, 0, math.Pi)
		speed = set.Float("y_init", speed, 0, rodSpeed)
		if err := set.Err(); err != nil {
			p.begun = false
			return nil, env.Info{}, err
		}
	}
	if err := p.begin(seed); err != nil {
		return nil, env.Info{}, err
	}
	p.state[0], p.state[1] = p.between(-angle, angle), p.between(-speed, speed)
	p.see()
	return p.obs, env.Info{}, nil
}

func (p *pendulum) see() {
	p.obs[1], p.obs[0] = fixmath.Sincos(p.state[0])
	p.obs[2] = p.state[1]
}

func (p *pendulum) Step(action []float64) (env.Step, error) {
	if err := p.check(action); err != nil {
		return env.Step{}, err
	}
	u, angle, speed := action[0], p.state[0], p.state[1]
	off := halfTurn(angle)
	cost := float64(off*off) + float64(0.1*float64(speed*speed)) + float64(0.001*float64(u*u))
	pull := float64(3*rodGravity/(2*rodLength)*p.obs[1]) + float64(3/(rodMass*rodLength*rodLength)*u)
	speed = max(-rodSpeed, min(rodSpeed, speed+float64(pull*rodTau)))
	p.state[0], p.state[1] = angle+float64(speed*rodTau), speed // semi-implicit: the new velocity moves the angle
	p.see()
	return p.done(-cost, false), nil
}

// halfTurn brings an angle into [-pi, pi).
func halfTurn(angle float64) float64 {
	const turn = 2 * math.Pi
	m := math.Mod(angle+math.Pi, turn)
	if m < 0 {
		m += turn
	}
	return m - math.Pi
}
