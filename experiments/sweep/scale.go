package sweep

// The scales of a question.
const (
	Tiny  = "tiny"  // seconds: for tests and for looking at the tables
	Small = "small" // about a minute on two processors
	Full  = "full"  // what its conclusions rest on
)

// Scales lists them, the smallest first.
func Scales() []string { return []string{Tiny, Small, Full} }

// At chooses by scale; what is none is taken for small.
func At[T any](scale string, tiny, small, full T) T {
	switch scale {
	case Tiny:
		return tiny
	case Full:
		return full
	}
	return small
}

// FirstSeeds gives the seeds 1..n.
func FirstSeeds(n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(i) + 1
	}
	return out
}
