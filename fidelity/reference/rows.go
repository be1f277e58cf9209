package reference

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
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
