package tabular

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// maxElement is the largest element of a JSON list, and the most white space between two, in bytes.
const maxElement = 8 << 20

// Objects gives the elements of a JSON list, or the members of an object, one at a time, so that one
// of any length takes the memory of its largest element.
type Objects struct {
	// Keyed reads an object in place of a list; Key is then the name of the member that Next gave.
	Keyed bool
	Key   string

	name  string
	dec   *json.Decoder
	lines *lineReader
	open  bool
	count int
}

// NewObjects reads a JSON list from in; the name stands in errors.
func NewObjects(name string, in *Stream) *Objects {
	l := &lineReader{in: in.Reader, most: maxElement}
	return &Objects{name: name, dec: json.NewDecoder(l), lines: l}
}

// Next decodes the next element into v and gives the line it starts on. At the end
// of the list it gives io.EOF. A *Fault means that this element has the wrong type
// and that reading may continue; any other error ends the reading.
func (o *Objects) Next(v any) (line int, err error) {
	if !o.open {
		if err := o.start(); err != nil {
			return 0, err
		}
	}
	o.lines.limit = o.dec.InputOffset() + o.lines.most
	more := o.dec.More()
	line = o.lines.at(o.start0())
	if !more {
		return line, o.finish(line)
	}
	o.count++
	if err = o.key(); err == nil {
		err = o.dec.Decode(v)
	}
	var wrong *json.UnmarshalTypeError
	fault := &Fault{File: o.name, Line: line}
	switch {
	case err == nil:
		return line, nil
	case errors.Is(err, errNotScalar):
		fault.Want = errNotScalar.Error()
		return line, fault
	case errors.As(err, &wrong):
		what := "the element"
		if wrong.Field != "" {
			what = fmt.Sprintf("field %q", wrong.Field)
		}
		fault.Want = fmt.Sprintf("%s is a %s, expected %s", what, wrong.Value, kindOf(wrong.Type))
		return line, fault
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		_, what := o.what()
		return line, fmt.Errorf("%s:%d: the file ends inside element %d of the %s: is it cut off?", o.name, line,
			o.count, what)
	}
	return line, o.wrap(line, err)
}

// key reads the name before a member of an object.
func (o *Objects) key() error {
	if !o.Keyed {
		return nil
	}
	tok, err := o.dec.Token()
	if err == nil {
		o.Key, _ = tok.(string) // the decoder takes no other name
	}
	return err
}

// what is what Objects reads.
func (o *Objects) what() (open json.Delim, name string) {
	if o.Keyed {
		return '{', "object"
	}
	return '[', "list"
}

func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "text or a number"
}

var errNotScalar = errors.New("a field is a list or an object, expected text or a number")

// start0 is the offset of the next element: More has skipped white space, but the offset is at the
// comma or bracket before it, so step over both.
func (o *Objects) start0() int64 {
	off := o.dec.InputOffset()
	buf, err := io.ReadAll(io.LimitReader(o.dec.Buffered(), 4096))
	if err != nil {
		return off
	}
	return off + int64(len(buf)-len(bytes.TrimLeft(buf, " \t\r\n,")))
}

func (o *Objects) start() error {
	o.lines.limit = o.lines.most
	tok, err := o.dec.Token()
	open, what := o.what()
	switch {
	case err == io.EOF:
		return fmt.Errorf("%s:1: the file is empty, expected a JSON %s", o.name, what)
	case err != nil:
		return o.wrap(1, err)
	case tok != open:
		return fmt.Errorf("%s:%d: the file starts with %v, expected a JSON %s: %v", o.name,
			o.lines.at(o.dec.InputOffset()), tok, what, open)
	}
	o.open = true
	return nil
}

func (o *Objects) finish(line int) error {
	if _, err := o.dec.Token(); err != nil {
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			_, what := o.what()
			return fmt.Errorf("%s:%d: the file ends inside the %s: is it cut off?", o.name, line, what)
		}
		return o.wrap(line, err)
	}
	if _, err := o.dec.Token(); err != io.EOF {
		return fmt.Errorf("%s:%d: text after the closing bracket, expected the end of the file", o.name,
			o.lines.at(o.dec.InputOffset()))
	}
	return io.EOF
}

func (o *Objects) wrap(line int, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		line = o.lines.at(syntax.Offset)
	}
	return fmt.Errorf("%s:%d: %w", o.name, line, err)
}

// Text is a JSON string, number or truth value as text; null is "".
type Text string

// UnmarshalJSON accepts scalars and refuses lists and objects.
func (t *Text) UnmarshalJSON(b []byte) error {
	switch {
	case bytes.Equal(b, []byte("null")):
		*t = ""
		return nil
	case len(b) > 0 && b[0] == '"':
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		*t = Text(strings.Clone(s))
		return nil
	case len(b) > 0 && (b[0] == '[' || b[0] == '{'):
		return errNotScalar
	}
	*t = Text(b)
	return nil
}

// lineReader notes where lines end, so that an offset can be given as a line, and
// bounds how far the decoder may read for one element.
type lineReader struct {
	in    io.Reader
	off   int64
	limit int64
	most  int64   // bytes of one element
	ends  []int64 // offsets of line ends not yet passed by at
	line  int     // line ends passed
}

func (l *lineReader) Read(p []byte) (int, error) {
	if l.off > l.limit {
		return 0, fmt.Errorf("an element of the list is larger than %d bytes, expected small objects", l.most)
	}
	n, err := l.in.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			l.ends = append(l.ends, l.off+int64(i))
		}
	}
	l.off += int64(n)
	return n, err
}

// at gives the line of an offset; offsets must not go back.
func (l *lineReader) at(off int64) int {
	i := 0
	for i < len(l.ends) && l.ends[i] < off {
		i++
	}
	l.line += i
	l.ends = l.ends[i:]
	return l.line + 1
}
