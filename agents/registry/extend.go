package registry

// Extender is a Config whose runs can be made longer.
type Extender interface {
	// Extend gives what a shorter run saved as what one of the Config would have saved; an error
	// where a schedule depends on the length.
	Extend(saved []byte) ([]byte, error)
}
