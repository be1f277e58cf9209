package netaware

// size is the number of features.
const size = 10

// ridge is least squares with a penalty on the squares of the coefficients, updated row by row:
// after any number of rows the coefficients minimise sum (y - w x)^2 + penalty |w -
// prior|^2, where the prior takes a machine to stay as it was: 1 for past, 0 for the rest.
type ridge struct {
	w [size]float64
	p [size][size]float64 // inverse of X'X + penalty I
	n int
}

func newRidge(penalty float64) ridge {
	var r ridge
	r.w[past] = 1
	for i := range r.p {
		r.p[i][i] = 1 / penalty
	}
	return r
}

// predict is w x.
func (r *ridge) predict(x *[size]float64) float64 {
	s := 0.0
	for i, w := range r.w {
		s += float64(w * x[i])
	}
	return s
}

// learn adds a row.
func (r *ridge) learn(x *[size]float64, y float64) {
	var px [size]float64
	d := 1.0
	for i := range px {
		for k := range px {
			px[i] += float64(r.p[i][k] * x[k])
		}
		d += float64(px[i] * x[i])
	}
	off := y - r.predict(x)
	for i := range px {
		r.w[i] += float64(px[i]*off) / d
		for k := range px {
			r.p[i][k] -= float64(px[i]*px[k]) / d
		}
	}
	r.n++
}
