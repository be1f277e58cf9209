package figure

import (
	"fmt"
	"slices"
	"strings"

	"tarry/sim/param"
)

// Shorten takes the settings that all of several names of one policy share
// ("dally:t_rack=6,order=las" and "dally:t_rack=12,order=las") out of them, for a legend; stated
// has what they are ("All of dally have order=las"), "" = nothing. Names that would be equal
// then, and policies of which one name has no setting, stay as they are.
func Shorten(names []string) (short map[string]string, said string) {
	short = map[string]string{}
	var bases []string
	settings := map[string][][]string{}
	full := map[string][]string{}
	for _, n := range names {
		if short[n] != "" {
			continue
		}
		short[n] = n
		base, text, _ := strings.Cut(n, ":")
		if !slices.Contains(bases, base) {
			bases = append(bases, base)
		}
		full[base] = append(full[base], n)
		settings[base] = append(settings[base], param.Split(text))
	}
	var notes []string
	for _, base := range bases {
		if len(full[base]) < 2 {
			continue
		}
		var common []string
		for _, s := range settings[base][0] {
			if s != "" && !slices.ContainsFunc(settings[base],
				func(of []string) bool { return !slices.Contains(of, s) }) {
				common = append(common, s)
			}
		}
		if len(common) == 0 {
			continue
		}
		for i, n := range full[base] {
			left := slices.DeleteFunc(slices.Clone(settings[base][i]),
				func(s string) bool { return slices.Contains(common, s) })
			if short[n] = base; len(left) > 0 {
				short[n] = base + ":" + strings.Join(left, ",")
			}
		}
		who := "All of "
		if len(notes) > 0 {
			who = "all of "
		}
		notes = append(notes, who+base+" have "+strings.Join(common, ","))
	}
	return short, strings.Join(notes, "; ")
}

// Label gives names other names in the picture: in the legend, at lines and rows, and behind
// RatioTo in the label of an axis. The data keep the names, from which colours follow, and have the
// labels in a column.
func (f *Figure) Label(labels map[string]string) {
	f.labelled = map[string]string{}
	any := false
	for _, n := range f.names() {
		if label := labels[n]; label != "" {
			f.labelled[n], any = label, true
		}
	}
	if !any {
		return
	}
	for n, label := range f.labelled {
		for _, text := range []*string{&f.xLabel, &f.yLabel} {
			if after, ok := strings.CutPrefix(*text, RatioTo+n); ok && (after == "" || after[0] == ',') {
				*text = RatioTo + label + after
			}
		}
	}
	for _, p := range f.panels {
		p.Label(labels)
	}
	if f.replace != nil {
		f.replace()
	}
	if at := slices.Index(f.Header, "series"); at >= 0 {
		f.Header = append(slices.Clone(f.Header), "label")
		for i, row := range f.Rows {
			f.Rows[i] = append(slices.Clone(row), f.labelled[row[at]])
		}
	}
}

// RatioTo begins the label of an axis of ratios to a name.
const RatioTo = "ratio to "

// Star puts a * behind names that are in the legend or at rows, and states in the note what it
// means if one of them is. The data keep the names as they are.
func (f *Figure) Star(names []string, meaning string) {
	if f.star(names) {
		f.Note = strings.TrimSpace(f.Note + " " + meaning + ".")
	}
}

// star keeps the names in the figure and its panels; any states whether one of them is there.
func (f *Figure) star(names []string) (any bool) {
	any = slices.ContainsFunc(f.names(), func(n string) bool { return slices.Contains(names, n) })
	for _, p := range f.panels {
		any = p.star(names) || any
	}
	if any {
		f.starred = names
	}
	return any
}

// names are the names of the legend and of rows.
func (f *Figure) names() []string {
	var names []string
	for _, e := range f.legend {
		names = append(names, e.name)
	}
	return append(names, f.named...)
}

// plain are the names without a label.
func (f *Figure) plain() []string {
	return slices.DeleteFunc(f.names(), func(n string) bool { return f.labelled[n] != "" })
}

// shortNames gives the names as they are drawn.
func (f *Figure) shortNames() map[string]string {
	short, _ := Shorten(f.plain())
	for _, n := range f.names() {
		if label := f.labelled[n]; label != "" {
			short[n] = label
		}
	}
	for _, n := range f.starred {
		if text, drawn := short[n]; drawn {
			short[n] = text + "*"
		}
	}
	return short
}

// explained gives the legend with short names, and the note with what they leave out.
func (f *Figure) explained() (legend []legendEntry, note string) {
	short := f.shortNames()
	_, said := Shorten(f.plain())
	legend, note = slices.Clone(f.legend), f.Note
	if _, direct := f.direct(); direct {
		legend = slices.DeleteFunc(legend, func(e legendEntry) bool { return e.mark != nil })
	}
	for i := range legend {
		legend[i].name = short[legend[i].name]
	}
	if text := f.edgeNote(); text != "" {
		note = strings.TrimSpace(note + " " + text)
	}
	if text := f.greyNote(); text != "" {
		note = strings.TrimSpace(note + " " + text)
	}
	if f.cut || slices.ContainsFunc(f.panels, func(p Panel) bool { return p.cut }) {
		note = strings.TrimSpace(note + " Intervals continue beyond the picture at arrows and cut bands.")
	}
	if said != "" {
		note = strings.TrimSpace(note + " " + said + ".")
	}
	return legend, note
}

// greyNote counts the lines without a name; "" = there are none. Panels have the same lines.
func (f *Figure) greyNote() string {
	n := f.grey
	for _, p := range f.panels {
		n = max(n, p.grey)
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "1 more line is grey; the table beside the picture has it."
	}
	return fmt.Sprintf("%d more lines are grey; the table beside the picture has them.", n)
}
