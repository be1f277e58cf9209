package legible

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestName(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "",
		"dally:t_rack=6,t_net=12":      "dally:t_rack=6,t_net=12",
		"Größe/日本/עברית é":             "Größe/日本/עברית é",
		"a\x1b[31mred\x1b]0;x\x07":     `a\u001b[31mred\u001b]0;x\u0007`,
		"a\u009b31m\u007f":             `a\u009b31m\u007f`,
		"exe\u202efdp\u202c.\u2066x":   `exe\u202efdp\u202c.\u2066x`,
		"a\u200bb\ufeffc\u00add\u200e": `a\u200bb\ufeffc\u00add\u200e`,
		"one\ntwo\ttab\rback":          `one\u000atwo\u0009tab\u000dback`,
		"one\u2028two\u2029three":      `one\u2028two\u2029three`,
		"\xff\xc3":                     `\xff\xc3`,
		"tag\U000e0041":                `tag\udb40\udc41`,
		"private\ue000":                `private\ue000`,
	} {
		if got := Name(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	if got := Text("one\ntwo\tthree\x1b"); got != "one\ntwo\tthree\\u001b" {
		t.Errorf("a text became %q", got)
	}
	if got := Fields([]string{"a", "b\nc"}); got != `a, b\u000ac` {
		t.Errorf("names became %q", got)
	}
}

// TestWriter: however a text is cut into writes, the same comes out; nothing is lost.
func TestWriter(t *testing.T) {
	text := "é日\U0001f600 a\x1b[2J\u202eb\xffc\n"
	for size := 1; size <= len(text); size++ {
		var b bytes.Buffer
		w := NewWriter(&b)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if m, err := w.Write([]byte(rest[:n])); m != n || err != nil {
				t.Fatal(m, err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil || b.String() != Text(text) {
			t.Errorf("in pieces of %d: %q, %v", size, b.String(), err)
		}
	}
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Write([]byte("x\xe6\x97")) // a buffer takes everything
	if err := w.Flush(); err != nil || b.String() != `x\xe6\x97` {
		t.Errorf("an unended character became %q, %v", b.String(), err)
	}
	if Under(w) != &b || Under(&b) != &b {
		t.Error("what is under a writer is another")
	}
}

// FuzzName: what comes out is seen as it is, is one line, and in JSON means what it was.
func FuzzName(f *testing.F) {
	for _, s := range []string{"", "a", "\x1b[0m", "\u202e", "\U000e0001", "\xff", "a\\u001b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Name(s)
		if strings.ContainsFunc(got, Hidden) || !utf8.ValidString(got) || Name(got) != got {
			t.Fatalf("%q became %q", s, got)
		}
		if !utf8.ValidString(s) {
			return
		}
		line, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal([]byte(Text(string(line))), &back); err != nil || back != s {
			t.Fatalf("%q through JSON is %q, %v", s, back, err)
		}
	})
}

// TestJSON: people see the escapes, whatever is written in the document stays one.
func TestJSON(t *testing.T) {
	in := map[string]string{"a\x1b[0m\u202eb\u2028\r\b\f": "<x>\n\t\U000e0041\u007f \\u202e é日"}
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]string
	if err := json.Unmarshal(JSON(data), &got); err != nil {
		t.Fatal(err)
	}
	for k, v := range in {
		if got[Text(k)] != Text(v) {
			t.Errorf("got %q, want %q", got, Text(v))
		}
	}
	if got := string(JSON([]byte("{\"a\":\"\xff\\"))); got != `{"a":"\\xff\` {
		t.Errorf("half a document became %s", got)
	}
}
