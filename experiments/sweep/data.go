package sweep

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"tarry/output/results"
	"tarry/run/parts"
)

// Data gives figures the rows of one or more sweep folders, and nothing else.
type Data struct {
	// Folders are in the order in which they were named.
	Folders []*Folder
	// From has the policies and environments by which rows of earlier versions, which do not state
	// what was known, are judged; nil = none of them was clairvoyant.
	From *parts.Catalogues

	known sync.Map           // results.Keys with experiment and cell alone -> Cell
	keep  func(c *Cell) bool // nil = all cells; see Where
}

// Names is From.
func (d *Data) Names() *parts.Catalogues { return d.From }

// Order sorts the folders as the specs of a question are, folders of others behind.
func (d *Data) Order(specs []Spec) {
	place := func(f *Folder) int {
		if i := slices.IndexFunc(specs, func(s Spec) bool { return s.Name == f.Spec.Name }); i >= 0 {
			return i
		}
		return len(specs)
	}
	slices.SortStableFunc(d.Folders, func(a, b *Folder) int { return place(a) - place(b) })
}

// OpenData opens folders of sweeps.
func OpenData(dirs ...string) (*Data, error) {
	d := &Data{}
	seen := map[string]string{}
	for _, dir := range dirs {
		f, err := Open(nil, dir)
		if err != nil {
			return nil, err
		}
		if was, twice := seen[f.Spec.Name]; twice {
			return nil, fmt.Errorf("%s and %s both hold a sweep called %s, expected different names: their rows "+
				"would be mixed up", was, dir, f.Spec.Name)
		}
		seen[f.Spec.Name] = dir
		d.Folders = append(d.Folders, f)
	}
	return d, nil
}

// Cell gives the cell that a row belongs to, by the columns experiment and cell; false when no
// folder has it, or when Where leaves it out.
func (d *Data) Cell(k results.Keys) (Cell, bool) {
	c, ok := d.cell(k)
	return c, ok && d.Kept(&c)
}

func (d *Data) cell(k results.Keys) (Cell, bool) {
	key := results.Keys{Experiment: k.Experiment, Cell: k.Cell}
	if c, ok := d.known.Load(key); ok {
		return c.(Cell), true
	}
	for _, f := range d.Folders {
		if i, ok := f.Index(k.Cell); ok && f.Spec.Name == k.Experiment {
			c, err := f.Cell(i)
			if err == nil {
				d.known.Store(key, c)
			}
			return c, err == nil
		}
	}
	return Cell{}, false
}

// Axis is the value of an axis in the cell that a row belongs to; "" when there is none.
func (d *Data) Axis(k results.Keys, axis string) string {
	c, _ := d.Cell(k)
	return c.Axes[axis]
}

// Scan reads the gathered table of T (results.Trial, Eval, Curve, Job or Tune) of all folders in
// bounded memory; the slice is reused. Folders whose cells have no such table are passed over; a
// folder that was never gathered is an error.
func Scan[T results.Row](ctx context.Context, d *Data, each func(rows []T) error) error {
	var zero T
	for _, f := range d.Folders {
		if _, err := results.ReadManifest(f.Dir); err != nil {
			return fmt.Errorf("%s was not gathered: run the sweep to its end, or tarry sweep gather %s", f.Dir, f.Dir)
		}
		path := filepath.Join(f.Dir, zero.Table(), "part-0.parquet")
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if _, err := results.Scan(ctx, path, each); err != nil {
			return err
		}
	}
	return nil
}

// Rows reads the complete table.
func Rows[T results.Row](ctx context.Context, d *Data) ([]T, error) {
	var out []T
	err := Scan(ctx, d, func(rows []T) error {
		out = append(out, rows...)
		return nil
	})
	return out, err
}
