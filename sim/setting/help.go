package setting

import (
	"fmt"
	"strings"
)

// Meaning is Doc with the unit, the forms of the value and the list that has more.
func (r *Row) Meaning() string {
	text := r.Doc
	if r.Unit != "" {
		first, rest, more := strings.Cut(text, ";")
		if text = first + ", " + r.Unit; more {
			text += ";" + rest
		}
	}
	if r.Forms != "" {
		text += ": " + r.Forms
	}
	if r.See != "" {
		text += "; see list " + r.See
	}
	return text
}

// Usage is the help of the flag, with the word for the value between backquotes, as flag packages
// take it.
func (r *Row) Usage() string {
	meta := r.Meta
	if meta == "" {
		meta = "VALUE"
	}
	text := r.Doc
	switch _, yes := r.To.(*bool); {
	case yes:
	case r.Forms != "":
		text += ": `" + meta + "` is " + r.Forms
	default:
		text = "`" + meta + "`: " + text
	}
	if r.See != "" {
		text += " (see tarry list " + r.See + ")"
	}
	return text
}

// Help has a line for each row: key, meaning, and in brackets what an empty default stands for.
func Help(rows []Row) string {
	var b strings.Builder
	for i := range rows {
		fmt.Fprintf(&b, "%-13s %s", rows[i].Key, rows[i].Meaning())
		if rows[i].Text() == "" && rows[i].Empty != "" {
			fmt.Fprintf(&b, " (%s)", rows[i].Empty)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}
