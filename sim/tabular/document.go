package tabular

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Document goes through a JSON object one value at a time: an element of a list or a member of an
// object that stands under one of its keys, or what else stands under a key. Each is visited with
// the key, the member's own name ("" for others), and the line on which it starts. An error of
// visit ends the reading.
func Document(name string, in *Stream, visit func(key, member string, line int, value json.RawMessage) error) error {
	d := &document{name: name, lines: &lineReader{in: in.Reader, most: maxElement}, visit: visit}
	d.lines.limit = d.lines.most
	d.dec = json.NewDecoder(d.lines)
	tok, err := d.dec.Token()
	switch {
	case err == io.EOF:
		return fmt.Errorf("%s:1: the file is empty, expected a JSON object", name)
	case err != nil:
		return d.wrap(err)
	case tok != json.Delim('{'):
		return fmt.Errorf("%s:%d: the file starts with %v, expected a JSON object: {", name,
			d.lines.at(d.dec.InputOffset()), tok)
	}
	for d.more() {
		key, err := d.dec.Token()
		if err == nil {
			err = d.under(fmt.Sprint(key))
		}
		if err != nil {
			return d.wrap(err)
		}
	}
	if _, err := d.dec.Token(); err != nil {
		return d.wrap(err)
	}
	if tok, err := d.dec.Token(); err != io.EOF {
		return fmt.Errorf("%s:%d: %v after the closing brace, expected the end of the file", name,
			d.lines.at(d.dec.InputOffset()), tok)
	}
	return nil
}

type document struct {
	name  string
	dec   *json.Decoder
	lines *lineReader
	visit func(key, member string, line int, value json.RawMessage) error
	// stop is the error of visit, which is returned as it is.
	stop error
}

func (d *document) more() bool {
	d.lines.limit = d.dec.InputOffset() + d.lines.most
	return d.dec.More()
}

// under visits what stands under a key.
func (d *document) under(key string) error {
	d.lines.limit = d.dec.InputOffset() + d.lines.most
	// The kind of the value is seen by its first byte, which the decoder has once it has looked for
	// more.
	switch open := d.peek(); open {
	case '[', '{':
		if _, err := d.dec.Token(); err != nil {
			return err
		}
		for d.more() {
			member := ""
			if open == '{' {
				tok, err := d.dec.Token()
				if err != nil {
					return err
				}
				member = fmt.Sprint(tok)
				d.lines.limit = d.dec.InputOffset() + d.lines.most
			}
			if err := d.value(key, member); err != nil {
				return err
			}
		}
		_, err := d.dec.Token()
		return err
	}
	return d.value(key, "")
}

// peek gives the first byte of the value that comes next; 0 where it is not yet read.
func (d *document) peek() byte {
	d.dec.More() // reads on to the value
	buf := make([]byte, 4096)
	n, _ := io.ReadFull(d.dec.Buffered(), buf)
	for _, b := range buf[:n] {
		switch b {
		case ' ', '\t', '\r', '\n', ':', ',':
		default:
			return b
		}
	}
	return 0
}

// value visits the next value.
func (d *document) value(key, member string) error {
	d.peek()
	o := Objects{dec: d.dec, lines: d.lines}
	line := d.lines.at(o.start0())
	var raw json.RawMessage
	if err := d.dec.Decode(&raw); err != nil {
		return err
	}
	d.stop = d.visit(key, member, line, raw)
	return d.stop
}

func (d *document) wrap(err error) error {
	if d.stop != nil {
		return d.stop
	}
	line := d.lines.at(d.dec.InputOffset())
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s:%d: the file ends inside the object: is it cut off?", d.name, line)
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		line = d.lines.at(syntax.Offset)
	}
	return fmt.Errorf("%s:%d: %w", d.name, line, err)
}
