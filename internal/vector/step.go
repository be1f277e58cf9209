package vector

import "math"

// Adam has the numbers of one step of the optimiser Adam.
type Adam struct {
	// Beta1 and Beta2 are the decay rates of the moments.
	Beta1, Beta2 float64
	// Rate is the learning rate over 1 - Beta1^t, Root the root of 1 - Beta2^t, Eps is added to the
	// root of the second moment.
	Rate, Root, Eps float64
}

// Step moves the weights w with the moments m and v by the gradient g, all of one length.
func (a *Adam) Step(w, m, v, g []float64) {
	m, v, g = m[:len(w)], v[:len(w)], g[:len(w)]
	few := whole(len(w))
	if few > 0 {
		f := [7]float64{a.Beta1, 1 - a.Beta1, a.Beta2, 1 - a.Beta2, a.Rate, a.Root, a.Eps}
		adam(few, &w[0], &m[0], &v[0], &g[0], &f[0])
	}
	for i := few; i < len(w); i++ {
		m[i] = float64(a.Beta1*m[i]) + float64((1-a.Beta1)*g[i])
		v[i] = float64(a.Beta2*v[i]) + float64((1-a.Beta2)*float64(g[i]*g[i]))
		w[i] -= float64(a.Rate * m[i] / (math.Sqrt(v[i])/a.Root + a.Eps))
	}
}

// RMSProp has the numbers of one step of the optimiser RMSProp.
type RMSProp struct {
	// Decay is the decay of the mean square, Rate the learning rate.
	Decay, Rate float64
	// Eps is added to the mean square if InRoot, or else to its root.
	Eps    float64
	InRoot bool
}

// Step moves the weights w with the mean squares v by the gradient g, all of one length.
func (r *RMSProp) Step(w, v, g []float64) {
	v, g = v[:len(w)], g[:len(w)]
	few := whole(len(w))
	if few > 0 {
		f := [4]float64{r.Decay, 1 - r.Decay, r.Rate, r.Eps}
		rmsprop(few, &w[0], &v[0], &g[0], &f[0], r.InRoot)
	}
	for i := few; i < len(w); i++ {
		v[i] = float64(r.Decay*v[i]) + float64((1-r.Decay)*float64(g[i]*g[i]))
		root := math.Sqrt(v[i]) + r.Eps
		if r.InRoot {
			root = math.Sqrt(v[i] + r.Eps)
		}
		w[i] -= float64(r.Rate * g[i] / root)
	}
}
