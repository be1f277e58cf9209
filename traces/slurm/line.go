package slurm

import (
	"io"
	"slices"
	"strings"

	"tarry/sim/tabular"
)

// maxJoined is how many lines one row may have, for the line ends in free text.
const maxJoined = 100

// cut gives the fields of a row.
func (h *header) cut(fields []string, text string) []string {
	if h.delimiter == "" {
		return h.cutWidths(fields, text)
	}
	for {
		if strings.HasPrefix(text, `"`) {
			if value, rest, ok := quoted(text[1:], h.delimiter); ok {
				fields = append(fields, value)
				if rest == "" {
					return fields
				}
				text = rest[len(h.delimiter):]
				continue
			}
		}
		field, rest, found := strings.Cut(text, h.delimiter)
		fields = append(fields, field)
		if !found {
			break
		}
		text = rest
	}
	if n := len(fields) - 1; n == len(h.names) && fields[n] == "" {
		fields = fields[:n] // --parsable ends rows with a delimiter
	}
	return fields
}

// quoted gives a field in quotes, as tables write it, up to the quote before a delimiter or the end.
// sacct itself writes no quotes: one that is not closed there is a part of a name.
func quoted(text, delimiter string) (value, rest string, ok bool) {
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		if rest = text[i+1:]; rest == "" || strings.HasPrefix(rest, delimiter) {
			return strings.ReplaceAll(text[:i], `""`, `"`), rest, true
		}
		if rest[0] == '"' {
			i++
		}
	}
	return "", "", false
}

// cutWidths cuts a row at the widths of its columns.
func (h *header) cutWidths(fields []string, text string) []string {
	begin := 0
	for i, stop := range h.ends {
		if i == len(h.ends)-1 {
			stop = max(stop, len(text))
		}
		fields = append(fields, strings.TrimSpace(text[min(begin, len(text)):min(stop, len(text))]))
		begin = stop
	}
	return fields
}

// row gives the fields of a line. Where free text has line ends, lines are joined, and where it has
// delimiters, so are fields. The number of fields may still be wrong.
func (p *log) row(l *lines, text string, line int) ([]string, error) {
	h, want := p.head, len(p.head.names)
	fields := h.cut(p.fields[:0], text)
	for n := 1; len(fields) < want && len(h.free) > 0 && n < maxJoined; n++ {
		more, at, err := l.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		joined := h.cut(nil, text+"\n"+more)
		if Header(more) || len(h.cut(nil, more)) >= want || len(joined) > want {
			l.back(more, at)
			break
		}
		text, fields = text+"\n"+more, joined
	}
	if len(fields) > want {
		fields = h.fit(fields)
	}
	p.fields = fields
	return fields, nil
}

// fit puts the pieces of fields together in which the delimiter stands: lists in a log with commas,
// then free text. It gives what it has where that is not clear.
func (h *header) fit(pieces []string) []string {
	want := len(h.names)
	if h.delimiter == "," {
		if pieces = h.joinLists(pieces); len(pieces) == want {
			return pieces
		}
	}
	var found []string
	tries, clear := 0, true
	h.spread(pieces, len(pieces)-want, h.free, func(try []string) bool {
		if tries++; h.plausible(try) {
			clear = clear && (found == nil || h.same(found, try))
			found = try
		}
		return clear && tries < maxTries
	})
	if found == nil || !clear || tries == maxTries {
		return pieces
	}
	return found
}

// maxTries is in how many ways the pieces of a row may be put together.
const maxTries = 1000

// spread gives all ways in which so many pieces more than fields belong to fields of free text,
// until try returns false.
func (h *header) spread(pieces []string, more int, free []int, try func([]string) bool) bool {
	if more == 0 {
		return try(pieces)
	}
	if len(free) == 0 || more < 0 {
		return true
	}
	at := free[0]
	for n := 0; n <= more && at+n < len(pieces); n++ {
		text := strings.Join(pieces[at:at+n+1], h.delimiter)
		joined := slices.Concat(pieces[:at], []string{text}, pieces[at+n+1:])
		if !h.spread(joined, more-n, free[1:], try) {
			return false
		}
	}
	return true
}

// same reports whether two rows have the same fields that are read.
func (h *header) same(a, b []string) bool {
	for _, i := range h.at {
		if i >= 0 && a[i] != b[i] {
			return false
		}
	}
	return true
}

// joinLists joins the resources of one field, whose names do not repeat, and what is in brackets.
func (h *header) joinLists(pieces []string) []string {
	var out []string
	for i := 0; i < len(pieces); i++ {
		field := pieces[i]
		if len(out) < len(h.names) && strings.HasSuffix(strings.ToUpper(h.names[len(out)]), "TRES") {
			seen := map[string]bool{resource(field): true}
			for i+1 < len(pieces) && resource(field) != "" {
				name := resource(pieces[i+1])
				if name == "" || seen[name] {
					break
				}
				seen[name] = true
				field += "," + pieces[i+1]
				i++
			}
		}
		for i+1 < len(pieces) && strings.Count(field, "[") > strings.Count(field, "]") {
			field += "," + pieces[i+1]
			i++
		}
		out = append(out, field)
	}
	return out
}

// resource is the name of the first resource in a text such as cpu=8; "" = it is none.
func resource(s string) string {
	name, value, found := strings.Cut(s, "=")
	if !found || value == "" || strings.ContainsAny(name, " \"'-") {
		return ""
	}
	return name
}

// plausible reports whether each field is of the kind of its column.
func (h *header) plausible(fields []string) bool {
	tests := map[column]func(string) bool{
		jobID: isID, jobIDRaw: isID, uid: isID, timelimit: isLimit, timelimitRaw: isLimit, submit: isTime,
		start: isTime, end: isTime, allocTRES: isTRES, reqTRES: isTRES,
		state:      func(s string) bool { _, ok := stateOf(s); return ok },
		elapsedRaw: func(s string) bool { _, ok := tabular.ParseMicros(s); return ok },
		elapsed:    func(s string) bool { _, ok := parseLength(s); return ok },
	}
	for c, is := range tests {
		if i := h.at[c]; i >= 0 && !is(fields[i]) {
			return false
		}
	}
	return true
}

func isID(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

func isTime(s string) bool {
	_, ok := clock(s)
	return ok || !known(s)
}

func isLimit(s string) bool {
	_, ok := limitOf(s)
	return ok
}

func isTRES(s string) bool { return s == "" || resource(s) != "" }
