package digest

import (
	"fmt"
	"strings"

	"tarry/output/results"
)

// overload counts runs of a point, and runs in which the queue grows until the last arrival.
type overload struct{ runs, of int }

// with counts one run more; files of earlier versions do not state whether it was overloaded.
func (o overload) with(s *results.Summary) overload {
	if o.of++; s.OverloadGPUs > 0 {
		o.runs++
	}
	return o
}

// most reports whether the queue grows in more than half of the runs: by chance it does in some of
// a stable setting.
func (o overload) most() bool { return 2*o.runs > o.of }

// overloaded counts the points that are shown, and the overloaded ones.
func (t *Table) overloaded() (points, of int) {
	for at, o := range t.over {
		if t.cells[at] == nil {
			continue
		}
		if of++; o.most() {
			points++
		}
	}
	return points, of
}

// overloads is a sentence below a table that names the overloaded points, by series: "fifo at 0.9
// (2 of 3), 1.1". "" = there are none.
func (t *Table) overloads() string {
	var names []string
	for s, series := range t.Series {
		var at []string
		for x, name := range t.X {
			o := t.over[place{x, s}]
			if !o.most() || t.cells[place{x, s}] == nil {
				continue
			}
			if o.runs < o.of {
				name += fmt.Sprintf(" (%d of %d)", o.runs, o.of)
			}
			at = append(at, strings.TrimSpace(name))
		}
		switch text := strings.Join(at, ", "); {
		case len(at) == 0:
		case t.layout.X == "":
			names = append(names, strings.TrimSpace(t.shown(series)+" "+text))
		default:
			names = append(names, t.shown(series)+" at "+text)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "\nOverloaded, the queue grows until the last arrival and means depend on the length of the run: " +
		strings.Join(names, "; ") + ".\n"
}
