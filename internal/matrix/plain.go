package matrix

// plainPanels is panels in plain Go.
func plainPanels(c, a, b []float64, m, k, n, rowA, stepA int, add bool) {
	for i := range m {
		y := c[i*n : (i+1)*n]
		if !add {
			clear(y)
		}
		for l := range k {
			v := a[i*rowA+l*stepA]
			for j, w := range b[l*n : (l+1)*n] {
				y[j] += float64(v * w)
			}
		}
	}
}

// plainLefts is lefts in plain Go.
func plainLefts(c, a, b []float64, m, n, ld, from, k int, add bool) {
	for i := range m {
		x := a[i*ld+from : i*ld+from+k]
		for j := range n {
			c[i*n+j] = dot(x, b[j*ld+from:], c[i*n+j], add)
		}
	}
}

// dot is the scalar product of x and as many numbers of y, added to before or not.
func dot(x, y []float64, before float64, add bool) float64 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	l := 0
	for ; l+4 <= len(x); l += 4 {
		s0 += float64(x[l] * y[l])
		s1 += float64(x[l+1] * y[l+1])
		s2 += float64(x[l+2] * y[l+2])
		s3 += float64(x[l+3] * y[l+3])
	}
	for ; l < len(x); l++ {
		s0 += float64(x[l] * y[l])
	}
	s := (s0 + s2) + (s1 + s3)
	if add {
		return before + s
	}
	return s
}
