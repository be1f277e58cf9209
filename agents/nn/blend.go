package nn

import "tarry/internal/vector"

// Blend moves every weight of dst towards its twin of src by the fraction tau; 1 copies. Both list
// weights of the same shapes in the same order.
func Blend(dst, src []*Param, tau float64) {
	for k, d := range dst {
		s := src[k].W
		if tau == 1 {
			copy(d.W, s)
			continue
		}
		vector.Blend(d.W, s, tau)
	}
}
