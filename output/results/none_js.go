package results

import (
	"context"
	"errors"
)

// errNone is the error of every table in a browser, where a program has no files.
var errNone = errors.New("results: a browser has no files for tables")

// Writer stands for the writer of a table, which a browser does not have: Create always fails.
type Writer[T Row] struct{}

// Create fails.
func Create[T Row](context.Context, Target) (*Writer[T], error) { return nil, errNone }

// Row fails.
func (*Writer[T]) Row() (*T, error) { return nil, errNone }

// Close fails.
func (*Writer[T]) Close() error { return errNone }

// Abort has nothing to give up.
func (*Writer[T]) Abort() {}

// Write fails.
func Write[T Row](context.Context, Target, []T) error { return errNone }

// ScanTarget fails: there is no table.
func ScanTarget[T Row](context.Context, Target, int64, func([]T) error) (Meta, error) {
	return Meta{}, errNone
}
