package picking

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

const (
	magic     = "tarry-pick 1"
	maxFaults = 20
	maxBytes  = 1 << 20
	// mostWeight bounds the weights of a file on either side.
	mostWeight = 1e9
)

// WriteTo writes the score as text that Parse reads back to the last bit: a header, then one "name = value" per line.
func (f *Func) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nhidden %d\n\n", magic, f.hidden)
	for i, n := range f.Names() {
		fmt.Fprintf(&b, "%s = %s\n", n, strconv.FormatFloat(f.weights[i], 'g', -1, 64))
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// Load reads the score of a file.
func Load(path string) (*Func, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	defer f.Close()
	return Parse(path, f)
}

// Parse reads a score. name stands in errors, which join up to 20 faults with line, value and what was expected. A weight that is not given
// is 0, so that a score of few terms is a few lines; empty lines and those that begin with # say nothing.
func Parse(name string, in io.Reader) (*Func, error) {
	p := parser{name: name, lines: bufio.NewScanner(io.LimitReader(in, maxBytes))}
	if p.header(); len(p.faults) == 0 {
		p.body()
	}
	if err := p.lines.Err(); err != nil {
		p.fault("%v", err)
	}
	if len(p.faults) > 0 {
		return nil, errors.Join(p.faults[:min(len(p.faults), maxFaults)]...)
	}
	return p.score, nil
}

type parser struct {
	name   string
	line   int
	text   string
	lines  *bufio.Scanner
	score  *Func
	faults []error
}

func (p *parser) fault(format string, args ...any) {
	p.faults = append(p.faults, fmt.Errorf("%s:%d: %s", p.name, max(1, p.line), fmt.Sprintf(format, args...)))
}

// next moves on to the next line that says something.
func (p *parser) next() bool {
	for p.lines.Scan() {
		p.line++
		p.text = strings.TrimSpace(strings.TrimPrefix(p.lines.Text(), "\ufeff"))
		if p.text != "" && p.text[0] != '#' {
			return true
		}
	}
	p.text = ""
	return false
}

// header reads the two lines before the weights.
func (p *parser) header() {
	if p.next(); p.text != magic {
		p.fault("the file begins with %q, expected %q", cut(p.text), magic)
		return
	}
	p.next()
	text, ok := strings.CutPrefix(p.text, "hidden ")
	hidden, err := strconv.Atoi(strings.TrimSpace(text))
	if !ok || err != nil {
		p.fault("the line is %q, expected %q and a whole number from 0 to %d", cut(p.text), "hidden", MostHidden)
		return
	}
	if p.score, err = New(hidden); err != nil {
		p.fault("%v", err)
	}
}

// body reads the weights.
func (p *parser) body() {
	names, seen := p.score.Names(), map[string]int{}
	for p.next() {
		name, text, ok := strings.Cut(p.text, "=")
		name, text = strings.TrimSpace(name), strings.TrimSpace(text)
		at := slices.Index(names, name)
		v, err := strconv.ParseFloat(text, 64)
		switch {
		case !ok:
			p.fault("the line is %q, expected NAME = VALUE", cut(p.text))
		case at < 0:
			p.fault("%q is unknown, expected some of %s", cut(name), strings.Join(names, ", "))
		case seen[name] > 0:
			p.fault("%s is given on line %d already, expected once", name, seen[name])
		case err != nil || !(v >= -mostWeight && v <= mostWeight):
			p.fault("%s is %q, expected a number from %v to %v", name, cut(text), -mostWeight, mostWeight)
		default:
			p.score.weights[at] = v
		}
		seen[name] = p.line
	}
}

// cut shortens what is quoted in an error.
func cut(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}
