package fixmath

// atOnce is how many numbers one call of the assembly gets at most: nothing can interrupt it.
const atOnce = 1 << 14

// ExpAll sets dst to Exp of each number of src, which has its length and may be dst. The bits equal
// Exp's; with AVX2 and FMA it takes four numbers at a time.
func ExpAll(dst, src []float64) {
	src = src[:len(dst)]
	i := 0
	for vector && i+4 <= len(dst) {
		i += exp4(min(len(dst)-i, atOnce)&^3, &dst[i], &src[i])
		for end := min(i+4, len(dst)&^3); i < end; i++ { // where it ended early
			dst[i] = Exp(src[i])
		}
	}
	for ; i < len(dst); i++ {
		dst[i] = Exp(src[i])
	}
}

// TanhAll sets dst to Tanh of each number of src, as ExpAll does.
func TanhAll(dst, src []float64) {
	src = src[:len(dst)]
	i := 0
	for vector && i+4 <= len(dst) {
		n := min(len(dst)-i, atOnce) &^ 3
		tanh4(n, &dst[i], &src[i])
		i += n
	}
	for ; i < len(dst); i++ {
		dst[i] = Tanh(src[i])
	}
}
