// Package legible keeps names of others from being commands to a terminal: a file, a job or a
// policy may be called anything.
//
// Reading guide: Name is for a name inside a line, Writer for all that people read, escape states
// what is replaced and by what.
package legible

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Name gives a name as it may stand in a line: what a terminal would obey or not show is written as
// an escape, \u001b or \u202e, which JSON reads as the same character. So is the end of a line.
// Other names are given as they are.
func Name(s string) string { return string(escape(nil, s, true)) }

// Text is Name for a text of several lines: tabs and ends of lines stay.
func Text(s string) string { return string(escape(nil, s, false)) }

// Hidden reports characters that a terminal obeys or does not show: controls, marks of direction,
// characters of no width, separators of lines, and what is no character.
func Hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp) || r == '\u034f' ||
		r == '\u115f' || r == '\u1160' || r == '\u3164' || r == '\uffa0' ||
		r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef
}

// escape appends s; line states that it is part of one line.
func escape(out []byte, s string, line bool) []byte {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			out = fmt.Appendf(out, `\x%02x`, s[i])
		case !line && (r == '\n' || r == '\t'), !Hidden(r):
			out = append(out, s[i:i+n]...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		i += n
	}
	return out
}

// Writer passes on what people read, as Text gives it. A character may come in several writes.
type Writer struct {
	to   io.Writer
	part []byte // the beginning of a character
}

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w} }

// Under is where w writes to, for what has escapes of its own: a bar of progress, or a format that
// is not for people. A writer of another sort is given as it is.
func Under(w io.Writer) io.Writer {
	if p, ok := w.(*Writer); ok {
		return p.to
	}
	return w
}

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	all := append(w.part, p...)
	whole := len(all)
	for k := 1; k < utf8.UTFMax && k <= len(all); k++ {
		if b := all[len(all)-k]; utf8.RuneStart(b) {
			if !utf8.FullRune(all[len(all)-k:]) {
				whole = len(all) - k
			}
			break
		}
	}
	_, err := w.to.Write(escape(nil, string(all[:whole]), false))
	w.part = append([]byte(nil), all[whole:]...)
	return len(p), err
}

// Flush writes the beginning of a character that was not completed.
func (w *Writer) Flush() error {
	if len(w.part) == 0 {
		return nil
	}
	_, err := w.to.Write(escape(nil, string(w.part), false))
	w.part = nil
	return err
}

// Fields puts names into a line, with a comma and a space between them.
func Fields(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = Name(n)
	}
	return strings.Join(out, ", ")
}

// JSON changes the texts of a JSON document that people will read so that they are as Text gives
// them; what they were cannot be read from it any more.
func JSON(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); {
		if data[i] == '\\' && i+1 < len(data) { // only texts have these
			n := 2
			if data[i+1] == 'u' && i+6 <= len(data) {
				n = 6
			}
			out = append(out, unescaped(data[i:i+n])...)
			i += n
			continue
		}
		r, n := utf8.DecodeRune(data[i:])
		if Hidden(r) && r != '\n' && r != '\t' && r != '\r' || r == utf8.RuneError && n == 1 {
			out = append(out, strings.ReplaceAll(Name(string(data[i:i+n])), `\`, `\\`)...)
		} else {
			out = append(out, data[i:i+n]...)
		}
		i += n
	}
	return out
}

// unescaped gives an escape of JSON as it should be in JSON: one that stands for a hidden character
// becomes the text of that escape.
func unescaped(e []byte) []byte {
	switch e[1] {
	case 'b':
		return []byte(`\\u0008`)
	case 'f':
		return []byte(`\\u000c`)
	case 'r':
		return []byte(`\\u000d`)
	case 'u':
		if v, err := strconv.ParseUint(string(e[2:]), 16, 16); err == nil && Hidden(rune(v)) {
			return append([]byte(`\`), e...)
		}
	}
	return e
}
