package picking

// NumTerms is how many terms a score has.
const NumTerms = 18

// TermNames are how users write the terms, in the order of files and vectors: the inputs of the job
// itself, and products of two inputs. Products of two logarithms are divided by 8, so that all
// terms are of one size.
func TermNames() []string {
	return []string{"request", "procs", "share", "wait", "late", "stretch", "fits", "request_share", "request_procs",
		"request_stretch",
		"request_free", "request_queue", "procs_free", "procs_queue", "share_fits", "request2", "procs2", "stretch2"}
}

// terms are the values, in the order of TermNames.
func (x *Inputs) terms() [NumTerms]float64 {
	const e = 0.125
	r, p, s := x[Request], x[Procs], x[Stretch]
	return [NumTerms]float64{r, p, x[Share], x[Wait], x[Late], s, x[Fits], float64(r * x[Share]), float64(e * r * p),
		float64(e * r * s),
		float64(r * x[Free]), float64(e * r * x[Queue]), float64(p * x[Free]), float64(e * p * x[Queue]),
		float64(x[Share] * x[Fits]),
		float64(e * r * r), float64(e * p * p), float64(e * s * s)}
}
