package picking

import (
	"fmt"
	"io"
	"strconv"

	"tarry/internal/weights"
)

const (
	magic = "tarry-pick 1"
	// mostWeight bounds the weights of a file on either side.
	mostWeight = 1e9
)

// WriteTo writes the score as text that Parse reads back to the last bit: a header, then one "name
// = value" per line.
func (f *Func) WriteTo(w io.Writer) (int64, error) {
	n, err := fmt.Fprintf(w, "%s\nhidden %d\n\n%s", magic, f.hidden, weights.Lines(f.Names(), f.weights))
	return int64(n), err
}

// Load reads the score of a file.
func Load(path string) (*Func, error) { return weights.Load(path, Parse) }

// Parse reads a score. name stands in errors, which join up to 20 faults with line, value and what
// was expected. A weight that is not given is 0, so that a score of few terms is a few lines; empty
// lines and lines that begin with # are ignored.
func Parse(name string, in io.Reader) (*Func, error) {
	r := weights.New(name, in)
	f := header(r)
	if r.Sound() {
		names := f.Names()
		r.Pairs(names, func(i int, text string) { f.weights[i] = r.Number(names[i], text, -mostWeight, mostWeight) })
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return f, nil
}

// header reads the two lines before the weights.
func header(r *weights.Reader) *Func {
	if !r.First(magic) {
		return nil
	}
	text, ok := r.Word("hidden", fmt.Sprintf("a whole number from 0 to %d", MostHidden))
	if !ok {
		return nil
	}
	hidden, err := strconv.Atoi(text)
	if err != nil {
		r.Fault("hidden is %q, expected a whole number from 0 to %d", weights.Cut(text), MostHidden)
		return nil
	}
	f, err := New(hidden)
	if err != nil {
		r.Fault("%v", err)
	}
	return f
}
