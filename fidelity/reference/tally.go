package reference

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Tally counts what was compared of a folder, by kind, and keeps what was not and why. Only what
// tarry computed is counted: a stored number compared with another stored number is none.
// Every file of the folder is to be counted (One, Many), left out with a reason (Leave) or read as
// an input (Reads); check gives an error for a file of which none of these was noted.
type Tally struct {
	kinds  []count
	left   []left
	files  map[string]bool
	faults []string
}

// count is how many things of a kind were compared, and how many of them agree.
type count struct {
	kind      string
	agree, of int
}

// left is how many things of a kind were not compared, in which files, and why.
type left struct {
	kind, why string
	n         int
	files     []string
}

// One counts a thing of a file.
func (t *Tally) One(kind, file string, agrees bool) {
	n := 0
	if agrees {
		n = 1
	}
	t.Many(kind, file, n, 1)
}

// Many counts things of a file of which some agree.
func (t *Tally) Many(kind, file string, agree, of int) {
	t.Reads(file)
	if agree < 0 || agree > of {
		t.faults = append(t.faults, fmt.Sprintf("%s: %d of %d %s are noted as equal", file, agree, of, kind))
	}
	i := slices.IndexFunc(t.kinds, func(c count) bool { return c.kind == kind })
	if i < 0 {
		i = len(t.kinds)
		t.kinds = append(t.kinds, count{kind: kind})
	}
	t.kinds[i].agree += agree
	t.kinds[i].of += of
}

// Leave states that n things of a file are not compared, and why; n = 0 where they cannot be
// counted.
func (t *Tally) Leave(kind, file string, n int, why string) {
	t.Reads(file)
	i := slices.IndexFunc(t.left, func(l left) bool { return l.kind == kind && l.why == why })
	if i < 0 {
		i = len(t.left)
		t.left = append(t.left, left{kind: kind, why: why})
	}
	l := &t.left[i]
	if l.n += n; !slices.Contains(l.files, file) {
		l.files = append(l.files, file)
	}
}

// Reads states that files, by name or path, are inputs of the comparison.
func (t *Tally) Reads(files ...string) {
	if t.files == nil {
		t.files = map[string]bool{}
	}
	for _, f := range files {
		t.files[filepath.Base(f)] = true
	}
}

// Said reports whether something was noted of a file.
func (t *Tally) Said(file string) bool { return t.files[filepath.Base(file)] }

// Agree is how many things agree, of all that were compared: Of.
func (t *Tally) Agree() (n int) {
	for _, c := range t.kinds {
		n += c.agree
	}
	return n
}

// Of is how many things were compared.
func (t *Tally) Of() (n int) {
	for _, c := range t.kinds {
		n += c.of
	}
	return n
}

// check gives what is wrong with the counts themselves: more agree than were compared, or nothing
// is noted of a file of the folder. A list that runs of the folder are named after is an input. A
// README and names that begin with a dot hold no results.
func (t *Tally) check(f *Folder) (faults []string) {
	faults = slices.Clone(t.faults)
	for _, name := range f.Files {
		if !t.files[filepath.Base(name)] && !f.used[name] && !f.lists(name) && !strings.HasPrefix(name, "README") &&
			!strings.HasPrefix(name, ".") {
			faults = append(faults, name+" is neither compared nor named as not compared")
		}
	}
	return faults
}

// lists reports whether a file, LIST.csv, is the list of jobs of runs in the folder, LIST__....
func (f *Folder) lists(name string) bool {
	list, ok := strings.CutSuffix(name, ".csv")
	return ok && slices.ContainsFunc(f.Files, func(other string) bool { return strings.HasPrefix(other, list+"__") })
}

// byKind is the count of each kind, where there are several.
func (t *Tally) byKind() string {
	if len(t.kinds) < 2 {
		return ""
	}
	var parts []string
	for _, c := range t.kinds {
		parts = append(parts, fmt.Sprintf("%s %d of %d", c.kind, c.agree, c.of))
	}
	return "; " + strings.Join(parts, ", ")
}

// leftLines reports what was not compared, a line for each reason.
func (t *Tally) leftLines() (lines []string) {
	for _, l := range t.left {
		n := ""
		if l.n > 0 {
			n = fmt.Sprintf("%d ", l.n)
		}
		lines = append(lines, fmt.Sprintf("%s%s of %s: %s", n, l.kind, names(l.files), l.why))
	}
	return lines
}

// Value counts a thing of a row that is off by a part and may be off by most, or could not be
// computed.
func (o *Outcome) Value(kind, file string, row int, off, most float64, err error) {
	if !(off <= o.Worst) {
		o.Worst = off
	}
	if err == nil && !(off <= most) {
		err = fmt.Errorf("off by %.3g", off)
	}
	o.Row(kind, file, row, err)
}

// Row counts a thing of a row, which agrees if err is nil.
func (o *Outcome) Row(kind, file string, row int, err error) {
	if o.One(kind, file, err == nil); err != nil {
		o.Short = append(o.Short, fmt.Sprintf("%s: row %d: %v", file, row+1, err))
	}
}

// Cells compares cells of a row, up to the first of which a number is off by more than most, relative to
// the cell. columns are separated by spaces.
func (o *Outcome) Cells(l *Line, most float64, columns string, got ...float64) error {
	for i, column := range strings.Fields(columns) {
		want := l.Number(column)
		if l.Err != nil {
			return l.Err
		}
		if err := o.Near(column, got[i], want, most); err != nil {
			return err
		}
	}
	return nil
}

// Near is an error if a number is off by more than most, relative to what is expected; else the
// difference counts among the largest.
func (o *Outcome) Near(what string, got, want, most float64) error {
	off := Apart(got, want)
	if !(off <= most) {
		return fmt.Errorf("%s is %v, there %v", what, got, want)
	}
	o.Worst = max(o.Worst, off)
	return nil
}

// Apart is how far a number is from another, relative to it.
func Apart(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / math.Abs(want)
}

// print writes the lines of a folder.
func (o *Outcome) print(out io.Writer, name string) {
	fmt.Fprintf(out, "%s: %d of %d agree, worst %s %s%s\n", name, o.Agree(), o.Of(),
		strconv.FormatFloat(o.Worst, 'g', 3, 64), o.Unit, o.byKind())
	for _, line := range o.leftLines() {
		fmt.Fprintf(out, "%s: not compared: %s\n", name, line)
	}
}

// names lists the first of some files.
func names(files []string) string {
	if len(files) == 0 {
		return "no file"
	}
	s := strings.Join(files[:min(3, len(files))], ", ")
	if more := len(files) - 3; more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}
