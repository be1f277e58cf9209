package netfile

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"tarry/internal/weights"
)

// maxBytes is how long a file may be.
const maxBytes = 8 << 20

// Load reads the file at path.
func Load(path string) (*Net, error) { return weights.Load(path, Read) }

// Read reads what Write wrote; name stands in errors. The error joins faults with their lines.
func Read(name string, r io.Reader) (*Net, error) {
	p := parser{Reader: weights.Sized(name, r, maxBytes)}
	f := p.form()
	if f == nil {
		return nil, p.Err()
	}
	all := f.Matrices()
	for i := range all {
		if !p.matrix(&all[i]) {
			return nil, p.Err()
		}
	}
	if p.Next() {
		p.Fault("there is a line after the last matrix, %s, expected none", all[len(all)-1].Name)
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	return New(*f, all)
}

// parser reads the lines of one file.
type parser struct{ *weights.Reader }

// form reads the lines before the matrices; nil = there is a fault.
func (p *parser) form() *Form {
	if !p.First(first) {
		return nil
	}
	f := &Form{}
	f.Obs = p.one("observation", 1, maxObs)
	f.Sizes = p.list("choices", "the number of choices of each component", 1, maxWidth)
	f.First = p.list("first", "what the first choice of each component is called", -maxWhole, maxWhole)
	f.Masked = p.word("masked", "true", "false") == "true"
	answers := p.word("answers", "logits", "values", "duel", "scores")
	f.Scores = answers == "scores"
	f.Duel = answers == "duel"
	f.Values = f.Duel || answers == "values"
	if v, ok := p.Word("clip", "a number"); ok {
		f.Clip = p.Number("clip", v, 0, math.MaxFloat64)
	}
	p.network(f)
	if p.Sound() {
		if err := f.Validate(); err != nil {
			p.Fault("%v", err)
		}
	}
	if !p.Sound() {
		return nil
	}
	return f
}

// one reads a line with a whole number.
func (p *parser) one(word string, low, high int) int {
	v, ok := p.Word(word, "a whole number")
	if !ok {
		return 0
	}
	return p.whole(word, v, low, high)
}

func (p *parser) whole(name, text string, low, high int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		p.Fault("%s is %q, expected a whole number from %d to %d", name, weights.Cut(text), low, high)
	}
	return n
}

// list reads a line with whole numbers.
func (p *parser) list(word, expected string, low, high int) (out []int) {
	v, ok := p.Word(word, expected)
	if !ok {
		return nil
	}
	for _, cell := range strings.Fields(v) {
		out = append(out, p.whole(word, cell, low, high))
	}
	return out
}

// word reads a line with one of some words.
func (p *parser) word(word string, all ...string) string {
	expected := strings.Join(all, " or ")
	v, ok := p.Word(word, expected)
	for _, a := range all {
		if v == a {
			return v
		}
	}
	if ok {
		p.Fault("%s is %q, expected %s", word, weights.Cut(v), expected)
	}
	return ""
}

// network reads the line that states how the network is made.
func (p *parser) network(f *Form) {
	v, ok := p.Word("network", "mlp or set, an activation and widths")
	if !ok {
		return
	}
	cells := strings.Fields(v)
	if len(cells) < 2 || cells[0] != "mlp" && cells[0] != "set" {
		p.Fault("network is %q, expected mlp or set, an activation and widths", weights.Cut(v))
		return
	}
	f.Activation = cells[1]
	rest := cells[2:]
	if cells[0] == "set" {
		names := []string{"global", "slots", "features", "extra", "each", "present"}
		if len(rest) != 1+len(names) {
			p.Fault("network is %q, expected set, an activation, a width and %s=N", weights.Cut(v),
				strings.Join(names, "=N "))
			return
		}
		var n [6]int
		for i, name := range names {
			text, ok := strings.CutPrefix(rest[1+i], name+"=")
			if !ok {
				p.Fault("%q, expected %s=N", weights.Cut(rest[1+i]), name)
				continue
			}
			n[i] = p.whole(name, text, 0, maxObs)
		}
		f.Set, rest = &Set{n[0], n[1], n[2], n[3], n[4], n[5]}, rest[:1]
	}
	for _, cell := range rest {
		f.Hidden = append(f.Hidden, p.whole("a width", cell, 1, maxWidth))
	}
}

// matrix reads one matrix; false = there is a fault.
func (p *parser) matrix(m *Matrix) bool {
	want := fmt.Sprintf("%s %d %d", m.Name, m.Rows, m.Cols)
	v, ok := p.Word("matrix", want)
	if ok && v != want {
		p.Fault("matrix is %q, expected %s", weights.Cut(v), want)
	}
	for i := 0; i < m.Rows && p.Sound(); i++ {
		if !p.Next() {
			p.Fault("%s ends after %d of %d rows", m.Name, i, m.Rows)
			break
		}
		cells := strings.Fields(p.Text())
		if len(cells) != m.Cols {
			p.Fault("row %d of %s has %d numbers, expected %d", i, m.Name, len(cells), m.Cols)
			break
		}
		for _, cell := range cells {
			m.W = append(m.W, p.Number(m.Name, cell, -math.MaxFloat64, math.MaxFloat64))
		}
	}
	return p.Sound()
}
