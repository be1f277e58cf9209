//go:build !js

package results

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"unsafe"
)

// Column is a column of a table whose shape is not known beforehand, such as the data behind a
// picture. Exactly one of Text and Numbers is given.
type Column struct {
	// Name is the column's.
	Name string
	// Text or Numbers are its values; NaN = none.
	Text    []string
	Numbers []float64
}

// WriteColumns writes a table of columns of equal length, whole or not at all, with the rules of
// Write. The name of the table goes into the file's metadata. The target has no keys.
func WriteColumns(ctx context.Context, t Target, table string, cols []Column) error {
	if err := writeColumns(ctx, t, table, cols); err != nil {
		return fmt.Errorf("results: write table %s to %s: %w", table, t.Path, err)
	}
	return nil
}

func writeColumns(ctx context.Context, t Target, table string, cols []Column) (err error) {
	described, err := describe(cols)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if t.Meta.Codec, err = ParseCodec(string(t.Meta.Codec)); err != nil {
		return err
	}
	temp, err := t.Files.create(t.Path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			temp.abort()
		}
	}()
	work := newScratch(temp)
	defer work.leave()
	if err := writeAll(&sink{w: work.buffer}, work, t, table, described, cols); err != nil {
		return err
	}
	return t.Files.take(temp)
}

// writeAll writes the file's content.
func writeAll(out *sink, work *scratch, t Target, table string, described []column, cols []Column) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("parquet writer: %v", r)
		}
		if out.err != nil {
			err = out.err
		}
	}()
	of := &shape{cols: described, codec: t.Meta.Codec}
	if err := of.layOut(); err != nil {
		return err
	}
	f, err := newParquetFile(out, work, of, t.Meta.words(table))
	if err != nil {
		return err
	}
	to := make([]buffer, len(cols))
	for i, c := range described {
		to[i] = newBuffer(c, 0)
	}
	rows := cols[0].rows()
	for from := 0; from < rows; from += groupRows {
		n := min(rows-from, groupRows)
		for i, c := range cols {
			if c.Text != nil {
				to[i].take(unsafe.Pointer(&c.Text[from]), unsafe.Sizeof(""), n)
			} else {
				to[i].take(unsafe.Pointer(&c.Numbers[from]), unsafe.Sizeof(0.0), n)
			}
		}
		if err := f.group(n, to, described); err != nil {
			return err
		}
	}
	return f.finish()
}

func (c Column) rows() int { return max(len(c.Text), len(c.Numbers)) }

// describe checks the columns.
func describe(cols []Column) ([]column, error) {
	var errs []error
	var out []column
	seen := map[string]bool{}
	for i, c := range cols {
		kind := reflect.Float64
		if c.Text != nil {
			kind = reflect.String
		}
		switch {
		case c.Name == "" || seen[c.Name]:
			errs = append(errs, fmt.Errorf("column %d is called %q, expected a name that no other column has", i+1,
				c.Name))
		case c.Text != nil && c.Numbers != nil:
			errs = append(errs, fmt.Errorf("column %q has texts and numbers, expected one of them", c.Name))
		case c.rows() != cols[max(0, i-1)].rows():
			errs = append(errs, fmt.Errorf("column %q has %d values, the others %d", c.Name, c.rows(),
				cols[i-1].rows()))
		}
		seen[c.Name] = true
		out = append(out, column{name: c.Name, kind: kind})
	}
	if len(cols) == 0 {
		errs = append(errs, errors.New("no column"))
	}
	return out, errors.Join(errs...)
}
