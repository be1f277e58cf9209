package yamldoc

import (
	"fmt"
	"strings"
	"testing"
)

// bomb is ten levels of ten aliases: a few hundred bytes that stand for 10^10 values.
func bomb() string {
	text := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i <= 10; i++ {
		text += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1),
			10), ", "))
	}
	return text
}

// long has few values, each at the end of a path that is a megabyte long.
func long() string {
	return "k: &k {" + strings.Repeat("k", 900) + ": [" + strings.TrimSuffix(strings.Repeat("1, ", 400), ", ") +
		"]}\nall: [" + strings.TrimSuffix(strings.Repeat("*k, ", 500), ", ") + "]\n"
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ why, text, want string }{
		{"nothing", "", "f: the file is empty, expected key: value"},
		{"a remark", "# nothing\n", "f: the file is empty, expected key: value"},
		{"not YAML", "a: [1", "f:1: did not find expected ',' or ']'"},
		{"not text", "a: \xff\xfe", "f: invalid leading UTF-8 octet"},
		{"a bell", "a: \x07", "f: control characters are not allowed"},
		{"an escape", "a: 1\nb: \"\\e[31m\"\n", "f:2: a text holds the control character U+001B, expected none"},
		{"an escape in a key", "\"\\x9b\": 1\n", "f:1: a text holds the control character U+009B, expected none"},
		{"two documents", "a: 1\n---\nb: 2\n", "f:2: a second document, expected one"},
		{"a broken second document", "a: 1\n---\nb: [\n", "f:3: did not find expected node content"},
		{"an alias of nothing", "a: *b\n", "f: unknown anchor 'b' referenced"},
		{"an alias in itself", "a: &a [*a]\n", "f:1: the alias *a stands inside what it names, expected a value " +
			"that ends"},
		{"an alias in itself, farther in", "a: &a\n  - b:\n    - c: *a\n",
			"f:3: the alias *a stands inside what it names, expected a value that ends"},
		{"an alias as a key in itself", "a: &a {*a : 1}\n", "f:1: the alias *a stands inside what it names, " +
			"expected a value that ends"},
		{"aliases of aliases", bomb(), "f:6: more than 262144 values (what an alias stands for counts as often as " +
			"it is used), expected fewer"},
		{"long paths", long(), "f:2: values and their paths have more than 67108864 bytes (what an alias stands for " +
			"counts as often as it is used), expected fewer"},
		{"a key that is a list", "a: 1\n? [x, y]\n: 2\n", "f:2: a key is a list or a mapping, expected text"},
		{"a key that is an alias of a list", "a: &a [1]\n*a : 2\n", "f:2: a key is a list or a mapping, expected text"},
		{"deep", strings.Repeat("[", 65) + strings.Repeat("]", 65), "f:1: values stand more than 64 deep inside one " +
			"another, expected fewer"},
		{"deep, by aliases", "a: &a " + strings.Repeat("[", 40) + strings.Repeat("]", 40) + "\nb: &b " +
			strings.Repeat("[", 30) + "*a" + strings.Repeat("]", 30) + "\n",
			"f:2: values stand more than 64 deep inside one another, expected fewer"},
		{"deeper than the library goes", strings.Repeat("[", 20_000), "f: exceeded max depth of 10000"},
		{"deep indents", strings.Repeat("- ", 20_000), "f: exceeded max depth of 10000"},
		{"many values", "[" + strings.Repeat("a,", 300_000) + "]", "f:1: more than 262144 values (what an alias " +
			"stands for counts as often as it is used), expected fewer"},
		{"long", strings.Repeat("a", MaxBytes+1), "f: the file has more than 1048576 bytes, expected fewer"},
		{"many brackets", strings.Repeat("[],", 340_000), "f: did not find expected <document start>"},
		{"quotes without an end", "'" + strings.Repeat("\n", 1_000_000), "f:1000001: found unexpected end of stream"},
	} {
		t.Run(c.why, func(t *testing.T) {
			n, err := Parse([]byte(c.text), "key: value")
			if err == nil || err.In("f").Error() != c.want {
				t.Errorf("got  %v, %v\nwant %s", n, err, c.want)
			}
		})
	}
}

// TestLong: what the bounds let in is read in a time that does not explode.
func TestLong(t *testing.T) {
	for why, text := range map[string]string{
		"remarks":           strings.Repeat("# a\n", 200_000) + "a: 1\n",
		"empty remarks":     "a:\n" + strings.Repeat("#\n\n", 200_000) + " - 1\n",
		"remarks in a list": "a: [" + strings.Repeat("1, # x\n", 100_000) + "]",
		"a long key":        "? " + strings.Repeat("k", 1_000_000) + "\n: 1\n",
		"a long text":       "a: " + strings.Repeat("x ", 500_000) + "\n",
		"many lines":        "a: >\n" + strings.Repeat(" x\n", 300_000),
		"many keys":         "{" + strings.Repeat("a: 1,", 100_000) + "}",
		"many anchors":      "[" + strings.Repeat("&a x,", 100_000) + "]",
		"many tags":         "[" + strings.Repeat("!a x,", 100_000) + "]",
		"an alias used":     "a: &a [1, 2]\nb: [" + strings.Repeat("*a,", 50_000) + "]\n",
	} {
		t.Run(why, func(t *testing.T) {
			if _, err := Parse([]byte(text), "key: value"); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAliases: an alias is replaced by what it stands for, a merge key is a key.
func TestAliases(t *testing.T) {
	n, err := Parse([]byte("a: &a {b: [1, &c two]}\nd: *a\ne: [*c, *a]\n*c : 3\n"), "key: value")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := written(n), "{a:{b:[1,two]},d:{b:[1,two]},e:[two,{b:[1,two]}],two:3}"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if n, err = Parse([]byte("a: &a {b: 1}\nc: {<<: *a}\nd: ~\n"), "key: value"); err != nil {
		t.Fatal(err)
	}
	if got, want := written(n), "{a:{b:1},c:{<<:{b:1}},d:(empty)}"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// written is a node in one line.
func written(n *Node) string {
	var parts []string
	switch n.Kind {
	case List:
		for _, c := range n.Content {
			parts = append(parts, written(c))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case Mapping:
		for i := 0; i < len(n.Content); i += 2 {
			parts = append(parts, written(n.Content[i])+":"+written(n.Content[i+1]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	if Empty(n) {
		return "(empty)"
	}
	return n.Value
}

// FuzzParse: whatever the text is, it is refused or becomes values within the bounds, without
// aliases.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "a: 1", "a: &a [*a]", "a: &a {b: *a}", "- &x 1\n- *x\n", "? [a]\n: b", "<<: {a: 1}",
		"a: |\n x\n", "---\n---\n", "%TAG ! x\n--- a", "\"\\e[31m\"", "!!binary x", "{a, b: c}", bomb()} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Parse([]byte(text), "key: value")
		if (n == nil) == (err == nil) {
			t.Fatalf("node %v and error %v", n, err)
		}
		if err != nil {
			if err.Text == "" || err.Line < 0 {
				t.Fatalf("an error without words: %+v", err)
			}
			return
		}
		values := 0
		var look func(n *Node, depth int)
		look = func(n *Node, depth int) {
			values++
			if n.Kind != Scalar && n.Kind != List && n.Kind != Mapping || n.Kind == Mapping && len(n.Content)%2 != 0 ||
				depth > MaxDepth+1 || values > MaxValues {
				t.Fatalf("kind %d with %d inside, %d deep, value %d", n.Kind, len(n.Content), depth, values)
			}
			for _, c := range n.Content {
				look(c, depth+1)
			}
		}
		look(n, 1)
	})
}
