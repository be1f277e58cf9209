package jsonlfmt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarry/traces/jobcell"
)

// maxKeys is the most columns of a table.
const maxKeys = 4096

// member is one key of an object with its value. nested states that it is a list or an object.
type member struct {
	key    string
	value  jobcell.Value
	nested string
}

// object reads a JSON object in the order of its keys. Numbers keep their digits; NaN, Infinity and
// -Infinity, which Python writes, are numbers too.
func object(text []byte, into []member) ([]member, error) {
	s := scanner{text: text}
	if s.skip(); s.next() != '{' {
		return nil, fmt.Errorf("%s, expected a JSON object", s.found())
	}
	s.at++
	if s.skip(); s.next() == '}' {
		s.at++
		return into, s.end()
	}
	for {
		s.skip()
		key, err := s.text0()
		if err != nil {
			return nil, err
		}
		if s.skip(); s.next() != ':' {
			return nil, fmt.Errorf("%s behind the key %q, expected a colon", s.found(), key)
		}
		s.at++
		s.skip()
		m := member{key: key}
		if m.value, m.nested, err = s.value(); err != nil {
			return nil, err
		}
		if into = append(into, m); len(into) > maxKeys {
			return nil, fmt.Errorf("more than %d keys, expected an object with the columns of a job", maxKeys)
		}
		s.skip()
		switch s.next() {
		case ',':
			s.at++
		case '}':
			s.at++
			return into, s.end()
		default:
			return nil, fmt.Errorf("%s behind the value of %q, expected a comma or a brace", s.found(), key)
		}
	}
}

// scanner goes through the text of an object.
type scanner struct {
	text []byte
	at   int
}

// next gives the next byte; 0 at the end.
func (s *scanner) next() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) skip() {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
		s.at++
	}
}

// found names what stands at the present place.
func (s *scanner) found() string {
	if s.at >= len(s.text) {
		return "the text ends"
	}
	return fmt.Sprintf("%q at column %d", s.text[s.at], s.at+1)
}

// end holds that nothing follows.
func (s *scanner) end() error {
	if s.skip(); s.at < len(s.text) {
		return fmt.Errorf("%s behind the object, expected the end of the line", s.found())
	}
	return nil
}

// text0 reads a text between double quotes.
func (s *scanner) text0() (string, error) {
	if s.next() != '"' {
		return "", fmt.Errorf("%s, expected a text between double quotes", s.found())
	}
	plain := true
	for end := s.at + 1; end < len(s.text); end++ {
		switch c := s.text[end]; {
		case c == '\\':
			plain = false
			end++
		case c == '"':
			quoted := s.text[s.at : end+1]
			s.at = end + 1
			if plain {
				return string(quoted[1 : len(quoted)-1]), nil
			}
			var out string
			if err := json.Unmarshal(quoted, &out); err != nil {
				return "", fmt.Errorf("%s is no JSON text", brief(quoted))
			}
			return out, nil
		case c < ' ':
			return "", fmt.Errorf("a control character at column %d, expected it as an escape", end+1)
		}
	}
	return "", errors.New("a text has no closing quote: is the line cut off?")
}

// value reads a value; of a list or an object it only gives which it is.
func (s *scanner) value() (v jobcell.Value, nested string, err error) {
	switch s.next() {
	case '"':
		text, err := s.text0()
		return jobcell.Value{Kind: jobcell.Text, Text: strings.TrimSpace(text)}, "", err
	case '{':
		return v, "an object", s.brackets()
	case '[':
		return v, "a list", s.brackets()
	}
	end := s.at
	for end < len(s.text) && strings.IndexByte(",}] \t\r\n", s.text[end]) < 0 {
		end++
	}
	word := string(s.text[s.at:end])
	switch word {
	case "null", "NaN":
		s.at = end
		return v, "", nil
	case "true", "false":
		s.at = end
		v.Kind = jobcell.Truth
		if word == "true" {
			v.Int = 1
		}
		return v, "", nil
	case "Infinity", "-Infinity":
	default:
		if !json.Valid([]byte(word)) || word == "" {
			return v, "", fmt.Errorf("%s, expected a value of JSON", s.found())
		}
	}
	s.at = end
	return jobcell.Value{Kind: jobcell.Text, Text: word}, "", nil
}

// brackets goes past a list or an object.
func (s *scanner) brackets() error {
	var open []byte
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case '"':
			if _, err := s.text0(); err != nil {
				return err
			}
			continue
		case '{', '[':
			open = append(open, c+2) // the bracket that closes it
		case '}', ']':
			if open[len(open)-1] != c {
				return fmt.Errorf("%s, expected %q", s.found(), open[len(open)-1])
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				s.at++
				return nil
			}
		}
		s.at++
	}
	return errors.New("a bracket is not closed: is the line cut off?")
}

func brief(b []byte) string {
	const most = 40
	if len(b) > most {
		return string(b[:most]) + "..."
	}
	return string(b)
}

// Keys gives the keys of the first JSON object in the beginning of a file: of a line, or the first
// of a list. nil = there is none.
func Keys(beginning string) []string {
	text := strings.TrimLeft(beginning, " \t\r\n[")
	if text == "" || text[0] != '{' {
		return nil
	}
	s := scanner{text: []byte(text)}
	if s.brackets() != nil {
		return nil
	}
	members, err := object(bytes.Clone(s.text[:s.at]), nil)
	if err != nil {
		return nil
	}
	var keys []string
	for _, m := range members {
		if !slices.Contains(keys, m.key) {
			keys = append(keys, m.key)
		}
	}
	return keys
}
