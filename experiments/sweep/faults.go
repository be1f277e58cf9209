package sweep

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"tarry/run/parts"
)

// allFaults adds to the faults that were found the faults of the settings, as far as they can be
// looked at, so that one does not come to light after the other. Each value of each axis is tried
// once. A line that has a fault is not looked at again: what is wrong there may follow from it.
func (sp *speller) allFaults(n int) error {
	s := sp.s
	told := places(sp.errs.errs)
	if _, err := findKind(s.Kind); err != nil || sp.base == nil || n >= mostCells {
		return sp.errs.err()
	}
	stride := n
	tried := []int{0}
	for i, a := range s.Axes {
		if len(sp.values[i]) == 0 && a.Optimise == "" {
			return sp.errs.err()
		}
		stride /= max(1, len(sp.values[i]))
		for k := 1; k < len(sp.values[i]); k++ {
			if !a.numeric() || k == len(sp.values[i])-1 {
				tried = append(tried, k*stride)
			}
		}
	}
	more := &speller{s: s, from: sp.from, kind: sp.kind, known: sp.known, base: sp.base, values: sp.values,
		cases: sp.cases, used: map[string]bool{}}
	var cells []Cell
	for _, i := range tried {
		cells = append(cells, more.cell(i))
	}
	if len(more.errs.errs) == 0 {
		more.unused()
	}
	sp.errs.addElsewhere(told, more.errs.errs)
	told = places(sp.errs.errs)
	var last faultList
	for i := range cells {
		_, err := s.try(sp.from, &cells[i])
		last.add("", err)
	}
	sp.errs.addElsewhere(told, last.errs)
	return sp.errs.sorted()
}

// addElsewhere adds errors of lines that have none yet.
func (l *faultList) addElsewhere(told map[string]bool, errs []error) {
	for _, err := range errs {
		if p, _ := place(err); p != "" && !told[p] {
			l.add("", err)
		}
	}
}

// sorted joins the errors in the order of their lines; those without a line come first.
func (l *faultList) sorted() error {
	slices.SortStableFunc(l.errs, func(a, b error) int {
		_, x := place(a)
		_, y := place(b)
		return cmp.Compare(x, y)
	})
	return errors.Join(l.errs...)
}

// place gives the file and line that an error begins with, as in "load.yaml:4:7: ..."; "" and 0 =
// none.
func place(err error) (string, int) {
	at, _, _ := strings.Cut(err.Error(), ": ")
	parts := strings.Split(at, ":")
	n := len(parts)
	if n < 2 {
		return "", 0
	}
	last, e := strconv.Atoi(parts[n-1])
	if e != nil {
		return "", 0
	}
	if line, e := strconv.Atoi(parts[n-2]); e == nil && n > 2 { // what was last is the column
		return strings.Join(parts[:n-1], ":"), line
	}
	return at, last
}

// places lists the lines that have a fault.
func places(errs []error) map[string]bool {
	out := map[string]bool{}
	for _, err := range errs {
		if p, _ := place(err); p != "" {
			out[p] = true
		}
	}
	return out
}

// withSettings adds the faults of settings to the faults of the file's form. A file whose axes
// cannot be read is left at that.
func (s *Spec) withSettings(from *parts.Catalogues, form error) error {
	var all, more faultList
	all.add("", form)
	if slices.ContainsFunc(all.errs, func(err error) bool {
		return strings.Contains(err.Error(), ": axes") || strings.Contains(err.Error(), `"axes[`)
	}) {
		return form
	}
	sp := &speller{s: s, from: from}
	more.add("", sp.allFaults(sp.prepare()))
	all.addElsewhere(places(all.errs), more.errs)
	return all.sorted()
}
