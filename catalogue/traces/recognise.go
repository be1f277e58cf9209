package traces

import (
	"slices"
	"strings"

	"tarry/sim/entry"
	schema "tarry/traces/columns"
	"tarry/traces/jsonlfmt"
)

// recognised states that a format is recognised by one of some tests.
func recognised(f entry.Trace, by ...func(h *entry.Head) bool) entry.Trace {
	f.Fits = func(h *entry.Head) bool {
		return slices.ContainsFunc(by, func(test func(*entry.Head) bool) bool { return test(h) })
	}
	return f
}

// columns recognises a header.
func columns(names ...string) func(h *entry.Head) bool {
	return func(h *entry.Head) bool { return h.Has(names...) }
}

// ownColumns recognises a header with tarry's own columns, however they are spelled.
func ownColumns(h *entry.Head) bool {
	separators := ","
	if !strings.Contains(h.Line(), ",") {
		separators = "\t;|"
	}
	var names []string
	for _, name := range strings.FieldsFunc(h.Line(), func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		names = append(names, strings.Trim(name, "\" \t"))
	}
	return schema.Has(names, "submit_s", "gpus")
}

// ownKeys recognises a JSON object with tarry's own columns.
func ownKeys(h *entry.Head) bool {
	return h.Files == nil && schema.Has(jsonlfmt.Keys(h.Text), "submit_s", "gpus")
}

// begins recognises a file by its first bytes.
func begins(magic string) func(h *entry.Head) bool {
	return func(h *entry.Head) bool { return h.Text == magic }
}

// parts recognises a folder of parts of one table: part-00000.csv, part.0.parquet.
func parts(end string) func(h *entry.Head) bool {
	return func(h *entry.Head) bool {
		return slices.ContainsFunc(h.Files, func(name string) bool {
			return (strings.HasPrefix(name, "part") || strings.HasPrefix(name, "data_")) && strings.HasSuffix(name, end)
		})
	}
}

// without recognises what a test does unless the header has all of some columns, by which another
// format is known.
func without(test func(h *entry.Head) bool, names ...string) func(h *entry.Head) bool {
	return func(h *entry.Head) bool { return test(h) && !h.Has(names...) }
}

// tabbed recognises a .trace of so many fields between tabs.
func tabbed(fields int) func(h *entry.Head) bool {
	return func(h *entry.Head) bool {
		return h.Files == nil && strings.HasSuffix(h.Name, ".trace") && strings.Count(h.Line(), "\t") == fields-1
	}
}

// except recognises what one test does and another does not.
func except(test, but func(h *entry.Head) bool) func(h *entry.Head) bool {
	return func(h *entry.Head) bool { return test(h) && !but(h) }
}

// objects recognises a JSON list by the keys of its objects.
func objects(keys ...string) func(h *entry.Head) bool {
	return func(h *entry.Head) bool { return h.Lists(keys...) }
}

// named recognises a file, or a folder with such a file, by how its name begins or ends.
func named(prefix, suffix string) func(h *entry.Head) bool {
	fits := func(name string) bool { return strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix) }
	return func(h *entry.Head) bool {
		return h.Files == nil && fits(h.Name) || slices.ContainsFunc(h.Files, fits) && prefix != ""
	}
}

// numbers recognises lines of so many numbers between blanks, whatever stands behind them.
func numbers(fields int) func(h *entry.Head) bool {
	return func(h *entry.Head) bool {
		line := strings.Fields(h.Line())
		return len(line) >= fields && strings.Trim(strings.Join(line[:fields], ""), "0123456789.+-eE") == ""
	}
}
