package sweep

import (
	"context"
	"errors"
)

// Folder is the folder of a sweep, laid down by Plan. It is safe for many goroutines.
type Folder struct {
	// Dir is where it is; Spec what it asks, without its axes spelled out.
	Dir  string
	Spec Spec
	// SHA256 is the hash of the spec with its cells.
	SHA256 string
	ids    []string
}

// Plan lays a sweep down in a folder, or opens the folder of the same sweep. A folder of another
// sweep is an error that names both.
func Plan(dir string, s Spec, version string) (*Folder, error) {
	return nil, errors.New("sweep: not built yet")
}

// Open opens the folder of a sweep.
func Open(dir string) (*Folder, error) { return nil, errors.New("sweep: not built yet") }

// Len is the number of cells.
func (f *Folder) Len() int { return len(f.ids) }

// ID is the id of a cell.
func (f *Folder) ID(index int) string { return f.ids[index] }

// Index finds a cell by its id; false when there is none.
func (f *Folder) Index(id string) (int, bool) { return 0, false }

// Cell reads a cell.
func (f *Folder) Cell(index int) (Cell, error) { return Cell{}, nil }

// CellDir is the folder of a cell.
func (f *Folder) CellDir(index int) string { return "" }

// Status reads the STATUS of a cell. A broken one is told as failed, with the error in it.
func (f *Folder) Status(index int) Status { return Status{} }

// Statuses reads the STATUS of all cells.
func (f *Folder) Statuses() []Status { return nil }

// Pending lists the cells that an engine should start, in order: all that are not over.
func (f *Folder) Pending() []int { return nil }

// Gather writes the tables of all done cells together, in the order of cells, and the manifest.
func (f *Folder) Gather(ctx context.Context, version string) error { return nil }
