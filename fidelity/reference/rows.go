package reference

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
)

// rows are the lines of a small file of comma-separated values with a header.
type rows struct {
	file  string
	at    map[string]int
	cells [][]string
}

// readRows reads a file that must have certain columns.
func readRows(file string, columns ...string) (*rows, error) {
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
	r := &rows{file, map[string]int{}, all[1:]}
	for i, c := range all[0] {
		r.at[c] = i
	}
	for _, c := range columns {
		if _, ok := r.at[c]; !ok {
			return nil, fmt.Errorf("%s:1: no column %q, expected %q", file, c, columns)
		}
	}
	return r, nil
}

// text is a cell.
func (r *rows) text(row int, column string) string { return r.cells[row][r.at[column]] }

// number is a cell as a number.
func (r *rows) number(row int, column string) (float64, error) {
	v, err := strconv.ParseFloat(r.text(row, column), 64)
	if err != nil {
		return 0, fmt.Errorf("%s: row %d: %s is %q, expected a number", r.file, row+1, column, r.text(row, column))
	}
	return v, nil
}
