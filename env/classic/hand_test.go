package classic

import (
	"math"
	"testing"

	"tarry/env"
	"tarry/internal/pack"
	"tarry/sim/rng"
)

// put sets a problem's state, as a snapshot of it would.
func put(t *testing.T, e env.Env, state ...float64) {
	t.Helper()
	seed := uint64(0)
	obs, _, err := e.Reset(&seed, "")
	if err != nil {
		t.Fatal(err)
	}
	stream, err := rng.Source{}.Stream("put").MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	w := pack.NewWriter(e.Spec().ID)
	w.Bool(true)
	w.Bytes(stream)
	w.Float64s(state)
	w.Float64s(obs)
	w.Float64(0)
	w.Float64(0)
	w.Bool(false)
	if _, err := env.Restore(e, w.Seal()); err != nil {
		t.Fatal(err)
	}
	if p, ok := e.(*pendulum); ok {
		p.see() // the reward reads the sine from what is seen
	}
}

// walk takes actions and compares each observation, reward and end.
func walk(t *testing.T, e env.Env, actions []float64, want []env.Step) {
	t.Helper()
	for i, a := range actions {
		s, err := e.Step([]float64{a})
		if err != nil {
			t.Fatal(err)
		}
		for j, v := range want[i].Obs {
			if !(math.Abs(s.Obs[j]-v) <= 1e-12*max(1, math.Abs(v))) {
				t.Errorf("step %d: observation number %d is %.17g, want %.17g", i, j, s.Obs[j], v)
			}
		}
		if !(math.Abs(s.Reward-want[i].Reward) <= 1e-12) || s.Terminated != want[i].Terminated || s.Truncated {
			t.Errorf("step %d: reward %.17g, terminated %v, truncated %v, want %.17g, %v, false", i, s.Reward,
				s.Terminated, s.Truncated,
				want[i].Reward, want[i].Terminated)
		}
		if s.Info.Elapsed != 1 {
			t.Errorf("step %d took %v, want 1", i, s.Info.Elapsed)
		}
	}
}

// From rest at 0 with force 10: sin = 0, cos = 1, so
//
//	temp    = 10 / 1.1                           = 100/11
//	angular = -temp / (0.5 (4/3 - 0.1/1.1))
//	        = -(100/11) / (0.5 * (44-3)/33)      = -(100/11)(66/41) = -600/41
//	linear  = temp - 0.05 angular / 1.1          = 100/11 + (600/41)/22 = 400/41
//
// The first step changes no position (Euler with the old velocities): x = 0, v = 0.02*400/41 =
// 8/41, angle = 0, w = -12/41. The second step, pushed left: w^2 sin = 0 as the angle is still 0,
// and the accelerations are the first ones negated, so v and w return to 0 while the positions move
// by 0.02 times the velocities: x = 0.16/41, angle = -0.24/41.
func TestCartPoleByHand(t *testing.T) {
	e := CartPole()
	put(t, e, 0, 0, 0, 0)
	walk(t, e, []float64{1, 0}, []env.Step{
		{Obs: []float64{0, 8. / 41, 0, -12. / 41}, Reward: 1},
		{Obs: []float64{0.16 / 41, 0, -0.24 / 41, 0}, Reward: 1},
	})
	// Beyond the track by Euler: x = 2.39 + 0.02*1 = 2.41. The last step earns 1 too.
	put(t, e, 2.39, 1, 0, 0)
	walk(t, e, []float64{1}, []env.Step{{Obs: []float64{2.41}, Reward: 1, Terminated: true}})
	// 12 degrees are 0.20943951 rad: 0.209 + 0.02*0.02 = 0.2094 is within, + 0.02*0.03 = 0.2096
	// beyond.
	put(t, e, 0, 0, 0.209, 0.02)
	walk(t, e, []float64{0}, []env.Step{{Obs: []float64{0}, Reward: 1}})
	put(t, e, 0, 0, -0.209, -0.03)
	walk(t, e, []float64{0}, []env.Step{{Obs: []float64{0}, Reward: 1, Terminated: true}})
}

// A leaning, turning pole: the general formulas with numbers chosen so that sine and cosine are
// known: angle = pi/6, w = 2, force -10.
//
//	temp    = (-10 + 0.05*4*0.5)/1.1 = -9.9/1.1      = -9
//	angular = (9.8*0.5 + 9 cos) / (0.5 (4/3 - 0.075/1.1)),  cos = sqrt(3)/2
//	linear  = -9 - 0.05 angular cos / 1.1
func TestCartPoleLeaning(t *testing.T) {
	cos := math.Sqrt(3) / 2
	angular := (4.9 + 9*cos) / (0.5 * (4./3 - 0.075/1.1))
	linear := -9 - 0.05*angular*cos/1.1
	e := CartPole()
	put(t, e, 0.1, -0.5, math.Pi/6, 2)
	walk(t, e, []float64{0}, []env.Step{{Obs: []float64{0.09, -0.5 + 0.02*linear, math.Pi/6 + 0.04, 2 + 0.02*angular},
		Reward: 1, Terminated: true}})
}

// Hanging still at pi (angle -pi after normalisation, cost pi^2), torque 2: sin(pi) = 0, so the
// velocity becomes 3*2*0.05 = 0.3 and the angle pi + 0.3*0.05 = pi + 0.015.
// The next step, torque 0, costs (pi - 0.015)^2 + 0.1*0.09, as pi+0.015 is -(pi-0.015) normalised;
// 15 sin(pi + 0.015) = -15 sin 0.015, so the velocity is 0.3 - 0.75 sin 0.015.
func TestPendulumByHand(t *testing.T) {
	e := Pendulum()
	put(t, e, math.Pi, 0)
	w := 0.3 - 0.75*math.Sin(0.015)
	a := math.Pi + 0.015 + 0.05*w
	walk(t, e, []float64{2, 0}, []env.Step{
		{Obs: []float64{-math.Cos(0.015), -math.Sin(0.015), 0.3}, Reward: -(math.Pi*math.Pi + 0.004)},
		{Obs: []float64{math.Cos(a), math.Sin(a), w}, Reward: -((math.Pi-0.015)*(math.Pi-0.015) + 0.009)},
	})
	// At pi/2 the pull is 15, 0.75 per step; the velocity is cut at 8 and the cost is that before
	// it.
	put(t, e, math.Pi/2, 7.9)
	walk(t, e, []float64{0}, []env.Step{{Obs: []float64{math.Cos(math.Pi/2 + 0.4), math.Sin(math.Pi/2 + 0.4), 8},
		Reward: -(math.Pi*math.Pi/4 + 0.1*7.9*7.9)}})
}

func TestHalfTurn(t *testing.T) {
	for _, c := range [][2]float64{{0, 0}, {math.Pi, -math.Pi}, {-math.Pi, -math.Pi}, {3, 3}, {4, 4 - 2*math.Pi},
		{-4, 2*math.Pi - 4}, {20, 20 - 6*math.Pi}} {
		if got := halfTurn(c[0]); math.Abs(got-c[1]) > 1e-12 {
			t.Errorf("halfTurn(%v) = %v, want %v", c[0], got, c[1])
		}
	}
}

// At -pi/6, cos(3x) = cos(pi/2) = 0: only the push counts. v = 0.001, x = -pi/6 + 0.001. Then, not
// pushed, v = 0.001 - 0.0025 cos(-pi/2 + 0.003) = 0.001 - 0.0025 sin 0.003.
func TestMountainCarByHand(t *testing.T) {
	e := MountainCar()
	put(t, e, -math.Pi/6, 0)
	v := 0.001 - 0.0025*math.Sin(0.003)
	walk(t, e, []float64{2, 1}, []env.Step{
		{Obs: []float64{-math.Pi/6 + 0.001, 0.001}, Reward: -1},
		{Obs: []float64{-math.Pi/6 + 0.001 + v, v}, Reward: -1},
	})
	// The wall stops it: from -1.19 at speed -0.07 it would pass -1.2.
	put(t, e, -1.19, -0.07)
	walk(t, e, []float64{0}, []env.Step{{Obs: []float64{-1.2, 0}, Reward: -1}})
	// From 0.44 at 0.07 the hill takes 0.0025 cos 1.32 and the push gives 0.001: it gets over 0.5.
	put(t, e, 0.44, 0.07)
	v = min(0.07, 0.07+0.001-0.0025*math.Cos(1.32))
	walk(t, e, []float64{2}, []env.Step{{Obs: []float64{0.44 + v, v}, Reward: -1, Terminated: true}})
}

// Hanging still: both angles 0, velocities 0, torque 1.
//
//	d1 = 0.25 + (1 + 0.25 + 1) + 2 = 4.5,  d2 = (0.25 + 0.5) + 1 = 1.75,  phi1 = phi2 = 0
//	a2 = 1 / (0.25 + 1 - 1.75^2/4.5) = 1 / (1.25 - 49/72) = 72/41
//	a1 = -1.75 a2 / 4.5 = -28/41
//
// With torque 0 it stays where it is. Turned by a quarter (angle 1 = pi/2, angle 2 = 0):
//
//	phi2 = 4.9, phi1 = 1.5*9.8 + 4.9 = 19.6
//	a2 = (1.75/4.5*19.6 - 4.9) / (41/72),  a1 = -(1.75 a2 + 19.6)/4.5
func TestAcrobotSlopesByHand(t *testing.T) {
	a2 := (1.75/4.5*19.6 - 4.9) * 72 / 41
	for _, c := range []struct {
		s      links
		torque float64
		want   links
	}{
		{links{}, 1, links{0, 0, -28. / 41, 72. / 41}},
		{links{}, 0, links{}},
		{links{math.Pi / 2, 0, 0, 0}, 0, links{0, 0, -(1.75*a2 + 19.6) / 4.5, a2}},
		// Angle 2 = pi/2, hanging at angle 1 = 0, velocities 1 and 2, torque 0: sin = 1, cos = 0,
		// d1 = 0.25 + 1.25 + 2 = 3.5, d2 = 1.25, phi2 = 4.9 and
		// phi1 = -0.5*4 - 2*0.5*2*1 + 0 + 4.9 = 0.9, so
		// a2 = (1.25/3.5*0.9 - 0.5 - 4.9) / (1.25 - 1.25^2/3.5), a1 = -(1.25 a2 + 0.9)/3.5.
		{links{0, math.Pi / 2, 1, 2}, 0, links{1, 2,
			-(1.25*((1.25/3.5*0.9-5.4)/(1.25-1.5625/3.5)) + 0.9) / 3.5, (1.25/3.5*0.9 - 5.4) / (1.25 - 1.5625/3.5)}},
	} {
		got := c.s.slope(c.torque)
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("slope of %v under %v: number %d is %.17g, want %.17g", c.s, c.torque, i, got[i], c.want[i])
			}
		}
	}
}

// One step against many small ones: Runge-Kutta of order 4 is exact to about the fifth power of the
// step, so that halving it divides the error by about 16 (2^4, over twice the steps).
func TestAcrobotIntegrationOrder(t *testing.T) {
	start := links{0.3, -0.2, 0.5, -0.4}
	fine := func(n int) links {
		s := start
		h := linkTau / float64(n)
		for range n {
			k1 := s.slope(1)
			k2 := s.plus(h/2, k1).slope(1)
			k3 := s.plus(h/2, k2).slope(1)
			k4 := s.plus(h, k3).slope(1)
			for i := range s {
				s[i] += h / 6 * (k1[i] + 2*k2[i] + 2*k3[i] + k4[i])
			}
		}
		return s
	}
	step := start
	step.advance(1)
	off := func(a, b links) float64 {
		d := 0.0
		for i := range a {
			d = max(d, math.Abs(a[i]-b[i]))
		}
		return d
	}
	exact := fine(1000)
	if d := off(step, fine(1)); d > 1e-15 {
		t.Errorf("advance differs from one step of the method by %v", d)
	}
	e1, e2 := off(step, exact), off(fine(2), exact)
	if r := e1 / e2; e1 > 1e-3 || r < 10 || r > 40 {
		t.Errorf("errors %v and %v of one and two steps, ratio %v, want about 16", e1, e2, r)
	}
}

func TestAcrobotEnds(t *testing.T) {
	e := Acrobot()
	// Link 1 upright and link 2 along it, nearly: height -cos(pi) - cos(pi) = 2 > 1.
	put(t, e, math.Pi, 0, 0, 0)
	walk(t, e, []float64{1}, []env.Step{{Obs: []float64{-1}, Reward: 0, Terminated: true}})
	put(t, e, 0, 0, 0, 0)
	walk(t, e, []float64{1}, []env.Step{{Obs: []float64{1, 0, 1, 0, 0, 0}, Reward: -1}})
	// Speeds are cut at 4 pi and 9 pi.
	put(t, e, 0, 0, 4*math.Pi, 9*math.Pi)
	for range 20 {
		s, err := e.Step([]float64{2})
		if err != nil {
			break // it may get over the line
		}
		if !e.Spec().Observation.Contains(s.Obs) {
			t.Fatalf("observation %v is not in its space", s.Obs)
		}
	}
}

func TestTurn(t *testing.T) {
	for _, c := range [][2]float64{{0, 0}, {math.Pi, math.Pi}, {4, 4 - 2*math.Pi}, {-4, 2*math.Pi - 4},
		{10, 10 - 4*math.Pi}} {
		if got := turn(c[0]); math.Abs(got-c[1]) > 1e-12 {
			t.Errorf("turn(%v) = %v, want %v", c[0], got, c[1])
		}
	}
}
