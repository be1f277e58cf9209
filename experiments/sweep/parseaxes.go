package sweep

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// axis reads an entry of axes.
func (o *object) axis() Axis {
	var a Axis
	o.text("name", &a.Name)
	for i, v := range o.list("values") {
		if text, ok := v.(string); ok {
			a.Values = append(a.Values, text)
		} else {
			o.wrong(fmt.Sprintf("values[%d]", i), v, "a number or text: an axis whose values are more than that has cases")
		}
	}
	for i, v := range o.list("cases") {
		if c := o.item("cases", i, v); c != nil {
			var one Case
			c.text("name", &one.Name)
			switch set := c.get("set").(type) {
			case nil:
				one.Set = Settings{}
			case map[string]any:
				one.Set = set
			default:
				c.wrong("set", set, "settings, key: value")
			}
			c.end()
			a.Cases = append(a.Cases, one)
		}
	}
	if g := o.child("grid"); g != nil {
		a.Grid = &Grid{Steps: -1}
		g.number("from", &a.Grid.From)
		g.number("to", &a.Grid.To)
		g.whole("steps", &a.Grid.Steps, 1, mostCells)
		g.boolean("log", &a.Grid.Log)
		g.boolean("int", &a.Grid.Int)
		g.required("from", "to", "steps")
		g.end()
	}
	if r := o.child("random"); r != nil {
		a.Random = &Random{Count: -1}
		r.number("from", &a.Random.From)
		r.number("to", &a.Random.To)
		r.whole("count", &a.Random.Count, 1, mostCells)
		r.boolean("log", &a.Random.Log)
		r.boolean("int", &a.Random.Int)
		r.seed("seed", r.get("seed"), &a.Random.Seed)
		r.required("from", "to", "count")
		r.end()
	}
	a.Optimise = o.optimise()
	o.required("name")
	o.end()
	return a
}

// optimise reads the bounds of what an optimiser looks for, or the text that tarry tune --param takes.
func (o *object) optimise() string {
	if text, ok := o.get("optimise").(string); ok {
		return text
	}
	p := o.child("optimise")
	if p == nil {
		return ""
	}
	var from, to float64
	log, whole := false, false
	p.number("from", &from)
	p.number("to", &to)
	p.boolean("log", &log)
	p.boolean("int", &whole)
	p.required("from", "to")
	p.end()
	text := strconv.FormatFloat(from, 'g', -1, 64) + ":" + strconv.FormatFloat(to, 'g', -1, 64)
	if log || whole {
		text += ":"
	}
	if log {
		text += "log"
	}
	if whole {
		text += "int"
	}
	return text
}

// required reports fields that are not there.
func (o *object) required(keys ...string) {
	for _, k := range keys {
		if _, there := o.m[k]; !there {
			at := o.path[:len(o.path)-1] // the place of the mapping itself
			outer := object{f: o.f}
			outer.fail(at, "has no %s", k)
		}
	}
}

// seed reads a seed.
func (o *object) seed(key string, v any, to *uint64) {
	if v == nil {
		return
	}
	text, _ := v.(string)
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		o.wrong(key, v, "a seed, a whole number >= 0")
		return
	}
	*to = n
}

// seeds reads a number of seeds, which are then 1, 2, ..., or a list of them.
func (o *object) seeds(to *[]uint64) {
	v := o.get("seeds")
	if _, isList := v.([]any); !isList {
		n := 0
		o.whole("seeds", &n, 1, mostCells)
		for i := range n {
			*to = append(*to, uint64(i+1))
		}
		return
	}
	for i, v := range o.list("seeds") {
		var n uint64
		o.seed(fmt.Sprintf("seeds[%d]", i), v, &n)
		*to = append(*to, n)
	}
}

// engine reads how a sweep is run.
func (o *object) engine(e *Defaults) {
	o.text("name", &e.Name)
	o.whole("jobs", &e.Jobs, 0, 4096)
	o.text("memory", &e.Memory)
	o.boolean("isolate", &e.Isolate)
	if c := o.child("options"); c != nil {
		e.Options = map[string]string{}
		for _, k := range slices.Sorted(maps.Keys(c.m)) {
			text := ""
			c.text(k, &text)
			e.Options[k] = text
		}
	}
	o.end()
}
