// Package setting declares settings: a Row has a setting's names, values, default and meaning, and
// a pointer to where its value goes. What reads files, binds flags, completes words, lists settings
// and writes references is made from a table of rows, so that a setting is declared once.
//
// Reading guide. Row (row.go) is a declaration and states its value, range and default; Read
// (read.go) takes the values of rows from a param.Set, Put from the text of a flag; Save (save.go)
// writes them for the resolved configuration; Help (help.go) gives the lines of a catalogue.
package setting

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tarry/sim/param"
)

// Row declares one setting. Key and Doc are required, and To, Read or Inside.
type Row struct {
	// Key is the name in files and options. Flag is the name on the command line, without dashes,
	// and Aliases are others of it; "" = there is no flag.
	Key, Flag string
	Aliases   []string
	// Doc is one line about the meaning. Unit is the unit of a number, such as "s" or "GPUs"; "" =
	// it has none.
	Doc, Unit string
	// Group names what the flag is about, such as Tenants: flags of one group stand together in helps.
	// "" = most runs use it, and short helps have it.
	Group string
	// Meta names the value in the help of the flag; "" = VALUE.
	Meta string
	// Forms states how a value that is no plain number is written; "" = Doc or the range states it.
	// See is the list of tarry list that has more, "" = none.
	Forms, See string
	// Page is the page of the documentation about it, such as hosts.md; "" = none.
	Page string
	// Low and High bound numbers; Zero states that 0 is taken beside them. Names, unless nil, are
	// the only texts that are taken.
	Low, High float64
	Zero      bool
	Names     []string
	// Unset states that 0 and "" are values that are not given, which programs may leave where Low
	// and Names do not take them.
	Unset bool
	// Empty is what an empty value stands for, as users write it; "" = nothing.
	Empty string
	// To is where the value goes: a pointer to a string, []string, bool, int, int64, uint64 or
	// float64, which holds the present value. nil = Read does everything, or Inside.
	To any
	// Inside are the settings of a mapping.
	Inside []Row
	// Read replaces the usual reader of files and options, Set the reader of a flag's text; Show
	// gives the present value as users write it. nil = by To and Inside.
	Read func(s *param.Set)
	Set  func(text string) error
	Show func() string
	// Choices lists the names or keys of values with their meanings, for lists and completion; nil
	// = there are none. Words are texts that are offered before them. Paths states that a file may
	// stand for the value.
	Choices func() []Choice
	Words   []string
	Paths   bool
	// List is the name of the list of tarry list that Choices make, ListDoc its line; "" = there is
	// none.
	List, ListDoc string
	// Files lists the files that the present value names, whose content a result depends on; nil =
	// none. Files of rows with FilesFirst are recorded before the others.
	Files      func() []string
	FilesFirst bool
	// Always writes the value into the resolved configuration where it is the zero value too, Never
	// does not write it: it does not change results, or is there in another form. Save replaces the
	// usual writer.
	Always, Never bool
	Save          func(put func(key string, value any))
}

// Choice is one name or key of a setting's values.
type Choice struct {
	// Name is what users write, Doc one line about it. Key states that the name is a key of
	// key=value.
	Name, Doc string
	Key       bool
	// Form is the choice with its options, Params has one line for each: key, meaning. "" = it has
	// none.
	Form, Params string
	// Options lists the options with ranges and defaults; nil = there are none.
	Options func() []param.Setting
}

// Help is Params with the defaults of Options.
func (c *Choice) Help() string {
	if c.Options == nil {
		return c.Params
	}
	return param.WithDefaults(c.Params, c.Options())
}

// Text is the present value as users write it; "" where it is empty.
func (r *Row) Text() string {
	if r.Show != nil {
		return r.Show()
	}
	switch to := r.To.(type) {
	case nil:
		return ""
	case *[]string:
		return strings.Join(*to, "+")
	default:
		return fmt.Sprint(reflect.ValueOf(to).Elem().Interface())
	}
}

// Default is Text, or Empty where that is "".
func (r *Row) Default() string {
	if text := r.Text(); text != "" {
		return text
	}
	return r.Empty
}

// Range reports which values are taken.
func (r *Row) Range() string {
	switch r.To.(type) {
	case *int, *int64, *uint64:
		if r.High >= math.MaxInt64 {
			return fmt.Sprintf("a whole number >= %.0f", r.Low)
		}
		return fmt.Sprintf("a whole number in %.0f..%.0f", r.Low, r.High)
	case *float64:
		if r.Zero {
			return fmt.Sprintf("0 or a number in %v..%v", r.Low, r.High)
		}
		return fmt.Sprintf("a number in %v..%v", r.Low, r.High)
	case *bool:
		return "true or false"
	}
	switch {
	case len(r.Names) > 0:
		return strings.Join(r.Names, ", ")
	case r.Forms != "":
		return r.Forms
	case r.Inside != nil:
		return "key=value,... or a mapping"
	}
	return "text"
}

// Wrong reports what is wrong with the present value of a number or a name, "" = nothing: programs
// and flags may set any.
func (r *Row) Wrong() string {
	if text, is := r.To.(*string); is && r.Names != nil && !slices.Contains(r.Names, *text) &&
		!(r.Unset && *text == "") {
		return fmt.Sprintf("%s is %q, expected %s%s", r.Key, *text, r.Range(), param.Hint(*text, r.Names))
	}
	v, ok := r.number()
	if !ok || v >= r.Low && v <= r.High || (r.Unset || r.Zero) && v == 0 {
		return ""
	}
	return fmt.Sprintf("%s is %s, expected %s", r.Key, strconv.FormatFloat(v, 'g', -1, 64), r.Range())
}

// number is the value of a number.
func (r *Row) number() (v float64, ok bool) {
	switch to := r.To.(type) {
	case *int:
		return float64(*to), true
	case *int64:
		return float64(*to), true
	case *uint64:
		return float64(*to), true
	case *float64:
		return *to, true
	}
	return 0, false
}

// Find gives the row of a key; nil where there is none. A key such as costs.start_s is inside of
// the row costs.
func Find(rows []Row, key string) *Row {
	outer, inner, dotted := strings.Cut(key, ".")
	at := slices.IndexFunc(rows, func(r Row) bool { return r.Key == outer })
	switch {
	case at < 0:
		return nil
	case dotted:
		return Find(rows[at].Inside, inner)
	}
	return &rows[at]
}

// Walk calls visit for each row and those inside of it, with the keys as users write them.
func Walk(rows []Row, visit func(key string, r *Row)) {
	for i := range rows {
		r := &rows[i]
		visit(r.Key, r)
		Walk(r.Inside, func(key string, in *Row) { visit(r.Key+"."+key, in) })
	}
}

// After puts rows behind the row of a key.
func After(rows []Row, key string, more ...Row) []Row {
	at := slices.IndexFunc(rows, func(r Row) bool { return r.Key == key })
	return slices.Insert(rows, at+1, more...)
}
