package trait

// Placed is an environment that writes its observations where a caller wants to have them, in
// place of memory of its own that the caller would copy from.
type Placed interface {
	// Place has observations written to obs, which is as long as one, from the next call on; the
	// latest one stays where it is. Each is written whole: what the caller does to obs between calls
	// changes none.
	Place(obs []float64)
}
