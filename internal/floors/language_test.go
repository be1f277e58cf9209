package floors

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// word is a word that a reader has to decode, and what to write instead.
type word struct {
	name, use, stem string         // every use has the stem, in small letters
	pattern         *regexp.Regexp // of a line in small letters
}

// plainWords is the table: names that only this project knew, figures of speech, and words with
// several meanings. It holds for comments, strings, identifiers, pages and scripts.
func plainWords() []word {
	var all []word
	for _, w := range [][4]string{
		{"rooms", "packages", "rooms", `\brooms\b`},
		{"house", "project, layout", "house", `\bhouse\b`},
		{"street", "layer", "street", `\bstreets?\b`},
		{"floors", "layers", "floors", `\b(the|our|nine|numbered|its) floors\b|\bfloors? (below|above)\b`},
		{"dice", "random draws, stream", "dice", `\bdice`},
		{"is told", "receives, reports, is given", "told", `\b(is|are|was|were|be|been|being) told\b`},
		{"tells", "reports, distinguishes, says", "tells", `\btells\b`},
		{"goes on", "resumes, continues", " on", `\b(goes|go|went|going|gone) on\b`},
		{"whoever", "the job that, the user who", "whoever", `\bwhoever\b`},
		{"moves no byte", "does not change results, bit-identical", "no ",
			`\b(moves?|moved|moving) no\b|\bno byte\b.{0,20}\bmove[sd]?\b`},
		{"dressed", "wrapped", "dressed", `\bdressed\b`},
		{"felt", "workload options", "felt", `\bfelt\b`},
		{"seat", "policy environment", "seat", `\bseat(s|ed|of)?\b`},
		{"fate", "outcome", "fate", `\bfates?\b`},
		{"MakeSaying", "a name that says what is made", "makesaying", `makesaying`},
		{"envc", "schedenv", "envc", `\benvc\b`},
	} {
		all = append(all, word{w[0], w[1], w[2], regexp.MustCompile(w[3])})
	}
	return all
}

// names is what the table does not mean: the package of these tests, and what Go and git call
// things.
var names = regexp.MustCompile(`internal/floors|package floors`)

// texts lists the files that people read, relative to the module root, with slashes.
func texts(t *testing.T) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(name, filepath.Join("..", "..")+string(filepath.Separator)))
		base := d.Name()
		if d.IsDir() {
			if base == "testdata" || slices.Contains([]string{".git", "build", "runs", "demo", "evaluation", "tuned"},
				rel) {
				return filepath.SkipDir
			}
			return nil
		}
		switch {
		case rel == "CHANGELOG.md" || rel == "internal/floors/language_test.go": // history, and the table
		case slices.Contains([]string{".go", ".md", ".yaml", ".sh", ".py"}, filepath.Ext(base)), base == "Makefile",
			base == "Containerfile", rel == ".ci/run":
			all = append(all, rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Fatalf("only %d texts found", len(all))
	}
	return all
}

// place is one use of a word.
type place struct {
	file, word, line string
	number           int
}

// decoded finds the words of the table in a text.
func decoded(table []word, file, text string) (found []place) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		plain := strings.ToLower(line)
		if strings.Contains(plain, "floors") {
			plain = names.ReplaceAllString(plain, "")
		}
		for _, w := range table {
			if strings.Contains(plain, w.stem) && w.pattern.MatchString(plain) {
				found = append(found, place{file, w.name, strings.TrimSpace(line), number})
			}
		}
	}
	return found
}

// TestWords keeps the table of words. testdata/words.txt lists the files that still have some, and
// how many; it may only get shorter: -update writes it.
func TestWords(t *testing.T) {
	const list = "testdata/words.txt"
	table, uses := plainWords(), map[string]string{}
	for _, w := range table {
		uses[w.name] = w.use
	}
	found := map[string][]place{}
	for _, file := range texts(t) {
		text, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range decoded(table, file, string(text)) {
			key := p.file + ": " + p.word
			found[key] = append(found[key], p)
		}
	}
	if *update {
		writeList(t, list, found)
		return
	}
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string]int{}
	for line := range strings.Lines(string(text)) {
		key, n, ok := strings.Cut(strings.TrimSpace(line), " = ")
		count := 0
		if _, err := fmt.Sscan(n, &count); err != nil || !ok {
			t.Fatalf("%s: %q, expected FILE: WORD = NUMBER", list, line)
		}
		allowed[key] = count
	}
	for key, places := range found {
		if len(places) <= allowed[key] {
			continue
		}
		for _, p := range places {
			t.Errorf("%s:%d: %q, write %s: %s", p.file, p.number, p.word, uses[p.word], p.line)
		}
	}
}

// writeList writes how often each file has each word.
func writeList(t *testing.T, path string, found map[string][]place) {
	t.Helper()
	var keys []string
	for key := range found {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	var b bytes.Buffer
	for _, key := range keys {
		fmt.Fprintf(&b, "%s = %d\n", key, len(found[key]))
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestWordsAreFound: each word of the table in a sentence, and sentences that have none.
func TestWordsAreFound(t *testing.T) {
	table := plainWords()
	for text, want := range map[string]string{
		"the rooms below":                    "rooms",
		"the house style":                    "house",
		"down the street":                    "street",
		"imports go down the floors":         "floors",
		"floors of 6 and 12 leases":          "",
		"dice := s.Stream(1)":                "dice",
		"the policy is told of an arrival":   "is told",
		"the view tells the free GPUs":       "tells",
		"the run goes on from there":         "goes on",
		"Whoever waits":                      "whoever",
		"workers moves no result":            "moves no byte",
		"No byte of a result moves":          "moves no byte",
		"a dressed environment":              "dressed",
		"func felt() [][2]string {":          "felt",
		"seat := seatOf(m)":                  "seat",
		"the fate of a job":                  "fate",
		"m.MakeSaying(id)":                   "MakeSaying",
		`envc "tarry/env/schedenv"`:          "envc",
		"go test ./internal/floors":          "",
		"moves numbers of that table":        "",
		"math.Floor(x); the floor of x":      "",
		"a job that waits continues at once": "",
	} {
		got := ""
		if found := decoded(table, "a.go", text); len(found) > 0 {
			got = found[0].word
		}
		if got != want {
			t.Errorf("%q: found %q, expected %q", text, got, want)
		}
	}
}
