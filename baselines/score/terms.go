package score

// term is what a weight is multiplied with: an input, its square, or its product with the pressure.
type term struct {
	name string
	of   Input
	kind termKind
}

type termKind uint8

const (
	plain termKind = iota
	square
	product // with the pressure
	trusted // with the spread
)

// center is what is subtracted before squaring, and half before products: an hour, or eight GPUs.
func center(i Input) float64 {
	if i == GPUs {
		return 2
	}
	return 4
}

// terms lists all terms in the order of files and vectors. The pressure by itself is none: it is
// the same for all jobs.
func terms() []term {
	var out []term
	names := InputNames()
	for i := range Pressure {
		out = append(out, term{names[i], i, plain})
	}
	for _, i := range []Input{Rank, GPUs, Attained} {
		out = append(out, term{"pressure_" + names[i], i, product})
	}
	for _, i := range []Input{Rank, GPUs, Attained, Age, Wait} {
		out = append(out, term{names[i] + "2", i, square})
	}
	for _, i := range []Input{Rank, GPUs, Attained} {
		out = append(out, term{"spread_" + names[i], i, trusted})
	}
	return out
}

// BaseTerms are the names of TermNames without the products with the spread: what features=all means.
func BaseTerms() []string {
	names := TermNames()
	return names[:len(names)-3]
}

// TermNames are how users write the terms: the inputs without the pressure; pressure_rank,
// pressure_gpus and pressure_attained, the pressure times an input less its centre; rank2, gpus2,
// attained2, age2 and wait2, the square of half an input less its centre; spread_rank, spread_gpus
// and spread_attained, the spread times an input less its centre: how far a law can be trusted. The
// centre is 2 for gpus (ln 8 GPUs, about) and 4 for times (ln 55 min).
func TermNames() []string {
	var out []string
	for _, t := range terms() {
		out = append(out, t.name)
	}
	return out
}

// value is a term without the pressure, which multiplies products later.
func (t *term) value(x *Inputs) float64 {
	v := x[t.of]
	switch t.kind {
	case square:
		v = 0.5 * (v - center(t.of))
		return float64(v * v)
	case product:
		return v - center(t.of)
	case trusted:
		return float64((v - center(t.of)) * x[Spread])
	}
	return v
}
