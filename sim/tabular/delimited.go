package tabular

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxLine is the longest row of a delimited file, quoted line ends included.
const maxLine = 1 << 20

// maxEmpty is how many empty lines and comments there may be beyond one for each row: more is no
// table, however well it is compressed.
const maxEmpty = 1_000_000

// Reader gives the rows of a delimited file in order. Line ends may be LF or CRLF;
// empty lines are skipped; fields may be quoted as in RFC 4180.
type Reader struct {
	// Blanks splits fields at runs of blanks and tabs instead of at commas.
	Blanks bool
	// Tabs splits fields at tabs, of a file without a header; quotes have no meaning then.
	Tabs bool
	// Comment has the bytes of which one starts a line that is skipped, blanks before it or not.
	Comment string
	// Remark, when not nil, is given each comment before the first row, without its line end.
	Remark func(line string)
	// Optional has columns that need not be there, which Header finds in another case too.
	Optional []string
	// Fit, when not nil, gives the fields of a row that has more or fewer than there are columns, as
	// many as there are columns; false = the row is wrong. cut states that the file ends behind them
	// without a line end.
	Fit func(fields []string, cut bool) ([]string, bool)

	name    string
	in      *bufio.Reader
	sep     byte
	columns []string
	line    int // lines read
	rows    int // data rows given
	empty   int // lines without a row
	long    []byte
	bytes   int64 // read
	most    int64 // bytes of a table that is kept in memory; 0 = no bound
	cut     bool  // the line has no line end
	row     Row
}

// NewReader reads from in; the name stands in errors.
func NewReader(name string, in *Stream) *Reader {
	return &Reader{name: name, in: in.Reader, sep: ','}
}

// SetColumns names the columns of a file without a header.
func (r *Reader) SetColumns(names []string) { r.columns = names }

// Columns gives the names in force.
func (r *Reader) Columns() []string { return r.columns }

// Header reads the first row as the columns' names and checks that the required ones are there. In
// a header without a comma the first tab, semicolon or bar is what separates fields. A name that
// differs from a required or optional one by case alone stands for it.
func (r *Reader) Header(required ...string) error {
	text, at, err := r.next()
	if err == io.EOF {
		return fmt.Errorf("%s:1: the file is empty, expected a header with the columns %s", r.name,
			cmp.Or(strings.Join(required, ","), "of its rows"))
	}
	if err != nil {
		return err
	}
	if i := strings.IndexAny(text, ",\t;|"); i >= 0 && !strings.Contains(text, ",") {
		r.sep = text[i]
	}
	fields, err := r.split(nil, text)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", r.name, at, err)
	}
	var faults []error
	for i, f := range fields {
		fields[i] = strings.TrimSpace(f)
		if slices.Contains(fields[:i], fields[i]) {
			faults = append(faults, fmt.Errorf("%s:%d: column %q appears twice in the header", r.name, at, fields[i]))
		}
	}
	for _, c := range slices.Concat(required, r.Optional) {
		recase(fields, c)
	}
	for _, c := range required {
		if !slices.Contains(fields, c) {
			faults = append(faults, fmt.Errorf("%s:%d: column %q is missing, the header has %s", r.name, at, c,
				shorten(strings.Join(fields, ","))))
		}
	}
	r.columns = fields
	return errors.Join(faults...)
}

// recase gives a column its name where one field alone differs from it by case.
func recase(fields []string, name string) {
	at := -1
	for i, f := range fields {
		if f == name || strings.EqualFold(f, name) && at >= 0 {
			return
		}
		if strings.EqualFold(f, name) {
			at = i
		}
	}
	if at >= 0 {
		fields[at] = name
	}
}

// Next gives the next row, valid until the following call; io.EOF at the end.
// A row with a wrong number of fields or a broken quote comes with a fault.
func (r *Reader) Next() (*Row, error) {
	text, at, err := r.next()
	if err != nil {
		return nil, err
	}
	r.rows++
	r.row = Row{File: r.name, Line: at, Number: r.rows, names: r.columns, fields: r.row.fields[:0]}
	fields, err := r.split(r.row.fields, text)
	r.row.fields = fields
	if err != nil {
		r.row.Rejectf("%s", err.Error())
	} else if !r.fits(fields) {
		r.row.Rejectf("%d fields, expected %d", len(fields), len(r.columns))
	}
	return &r.row, nil
}

// fits reports whether a row has as many fields as there are columns, or is made to have them.
// Empty fields behind the last column are none: some programs end every row with a separator.
func (r *Reader) fits(fields []string) bool {
	for !r.Tabs && len(fields) > len(r.columns) && fields[len(fields)-1] == "" {
		fields = fields[:len(fields)-1]
	}
	r.row.fields = fields
	if len(fields) == len(r.columns) {
		return true
	}
	if r.Fit == nil {
		return false
	}
	fields, ok := r.Fit(fields, r.cut)
	if ok {
		r.row.fields = fields
	}
	return ok && len(fields) == len(r.columns)
}

// Line gives the next row as it stands in the file, without its line end, and the number of the line
// on which it starts; io.EOF at the end.
func (r *Reader) Line() (text string, line int, err error) {
	text, line, err = r.next()
	r.rows++
	return text, line, err
}

// next gives the next row's text without its line end and the line it starts on.
func (r *Reader) next() (text string, at int, err error) {
	for {
		line, err := r.readLine()
		if err != nil {
			return "", 0, err
		}
		at := r.line
		text := bytes.TrimSpace(line)
		comment := len(text) > 0 && strings.IndexByte(r.Comment, text[0]) >= 0
		if comment || len(text) == 0 {
			if r.empty++; r.empty > maxEmpty+r.rows {
				return "", 0, fmt.Errorf("%s:%d: %d lines are empty or comments and %d are rows, expected at most "+
					"%d and one for each row", r.name, at, r.empty, r.rows, maxEmpty)
			}
			if r.Remark != nil && r.rows == 0 && comment {
				r.Remark(string(text))
			}
			continue
		}
		// A quoted field may hold line ends: take lines until the quotes are even.
		if !r.Blanks && !r.Tabs && bytes.Count(line, []byte{'"'})%2 == 1 {
			return r.joinQuoted(line, at)
		}
		return string(line), at, nil
	}
}

func (r *Reader) joinQuoted(line []byte, at int) (string, int, error) {
	text := append([]byte(nil), line...)
	for open := true; open; {
		more, err := r.readLine()
		if err == io.EOF {
			break // split reports the open quote as a fault of this row
		}
		if err != nil {
			return "", 0, err
		}
		if len(text)+len(more) > maxLine {
			return "", 0, fmt.Errorf("%s:%d: the row is longer than %d bytes: is a quote left open?", r.name, at,
				maxLine)
		}
		text = append(append(text, '\n'), more...)
		if bytes.Count(more, []byte{'"'})%2 == 1 {
			open = false
		}
	}
	return string(text), at, nil
}

// readLine gives one line without its end, valid until the next call.
func (r *Reader) readLine() ([]byte, error) {
	line, err := r.in.ReadSlice('\n')
	r.long = r.long[:0]
	for err == bufio.ErrBufferFull {
		r.long = append(r.long, line...)
		if len(r.long) > maxLine {
			return nil, fmt.Errorf("%s:%d: the line is longer than %d bytes, expected rows of text", r.name, r.line+1,
				maxLine)
		}
		line, err = r.in.ReadSlice('\n')
	}
	if len(r.long) > 0 {
		r.long = append(r.long, line...)
		line = r.long
	}
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s:%d: %w", r.name, r.line+1, err)
	}
	if len(line) == 0 {
		return nil, io.EOF
	}
	r.line++
	r.cut = line[len(line)-1] != '\n'
	if r.bytes += int64(len(line)); r.most > 0 && r.bytes > r.most {
		return nil, tooLong(fmt.Sprintf("%s:%d", r.name, r.line), fmt.Sprintf("more than %d", r.most))
	}
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), nil
}

func (r *Reader) split(fields []string, text string) ([]string, error) {
	if r.Blanks {
		return append(fields, strings.Fields(text)...), nil
	}
	if r.Tabs {
		return slices.AppendSeq(fields, strings.SplitSeq(text, "\t")), nil
	}
	for {
		if strings.HasPrefix(text, `"`) {
			value, rest, err := quoted(text[1:])
			if err != nil {
				return fields, err
			}
			fields = append(fields, value)
			if rest == "" {
				return fields, nil
			}
			if rest[0] != r.sep {
				return fields, fmt.Errorf("text after the closing quote of field %d, expected %q", len(fields),
					string(r.sep))
			}
			text = rest[1:]
			continue
		}
		i := strings.IndexByte(text, r.sep)
		if i < 0 {
			return append(fields, text), nil
		}
		fields = append(fields, text[:i])
		text = text[i+1:]
	}
}

// quoted reads up to the closing quote; a doubled quote stands for one.
func quoted(s string) (value, rest string, err error) {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			return "", "", errors.New("a quote is left open, expected a closing one")
		}
		b.WriteString(s[:i])
		if i+1 >= len(s) || s[i+1] != '"' {
			return b.String(), s[i+1:], nil
		}
		b.WriteByte('"')
		s = s[i+2:]
	}
}
