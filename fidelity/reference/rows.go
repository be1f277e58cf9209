package reference

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
)

// Rows are the lines of a small file of comma-separated values with a header.
type Rows struct {
	// File is the path, for errors.
	File string
	// At is the place of each column in a row.
	At map[string]int
	// Cells are the rows below the header.
	Cells [][]string
}

// ReadRows reads a file that must have certain columns.
func ReadRows(file string, columns ...string) (*Rows, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	all, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: the file is empty, expected a header with %q", file, columns)
	}
	r := &Rows{file, map[string]int{}, all[1:]}
	for i, c := range all[0] {
		r.At[c] = i
	}
	for _, c := range columns {
		if _, ok := r.At[c]; !ok {
			return nil, fmt.Errorf("%s:1: no column %q, expected %q", file, c, columns)
		}
	}
	return r, nil
}

// Has reports whether the rows have columns.
func (r *Rows) Has(columns []string) bool {
	for _, c := range columns {
		if _, ok := r.At[c]; !ok {
			return false
		}
	}
	return true
}

// Text is a cell.
func (r *Rows) Text(row int, column string) string { return r.Cells[row][r.At[column]] }

// Number is a cell as a number.
func (r *Rows) Number(row int, column string) (float64, error) {
	v, err := strconv.ParseFloat(r.Text(row, column), 64)
	if err != nil {
		return 0, fmt.Errorf("%s: row %d: %s is %q, expected a number", r.File, row+1, column, r.Text(row, column))
	}
	return v, nil
}

// Numbers reads numbers separated by spaces.
func Numbers(text string) ([]float64, error) {
	var out []float64
	for _, w := range strings.Fields(text) {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return nil, fmt.Errorf("%q, expected numbers separated by spaces", text)
		}
		out = append(out, x)
	}
	return out, nil
}

// Line reads numbers of one row; the first fault is kept.
type Line struct {
	// Rows are the rows, of which Row is read.
	Rows *Rows
	Row  int
	// Err is the first fault.
	Err error
}

// Number is a cell as a number.
func (l *Line) Number(column string) float64 {
	x, err := l.Rows.Number(l.Row, column)
	if err != nil && l.Err == nil {
		l.Err = err
	}
	return x
}

// Count is a cell as a whole number.
func (l *Line) Count(column string) int {
	x := l.Number(column)
	if l.Err == nil && (x != math.Trunc(x) || math.Abs(x) > 1e9) {
		l.Err = fmt.Errorf("%s: row %d: %s is %v, expected a whole number", l.Rows.File, l.Row+1, column, x)
	}
	return int(x)
}
