package questions

import (
	"fmt"
	"slices"
	"strings"

	"tarry/experiments/sweep"
	"tarry/sim/param"
)

// row is a figure or a table as a file states it.
type row struct {
	kind, name, caption string
	x, series, metric   string
	base, label, yLabel string
	column, units, each string
	over, baseAt        string   // of pareto: the metric along x, and the value of x at which the base is
	more, amounts       []string // further columns of its table
	top, least          float64
	digits              int
	logX                bool
	where, but          []condition
	duels               [][2]string
}

// condition is what the cells of a row have on an axis: one of values. "first" and "last" are those
// of the values that there are, {OTHER} is the cell's value on another axis, present any value.
type condition struct {
	axis   string
	values []string
}

// present stands for every value of an axis: cells of other sweeps, which have not the axis, are left
// out.
const present = "*"

// drawing is what a file states of its figures and tables.
type drawing struct {
	learner, choose string
	trained         bool // cells train agents or tune
	forms           [][]string
	figures, tables []row
}

// figureKinds lists the kinds of figures, tableKinds the kinds of tables.
func figureKinds() []string {
	return []string{"means", "relative", "profile", "cdf", "timeline", "heat", "curves", "pareto"}
}

func tableKinds() []string { return []string{"relative", "means", "share", "against", "pareto"} }

// readDrawing reads the figures and tables of a question.
func readDrawing(set *param.Set, tree map[string]any) *drawing {
	d := &drawing{learner: set.Text("learner", ""), choose: set.Text("choose", "")}
	d.trained = tree["kind"] != "simulate" && tree["kind"] != nil
	if set.Has("forms") {
		d.forms = readForms(set)
	}
	first, second := axesOf(tree)
	if set.Has("figures") {
		for _, s := range set.List("figures") {
			d.figures = append(d.figures, readRow(s, figureKinds(), first, second))
		}
	}
	if set.Has("tables") {
		for _, s := range set.List("tables") {
			d.tables = append(d.tables, readRow(s, tableKinds(), first, second))
		}
	}
	return d
}

// readForms reads lists of the forms of a scheduler.
func readForms(set *param.Set) [][]string {
	var out [][]string
	families, _ := set.Tree("forms", nil).([]any)
	for _, f := range families {
		var names []string
		forms, _ := f.([]any)
		for _, one := range forms {
			if name, ok := one.(string); ok {
				names = append(names, name)
			}
		}
		if out = append(out, names); len(names) < 2 || len(names) != len(forms) {
			set.FaultAt("forms", "an entry of forms is %v, expected a list of two or more schedulers", f)
		}
	}
	return out
}

// axesOf names the first two axes of a question, which figures are drawn over by default.
func axesOf(tree map[string]any) (first, second string) {
	axes, _ := tree["axes"].([]any)
	if list, ok := tree["sweeps"].([]any); ok && axes == nil && len(list) > 0 {
		one, _ := list[0].(map[string]any)
		axes, _ = one["axes"].([]any)
	}
	name := func(i int) string {
		if i >= len(axes) {
			return ""
		}
		m, _ := axes[i].(map[string]any)
		text, _ := m["name"].(string)
		return text
	}
	return name(0), name(1)
}

// readRow reads a row.
func readRow(s *param.Set, kinds []string, x, series string) row {
	r := row{name: s.Text("name", ""), caption: s.Text("caption", ""), x: s.Text("x", x),
		series: s.Text("series", series), metric: s.Text("metric", ""), base: s.Text("base", ""),
		yLabel: s.Text("y_label", ""), column: s.Text("column", ""), units: s.Text("units", "runs"),
		each: s.Text("each", ""), over: s.Text("over", ""), baseAt: s.Text("at", ""), more: s.Texts("more", nil),
		amounts: s.Texts("amounts", nil), top: s.Float("top", 0, 0, 1e12), least: s.Float("least", 0, 0, 1e12),
		digits: s.Int("digits", 2, 0, 9), logX: s.Bool("log_x", false),
		where: readConditions(s, "where"), but: readConditions(s, "but")}
	r.label = s.Text("label", r.x)
	if required(s, "kind", "one of "+strings.Join(kinds, ", ")); s.Has("kind") {
		if r.kind = s.Text("kind", ""); !slices.Contains(kinds, r.kind) {
			s.Wrong("kind", "one of "+strings.Join(kinds, ", ")+param.Hint(r.kind, kinds))
		}
	}
	required(s, "name", "letters, digits, - and _")
	needs := map[string][]string{"relative": {"metric", "base"}, "means": {"metric"}, "profile": {"metric"},
		"heat": {"metric", "label", "y_label", "top"}, "cdf": {"column", "label"}, "curves": {"column", "y_label"},
		"share": {"metric", "base"}, "against": {"metric", "duels"},
		"pareto": {"metric", "over"}}
	for _, key := range needs[r.kind] {
		required(s, key, "a value: a row of kind "+r.kind+" has one")
	}
	if s.Has("column") {
		known := sortedKeys(jobColumns())
		if r.kind == "curves" {
			known = sortedKeys(curveColumns())
		}
		if !slices.Contains(known, r.column) {
			s.Wrong("column", "one of "+strings.Join(known, ", ")+param.Hint(r.column, known))
		}
	}
	if s.Has("duels") {
		for _, pair := range s.Entries("duels", "SERIES against SERIES") {
			one, other, ok := strings.Cut(pair, " against ")
			if r.duels = append(r.duels, [2]string{one, other}); !ok {
				s.Wrong("duels", "a list of texts SERIES against SERIES")
			}
		}
	}
	return r
}

// readConditions reads axes with a value or a list of values each.
func readConditions(s *param.Set, key string) []condition {
	if !s.Has(key) {
		return nil
	}
	var out []condition
	m := s.Child(key)
	for _, axis := range slices.Sorted(slices.Values(m.Keys())) {
		out = append(out, condition{axis, m.Texts(axis, nil)})
	}
	return out
}

// resolve fills first and last in by the values that there are; ok is false where a row shows a
// value that no cell has.
func (c condition) resolve(values func(axis string) []string) (condition, bool) {
	there, out := values(c.axis), condition{axis: c.axis}
	ok := false
	for _, v := range c.values {
		switch {
		case len(there) == 0:
		case v == present:
			ok = ok || slices.ContainsFunc(there, func(v string) bool { return v != "" })
		case v == "first":
			v, ok = there[0], true
		case v == "last":
			v, ok = there[len(there)-1], true
		default:
			ok = ok || strings.HasPrefix(v, "{") || slices.Contains(there, v)
		}
		out.values = append(out.values, v)
	}
	return out, ok
}

// holds reports whether a cell is one of a condition.
func (c condition) holds(cell *sweep.Cell) bool {
	return slices.ContainsFunc(c.values, func(v string) bool {
		if v == present {
			return cell.Axes[c.axis] != ""
		}
		other, is := strings.CutPrefix(v, "{")
		if other, closed := strings.CutSuffix(other, "}"); is && closed {
			return cell.Axes[c.axis] == cell.Axes[other]
		}
		return cell.Axes[c.axis] == v
	})
}

// at gives the row for one value of the axis each: {AXIS} in its texts is the value.
func (r *row) at(axis, value string) row {
	one := *r
	one.each = ""
	one.where = append(slices.Clone(r.where), condition{axis, []string{value}})
	one.fill(axis, value)
	return one
}

// fill replaces {AXIS} in the texts that are shown.
func (r *row) fill(axis, value string) {
	for _, text := range []*string{&r.name, &r.caption} {
		*text = strings.ReplaceAll(*text, fmt.Sprintf("{%s}", axis), value)
	}
}
