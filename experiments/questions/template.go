package questions

import (
	"fmt"
	"maps"

	"tarry/experiments/sweep"
)

// Keys of the language that may stand in any list or mapping.
const (
	// of makes an entry of a list a template: {of: LIST, ...} stands for the rest once for each
	// entry of LIST, whose keys are variables in it.
	of = "of"
	// inherit gives a mapping the keys of another, over which it puts its own.
	inherit = "<<"
)

// fields are the variables that an entry of a list gives a template, and where it was written.
type fields struct {
	values map[string]any
	path   string
}

// variable gives what is written for a name, and where: in the innermost entry that has it, else in
// the variables of the file.
func (e *expander) variable(name string) (v any, path string) {
	for i := len(e.outer) - 1; i >= 0; i-- {
		if v, ok := e.outer[i].values[name]; ok {
			return v, e.outer[i].path + "." + name
		}
	}
	return e.vars[name], "vars." + name
}

// known reports whether there is a variable of a name.
func (e *expander) known(name string) bool {
	for i := range e.outer {
		if _, ok := e.outer[i].values[name]; ok {
			return true
		}
	}
	_, ok := e.vars[name]
	return ok
}

// template takes an entry with the key of apart: the list, and the rest.
func template(v any) (list any, body map[string]any, ok bool) {
	m, _ := v.(map[string]any)
	if list, ok = m[of]; !ok {
		return nil, nil, false
	}
	body = maps.Clone(m)
	delete(body, of)
	return list, body, true
}

// each calls do for every entry of a list, with the entry's keys as variables. A variable in the list
// stands for the entries of its value, a template for one entry per entry of its own list.
func (e *expander) each(v any, path string, do func()) {
	if e.full(path) {
		return
	}
	if by, ok := scaled(v); ok {
		e.each(by[e.scale], path+"."+e.scale, do)
		return
	}
	if list, body, ok := template(v); ok {
		e.each(list, path+"."+of, func() { e.with(fields{body, path}, do) })
		return
	}
	if name := e.whole(v); name != "" {
		if e.enter(name, path) {
			inner, at := e.variable(name)
			e.each(inner, at, do)
			e.leave()
		}
		return
	}
	switch v := v.(type) {
	case []any:
		for i, one := range v {
			e.each(one, fmt.Sprintf("%s[%d]", path, i), do)
		}
	case map[string]any:
		e.with(fields{v, path}, do)
	default:
		e.add(path, "%v is no entry for a template, expected a list of key: value", v)
	}
}

// with calls do with more variables.
func (e *expander) with(f fields, do func()) {
	e.outer = append(e.outer, f)
	do()
	e.outer = e.outer[:len(e.outer)-1]
}

// exchange gives the options that turn one environment into another, {exchange: {from: ENV, to:
// ENV}}.
func (e *expander) exchange(pair any, path string) any {
	both, _ := pair.(map[string]any)
	from, isFrom := both["from"].(string)
	to, isTo := both["to"].(string)
	if !isFrom || !isTo || len(both) != 2 {
		e.add(path+".exchange", "exchange is %v, expected {from: ENVIRONMENT, to: ENVIRONMENT}", pair)
		return []any{}
	}
	out := []any{}
	for _, option := range sweep.Exchange(from, to) {
		out = append(out, option)
	}
	return out
}
