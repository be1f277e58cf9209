package classic

import (
	"tarry/env"
	"tarry/internal/fixmath"
)

// The constants of MountainCar, in its own units.
const (
	carForce   = 0.001
	carGravity = 0.0025
	carLeft    = -1.2
	carRight   = 0.6
	carSpeed   = 0.07
	carGoal    = 0.5
)

type mountainCar struct{ body }

// MountainCar is "classic/MountainCar-v0": a car too weak for the hill in front of it must first
// roll back. Moore (1990), "Efficient memory-based learning for robot control".
//
//	start        position uniform in [low, high], velocity 0; reset options low, high (-0.6, -0.4)
func MountainCar() env.Env {
	return &mountainCar{newBody(env.Spec{ID: "classic/MountainCar-v0", Advice: adviceMountainCar(),
		Observation: env.Box{Low: []float64{carLeft, -carSpeed}, High: []float64{carRight, carSpeed}},
		Action:      env.Discrete{N: 3}, RewardThreshold: -110}, 2, words{`
position  -1.2..0.6  position  along the track; the valley is at -pi/6, the goal at 0.5
velocity  -0.07..0.07  position/step  to the right`, `
0  push left
1  do not push
2  push right`, "-1 for every step", "terminated when the position is at least 0.5 with a velocity of at least 0"})}
}

func (m *mountainCar) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	if err := m.draw(seed, options, -0.6, -0.4, carLeft, carRight); err != nil {
		return nil, env.Info{}, err
	}
	m.state[1] = 0
	copy(m.obs, m.state)
	return m.obs, env.Info{}, nil
}

func (m *mountainCar) Step(action []float64) (env.Step, error) {
	if err := m.check(action); err != nil {
		return env.Step{}, err
	}
	x, v := m.state[0], m.state[1]
	v += float64((action[0]-1)*carForce) - float64(carGravity*fixmath.Cos(3*x))
	v = max(-carSpeed, min(carSpeed, v))
	x = max(carLeft, min(carRight, x+v))
	if x == carLeft && v < 0 {
		v = 0 // the wall takes it all
	}
	m.state[0], m.state[1] = x, v
	copy(m.obs, m.state)
	return m.done(-1, x >= carGoal && v >= 0), nil
}
