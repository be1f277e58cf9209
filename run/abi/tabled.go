package abi

import "tarry/output/results"

// Tabled is what a handle stands for that has tables to hand out.
type Tabled interface {
	// Table gives a table by its name; the error states which there are.
	Table(name string) (*results.Frame, error)
}
