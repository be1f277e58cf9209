package score

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

const (
	magic     = "tarry-score 1"
	maxFaults = 20
	maxBytes  = 1 << 20
)

// number is one "name = value" of a file beside the weights.
type number struct {
	name   string
	to     *float64
	lo, hi float64
}

// numbers are those of a rule; timers are read and written apart.
func (r *Rule) numbers() []number {
	inf := math.Inf(1)
	return []number{
		{"margin", &r.Globals.Margin, 0, inf}, {"min_run", &r.Globals.MinRun, 0, 1e4},
		{"t_rack", &r.Globals.Rack, 0, inf}, {"t_net", &r.Globals.Net, 0, inf},
		{"law_median_s", &r.Law.MedianS, 1e-3, 1e12}, {"law_spread", &r.Law.Spread, 0, 4},
	}
}

// WriteTo writes the rule as text that Parse reads back to the last bit: a header, then one "name = value" per line.
func (r *Rule) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	predictor := r.Predictor
	if predictor == "" {
		predictor = "none"
	}
	fmt.Fprintf(&b, "%s\npredictor %s\nfeatures %s\nhidden %d\n\n", magic, predictor, strings.Join(r.Func.Terms(), " "), r.Func.Hidden())
	for _, n := range r.numbers() {
		text := strconv.FormatFloat(*n.to, 'g', -1, 64)
		if math.IsNaN(*n.to) {
			text = "auto"
		}
		fmt.Fprintf(&b, "%s = %s\n", n.name, text)
	}
	if r.NoLease {
		b.WriteString("preempt = false\n")
	}
	if r.Backfill != "" {
		fmt.Fprintf(&b, "backfill = %s\n", r.Backfill)
	}
	b.WriteByte('\n')
	for i, n := range r.Func.Names() {
		fmt.Fprintf(&b, "%s = %s\n", n, strconv.FormatFloat(r.Func.Weights()[i], 'g', -1, 64))
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// Parse reads a rule. name stands in errors, which join up to 20 faults with line, value and what was expected. Every weight of
// the features is there once, in any order; empty lines and those that begin with # say nothing.
func Parse(name string, in io.Reader) (*Rule, error) {
	p := parser{name: name, rule: &Rule{Globals: DefaultGlobals(), Law: DefaultLaw()}, lines: bufio.NewScanner(io.LimitReader(in, maxBytes))}
	p.header()
	if len(p.faults) == 0 {
		p.body()
	}
	if err := p.lines.Err(); err != nil {
		p.fault("%v", err)
	}
	if len(p.faults) > 0 {
		return nil, errors.Join(p.faults[:min(len(p.faults), maxFaults)]...)
	}
	return p.rule, nil
}

type parser struct {
	name   string
	line   int
	text   string
	lines  *bufio.Scanner
	rule   *Rule
	faults []error
}

func (p *parser) fault(format string, args ...any) {
	p.faults = append(p.faults, fmt.Errorf("%s:%d: %s", p.name, p.line, fmt.Sprintf(format, args...)))
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

// header reads the four lines before the numbers, in their order.
func (p *parser) header() {
	if p.next(); p.text != magic {
		p.line = max(p.line, 1)
		p.fault("the file begins with %q, expected %q", cut(p.text), magic)
		return
	}
	line := func(word string) string {
		p.next()
		value, ok := strings.CutPrefix(p.text, word+" ")
		if !ok {
			p.fault("the line is %q, expected %q and a value", cut(p.text), word)
		}
		return strings.TrimSpace(value)
	}
	if p.rule.Predictor = line("predictor"); p.rule.Predictor == "none" {
		p.rule.Predictor = ""
	}
	features := strings.Fields(line("features"))
	at := p.line
	text := line("hidden")
	hidden, err := strconv.Atoi(text)
	if err != nil && len(p.faults) == 0 {
		p.fault("hidden is %q, expected a whole number from 0 to %d", cut(text), MostHidden)
	}
	if len(p.faults) > 0 {
		return
	}
	if p.rule.Func, err = New(features, hidden); err != nil {
		p.line = at
		p.fault("%v", err)
	}
}

// body reads the numbers.
func (p *parser) body() {
	names, numbers := p.rule.Func.Names(), p.rule.numbers()
	weights, seen := make([]float64, len(names)), map[string]int{}
	all := slices.Clone(names)
	for _, n := range numbers {
		all = append(all, n.name)
	}
	all = append(all, "preempt", "backfill")
	for p.next() {
		name, text, ok := strings.Cut(p.text, "=")
		name, text = strings.TrimSpace(name), strings.TrimSpace(text)
		switch {
		case !ok:
			p.fault("the line is %q, expected NAME = VALUE", cut(p.text))
			continue
		case !slices.Contains(all, name):
			p.fault("%q is unknown, expected some of %s", cut(name), strings.Join(all, ", "))
			continue
		case seen[name] > 0:
			p.fault("%s is given on line %d already, expected once", name, seen[name])
			continue
		}
		seen[name] = p.line
		if i := slices.Index(names, name); i >= 0 {
			weights[i] = p.number(name, text, -1e9, 1e9)
			continue
		}
		if name == "preempt" || name == "backfill" {
			p.manner(name, text)
			continue
		}
		n := numbers[slices.IndexFunc(numbers, func(n number) bool { return n.name == name })]
		if *n.to = math.NaN(); text != "auto" || name != "t_rack" && name != "t_net" {
			*n.to = p.number(name, text, n.lo, n.hi)
		}
	}
	for _, n := range names {
		if seen[n] == 0 {
			p.fault("the weight %s is missing, expected every weight of the features", n)
		}
	}
	if g := p.rule.Globals; math.IsNaN(g.Rack) != math.IsNaN(g.Net) && len(p.faults) == 0 {
		p.fault("t_rack is %v and t_net %v, expected auto for both or none", g.Rack, g.Net)
	}
	p.rule.Func.Set(weights)
}

// manner reads one of the two lines that say how jobs take GPUs; without them there are leases, and no reservations.
func (p *parser) manner(name, text string) {
	of := []string{"true", "false"}
	if name == "backfill" {
		of = []string{"none", "request", "predicted"}
	}
	switch {
	case !slices.Contains(of, text):
		p.fault("%s is %q, expected one of %s", name, cut(text), strings.Join(of, ", "))
	case name == "preempt":
		p.rule.NoLease = text == "false"
	case text != "none":
		p.rule.Backfill = text
	}
}

// number reads a value within bounds.
func (p *parser) number(name, text string, lo, hi float64) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= lo && v <= hi) {
		p.fault("%s is %q, expected a number from %v to %v", name, cut(text), lo, hi)
		return 0
	}
	return v
}

// cut shortens what is quoted in an error.
func cut(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}
