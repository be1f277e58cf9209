package questions

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tarry/experiments/sweep"
)

// expander gives a file's tree at a scale: a mapping of tiny, small and full stands for the value of
// the scale, {NAME} for the variable NAME, an entry {of: LIST, ...} for one entry per entry of LIST.
type expander struct {
	scale string
	vars  map[string]any    // as written
	outer []fields          // entries that templates are being filled with, the innermost last
	at    map[string]string // path in the file -> place
	to    map[string]string // path in the expanded tree -> place
	busy  []string          // paths of the variables that are being filled in
	size  int               // of what was made
	errs  []fault
}

// mostValues bounds what a file may become: variables that stand in one another grow by powers.
const mostValues = 1 << 18

// fault is a fault with its place.
type fault struct{ at, says string }

func (f fault) Error() string { return f.at + ": " + f.says }

// fill replaces each {NAME} of a text for which known has a value; names of other things, of axes in
// the first place, stay.
func fill(text string, known func(name string) (string, bool)) string {
	var b strings.Builder
	for {
		head, rest, open := strings.Cut(text, "{")
		b.WriteString(head)
		if !open {
			return b.String()
		}
		name, tail, closed := strings.Cut(rest, "}")
		if v, ok := known(name); closed && ok {
			b.WriteString(v)
			text = tail
			continue
		}
		b.WriteString("{")
		text = rest
	}
}

// scaled reports whether a value differs by scale.
func scaled(v any) (map[string]any, bool) {
	m, ok := v.(map[string]any)
	if !ok || len(m) != len(sweep.Scales()) {
		return nil, false
	}
	for _, s := range sweep.Scales() {
		if _, there := m[s]; !there {
			return nil, false
		}
	}
	return m, true
}

// value expands what is written at path, which lands at out.
func (e *expander) value(v any, path, out string) any {
	if e.full(path) {
		return ""
	}
	if at := e.at[path]; at != "" {
		e.to[out] = at
	}
	if of, ok := scaled(v); ok {
		return e.value(of[e.scale], path+"."+e.scale, out)
	}
	switch v := v.(type) {
	case string:
		return e.text(v, path, out)
	case []any:
		return e.list(v, path, out)
	case map[string]any:
		return e.mapping(v, path, out)
	}
	return v
}

// mapping expands the values of a mapping.
func (e *expander) mapping(v map[string]any, path, out string) any {
	made := make(map[string]any, len(v))
	if from, ok := v[inherit]; ok {
		base, is := e.value(from, path+"."+inherit, out).(map[string]any)
		if made = base; !is {
			e.add(path+"."+inherit, "%s is not a mapping, expected settings to put others over", inherit)
			made = map[string]any{}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(v)) {
		if k != inherit {
			made[k] = e.value(v[k], path+"."+k, out+"."+k)
		}
	}
	if pair, ok := made["exchange"]; ok && len(made) == 1 {
		return e.exchange(pair, path)
	}
	return made
}

// list expands entries. An entry that is a variable whose value is a list stands for its entries.
func (e *expander) list(v []any, path, out string) []any {
	made := []any{}
	e.entries(v, path, out, &made)
	return made
}

// entries puts entries behind the present ones.
func (e *expander) entries(v []any, path, out string, made *[]any) {
	put := func(one any, from string) {
		*made = append(*made, e.value(one, from, fmt.Sprintf("%s[%d]", out, len(*made))))
	}
	for i, one := range v {
		from := fmt.Sprintf("%s[%d]", path, i)
		if list, at, name := e.named(one); name != "" && e.enter(name, from) {
			if list != nil && !e.full(from) {
				e.entries(list, at, out, made)
			}
			e.leave()
			if list != nil {
				continue
			}
		}
		if of, body, ok := template(one); ok {
			e.each(of, from+".of", func() { put(body, from) })
			continue
		}
		put(one, from)
	}
}

// named gives the list for which an entry stands that is a variable, and where the list was written;
// nil = the variable is no list.
func (e *expander) named(one any) (list []any, at, name string) {
	if name = e.whole(one); name == "" {
		return nil, "", ""
	}
	inner, at := e.variable(name)
	if of, ok := scaled(inner); ok {
		inner, at = of[e.scale], at+"."+e.scale
	}
	list, ok := inner.([]any)
	switch {
	case ok && list == nil:
		list = []any{}
	case !ok && e.whole(inner) != "": // a variable for another
		list = []any{inner}
	}
	return list, at, name
}

// full counts a value and reports that there are too many.
func (e *expander) full(path string) bool {
	if e.size++; e.size == mostValues+1 {
		e.add(path, "the file has more than %d values with its variables filled in", mostValues)
	}
	return e.size > mostValues
}

// whole is the variable that a value consists of; "" = none.
func (e *expander) whole(v any) string {
	text, _ := v.(string)
	name, opens := strings.CutPrefix(text, "{")
	name, closes := strings.CutSuffix(name, "}")
	if opens && closes && e.known(name) {
		return name
	}
	return ""
}

// text fills variables in.
func (e *expander) text(text, path, out string) any {
	if name := e.whole(text); name != "" {
		return e.lookup(name, path, out)
	}
	return fill(text, func(name string) (string, bool) {
		if !e.known(name) {
			return "", false
		}
		part, ok := e.lookup(name, path, out).(string)
		if e.size += len(part) / 64; !ok {
			e.add(path, "{%s} is a list or a mapping, expected it as a whole value", name)
		}
		return part, ok
	})
}

// lookup expands a variable where it is used.
func (e *expander) lookup(name, path, out string) any {
	if !e.enter(name, path) {
		return ""
	}
	defer e.leave()
	v, at := e.variable(name)
	return e.value(v, at, out)
}

// enter notes that a variable is being filled in; false = it is already.
func (e *expander) enter(name, path string) bool {
	_, at := e.variable(name)
	if slices.Contains(e.busy, at) {
		e.add(path, "{%s} stands in its own value", name)
		return false
	}
	e.busy = append(e.busy, at)
	return true
}

func (e *expander) leave() { e.busy = e.busy[:len(e.busy)-1] }

func (e *expander) add(path, format string, args ...any) {
	f := fault{e.at[path], fmt.Sprintf(format, args...)}
	if f.at == "" {
		f.at = path
	}
	if !slices.Contains(e.errs, f) {
		e.errs = append(e.errs, f)
	}
}
