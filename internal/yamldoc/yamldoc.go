package yamldoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The bounds of one text.
const (
	// MaxBytes is the size of the text itself.
	MaxBytes = 1 << 20
	// MaxDepth is how deep lists and mappings may stand inside one another; the outermost is 1
	// deep.
	MaxDepth = 64
	// MaxValues counts texts, lists, mappings and keys. What an alias stands for counts as often as
	// it is used.
	MaxValues = 1 << 18
	// MaxWritten is the size of all values with the path of each ("axes[0].values[2]") beside it,
	// in bytes. What an alias stands for counts as often as it is used.
	MaxWritten = 64 << 20
)

// Node is a value with its line. Its Content has no aliases: what they stand for is in their place.
type Node = yaml.Node

// The kinds of nodes that Parse gives.
const (
	// Scalar is a text or a number, Value its text; Empty is one that has none.
	Scalar = yaml.ScalarNode
	// List has its values in Content.
	List = yaml.SequenceNode
	// Mapping has a key, always a Scalar, and its value in turn in Content.
	Mapping = yaml.MappingNode
)

// Empty reports whether a node is no value: null, ~ or nothing.
func Empty(n *Node) bool { return n.Kind == Scalar && n.Tag == "!!null" }

// Error is a text that is no YAML, or beyond a bound.
type Error struct {
	// Line is where, from 1 on; 0 = the text as a whole.
	Line int
	// Text states what is wrong and what was expected.
	Text string
}

// Error is the text, after the line if there is one.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Text
	}
	return "line " + strconv.Itoa(e.Line) + ": " + e.Text
}

// In puts the name of the file before the line, as in "run.yaml:3: what is wrong".
func (e *Error) In(file string) error {
	if e.Line == 0 {
		return fmt.Errorf("%s: %s", file, e.Text)
	}
	return fmt.Errorf("%s:%d: %s", file, e.Line, e.Text)
}

// Load reads a file whole, or as much of it as Parse needs to refuse it.
func Load(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return LoadFrom(f)
}

// LoadFrom reads an open file in the same way.
func LoadFrom(r io.Reader) ([]byte, error) { return io.ReadAll(io.LimitReader(r, MaxBytes+1)) }

// Parse reads a text that holds one document and resolves its aliases. want states in errors what
// was expected in the file, such as "key: value".
func Parse(text []byte, want string) (_ *Node, fault *Error) {
	if len(text) > MaxBytes {
		return nil, &Error{0, fmt.Sprintf("the file has more than %d bytes, expected fewer", MaxBytes)}
	}
	defer func() { // the library reports some faults by a panic, and may have more
		if r := recover(); r != nil {
			fault = &Error{0, fmt.Sprintf("not YAML: %v", r)}
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(text))
	var doc, more yaml.Node
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, &Error{0, "the file is empty, expected " + want}
	case err != nil:
		return nil, library(err)
	}
	switch err := d.Decode(&more); {
	case err == nil:
		return nil, &Error{more.Line, "a second document, expected one"}
	case !errors.Is(err, io.EOF):
		return nil, library(err)
	}
	return resolve(doc.Content[0])
}

// library takes the line out of a message of the library.
func library(err error) *Error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if m := regexp.MustCompile(`^line (\d+): `).FindStringSubmatch(text); m != nil {
		if line, err := strconv.Atoi(m[1]); err == nil {
			return &Error{line, text[len(m[0]):]}
		}
	}
	return &Error{0, text}
}
