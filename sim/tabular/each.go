package tabular

import (
	"errors"
	"fmt"
	"io"
)

// maxFaults bounds how many faults Each reports.
const maxFaults = 20

// Each calls each for every row of a delimited file that has no fault so far; required are columns
// that must be there, and header, which may be nil, looks at all columns first. The error joins the
// faults that rows have or get, up to 20; a file without rows is one, and so is one of more than
// MaxTable bytes.
func Each(file string, header func(columns []string) error, each func(*Row), required ...string) error {
	in, err := openTable(file)
	if err != nil {
		return err
	}
	defer in.Close()
	text, err := Decode(file, in)
	if err != nil {
		return err
	}
	defer text.Close()
	rows := NewReader(file, text)
	rows.most = MaxTable
	if err := rows.Header(required...); err != nil {
		return err
	}
	if header != nil {
		if err := header(rows.Columns()); err != nil {
			return err
		}
	}
	var faults []*Fault
	n := 0
	for ; len(faults) < maxFaults; n++ {
		r, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return errors.Join(Join(faults), err)
		}
		if len(r.Faults()) == 0 {
			each(r)
		}
		faults = append(faults, r.Faults()...)
	}
	if n == 0 {
		return fmt.Errorf("%s: no rows, expected at least one", file)
	}
	return Join(faults)
}
