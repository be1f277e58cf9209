package engine

import (
	"os/exec"
	"reflect"
	"strings"
	"testing"
)

func TestQuoteShell(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"plain", "plain"},
		{"a/b-c_d=e:1,2.5@%+", "a/b-c_d=e:1,2.5@%+"},
		{"", "''"},
		{"two words", "'two words'"},
		{"it's", `'it'\''s'`},
		{"$HOME", "'$HOME'"},
		{"~", "'~'"},
		{"a\nb", "'a\nb'"},
	} {
		if got := QuoteShell(c.word); got != c.want {
			t.Errorf("QuoteShell(%q) = %s, expected %s", c.word, got, c.want)
		}
	}
}

// TestQuoteWordsInShell asks a shell what it understood.
func TestQuoteWordsInShell(t *testing.T) {
	words := []string{"a", "", "two words", "it's", "$HOME `id` \\ \"x\"", "*", "~root", "#c", "line\nbreak", "-n", "ä"}
	out, err := exec.Command("sh", "-c", `printf '%s|' `+QuoteWords(words)).Output()
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Join(words, "|") + "|"; string(out) != want {
		t.Errorf("the shell read %q, expected %q", out, want)
	}
}

func TestRanges(t *testing.T) {
	for _, c := range []struct {
		numbers []int
		text    string
	}{
		{[]int{0}, "0"},
		{[]int{0, 1, 2, 3}, "0-3"},
		{[]int{0, 2, 4}, "0,2,4"},
		{[]int{5, 6, 9, 11, 12, 13}, "5-6,9,11-13"},
	} {
		if got := FormatRanges(c.numbers); got != c.text {
			t.Errorf("FormatRanges(%v) = %s, expected %s", c.numbers, got, c.text)
		}
		if got, err := ParseRanges(c.text); err != nil || !reflect.DeepEqual(got, c.numbers) {
			t.Errorf("ParseRanges(%s) = %v, %v, expected %v", c.text, got, err, c.numbers)
		}
	}
	if _, err := ParseRanges("3-1"); err == nil ||
		err.Error() != `cells "3-1", expected ascending ranges as in 0-7,12` {
		t.Errorf("ParseRanges(3-1): %v", err)
	}
}
