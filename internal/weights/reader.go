package weights

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	// maxBytes is how long a file may be.
	maxBytes = 1 << 20
	// maxFaults is how many faults Err joins at most.
	maxFaults = 20
	// maxQuoted is how many bytes of a line an error quotes.
	maxQuoted = 60
)

// Reader reads the lines of one file. Make it with New.
type Reader struct {
	name   string
	line   int
	text   string
	most   int64 // bytes of the file
	rest   *io.LimitedReader
	lines  *bufio.Scanner
	given  map[string]int // by name of a pair, its line
	faults []error
}

// New reads in; name stands in errors. A file has 1 MiB at most.
func New(name string, in io.Reader) *Reader { return Sized(name, in, maxBytes) }

// Sized is New for files of most bytes.
func Sized(name string, in io.Reader, most int64) *Reader {
	rest := &io.LimitedReader{R: in, N: most + 1}
	return &Reader{name: name, most: most, rest: rest, lines: bufio.NewScanner(rest), given: map[string]int{}}
}

// Next moves on to the next line that states something; false = there is none.
func (r *Reader) Next() bool {
	for r.lines.Scan() {
		r.line++
		r.text = strings.TrimSpace(strings.TrimPrefix(r.lines.Text(), "\ufeff"))
		if r.text != "" && r.text[0] != '#' {
			return true
		}
	}
	r.text = ""
	return false
}

// Line is the number of the present line, from 1; 0 before the first.
func (r *Reader) Line() int { return r.line }

// Text is the present line, without spaces around it.
func (r *Reader) Text() string { return r.text }

// Fault notes what is wrong with the present line.
func (r *Reader) Fault(format string, args ...any) { r.FaultAt(r.line, format, args...) }

// FaultAt notes what is wrong with a line.
func (r *Reader) FaultAt(line int, format string, args ...any) {
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, fmt.Errorf("%s:%d: %s", r.name, max(1, line), fmt.Sprintf(format, args...)))
	}
}

// Sound reports that there is no fault yet.
func (r *Reader) Sound() bool { return len(r.faults) == 0 }

// Err joins the faults, at most 20, with faults of reading. A file that is too long has that fault
// alone: its last line is cut.
func (r *Reader) Err() error {
	if r.rest.N <= 0 {
		return fmt.Errorf("%s: the file is longer than %d bytes, expected at most that", r.name, r.most)
	}
	if err := r.lines.Err(); err != nil {
		r.Fault("%v", err)
	}
	return errors.Join(r.faults...)
}

// First reads the line that names the kind of file.
func (r *Reader) First(want string) bool {
	switch r.Next(); {
	case strings.HasPrefix(r.text, "tarry state"):
		r.Fault("the file is a checkpoint, expected %q: tarry export weights writes it of the folder of a training run",
			want)
		return false
	case r.text != want:
		r.Fault("the file begins with %q, expected %q", Cut(r.text), want)
		return false
	}
	return true
}

// Word reads a line that begins with a word, and gives what follows; expected states what that is.
func (r *Reader) Word(word, expected string) (string, bool) {
	r.Next()
	value, ok := strings.CutPrefix(r.text, word+" ")
	if !ok {
		r.Fault("the line is %q, expected %q and %s", Cut(r.text), word, expected)
	}
	return strings.TrimSpace(value), ok
}

// Pairs reads the lines that are left as NAME = VALUE. take gets the value of each name that is
// known, by its index, once.
func (r *Reader) Pairs(known []string, take func(i int, value string)) {
	index := make(map[string]int, len(known))
	for i, n := range known {
		index[n] = i
	}
	for len(r.faults) < maxFaults && r.Next() {
		name, value, ok := strings.Cut(r.text, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		i, is := index[name]
		switch {
		case !ok:
			r.Fault("the line is %q, expected NAME = VALUE", Cut(r.text))
		case !is:
			r.Fault("%q is unknown, expected some of %s", Cut(name), strings.Join(known, ", "))
		case r.given[name] > 0:
			r.Fault("%s is given on line %d already, expected once", name, r.given[name])
		default:
			r.given[name] = r.line
			take(i, value)
		}
	}
}

// Number reads a value within bounds; it is 0 where that is a fault.
func (r *Reader) Number(name, value string, lo, hi float64) float64 {
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || !(v >= lo && v <= hi) {
		r.Fault("%s is %q, expected a number from %v to %v", name, Cut(value), lo, hi)
		return 0
	}
	return v
}

// Require notes which of the names Pairs did not find; expected states which are.
func (r *Reader) Require(names []string, expected string) {
	for _, n := range names {
		if r.given[n] == 0 {
			r.Fault("the weight %s is missing, expected %s", n, expected)
		}
	}
}

// Cut shortens what is quoted in an error.
func Cut(s string) string {
	if len(s) > maxQuoted {
		return s[:maxQuoted] + "..."
	}
	return s
}
