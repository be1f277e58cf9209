package nn

// Blend moves every weight of dst towards its twin of src by the fraction tau; 1 copies. Both list
// weights of the same shapes in the same order.
func Blend(dst, src []*Param, tau float64) {
	for k, d := range dst {
		s := src[k].W
		if tau == 1 {
			copy(d.W, s)
			continue
		}
		for i, w := range d.W {
			d.W[i] = w + float64(tau*(s[i]-w))
		}
	}
}
