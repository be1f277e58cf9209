package sweep

import "errors"

// ReadFile reads a sweep's YAML file, strictly: the error joins every fault with its file and line.
func ReadFile(path string) (Spec, error) { return Spec{}, errors.New("sweep: not built yet") }

// Override sets settings of the base, each "key=value" ("costs.restore_s=5"), as --set does.
func (s *Spec) Override(given []string) error { return nil }

// Cells spells the cells out, in order. The error joins every fault.
func (s *Spec) Cells() ([]Cell, error) { return nil, nil }

// Cost says what the cells will take.
type Cost struct {
	// Cells is how many there are, Jobs how many jobs they simulate, Steps how many steps of
	// environments they train.
	Cells       int
	Jobs, Steps int64
}

// Cost estimates what cells take from their settings.
func (s *Spec) Cost(cells []Cell) (Cost, error) { return Cost{}, nil }
