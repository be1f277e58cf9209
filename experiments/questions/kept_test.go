package questions

import (
	"reflect"
	"strings"
	"testing"

	"tarry/experiments/sweep"
)

// What a file states of where its answer is kept, key by key, and what is missing.
func TestKept(t *testing.T) {
	head, _, _ := strings.Cut(mine, "choose:")
	for name, c := range map[string]struct {
		text  string
		want  sweep.Kept
		fault string
	}{
		"nothing": {},
		"data": {text: "data:\n  - {out: build/a.csv, trace: \"csv:a\"}\n" +
			"  - {out: build/b.csv, trace: \"philly:b\", models: paper, vc: x, seed: 7}\n",
			want: sweep.Kept{Data: []sweep.Made{{Out: "build/a.csv", Trace: "csv:a", Seed: 1},
				{Out: "build/b.csv", Trace: "philly:b", Models: "paper", VC: "x", Seed: 7}}}},
		"data without out": {text: "data:\n  - {trace: \"csv:a\"}\n",
			fault: "data[0].out is missing, expected the file that is written"},
		"data without trace": {text: "data:\n  - {out: a}\n",
			fault: "data[0].trace is missing, expected FORMAT:FILE, which is converted"},
		"data of a negative seed": {text: "data:\n  - {out: a, trace: \"csv:a\", seed: -1}\n",
			fault: `data[0].seed is "-1", expected a whole number`},
		"data of something else": {text: "data:\n  - {out: a, trace: \"csv:a\", model: x}\n",
			fault: `unknown field "data[0].model", expected one of models, out, seed, trace, vc; did you mean`},
		"stored": {text: "stored:\n  folder: kept\n  sweeps: [mine-a, mine-b]\n  tables: [trials]\n" +
			"  more: {mine-a: [jobs]}\n  numbers: {jct: a.csv, ratio: b.csv}\n  weights: {mine-b: c.csv}\n",
			want: sweep.Kept{Folder: "kept", Sweeps: []string{"mine-a", "mine-b"}, Tables: []string{"trials"},
				More: map[string][]string{"mine-a": {"jobs"}}, Numbers: map[string]string{"jct": "a.csv", "ratio": "b.csv"},
				Weights: map[string]string{"mine-b": "c.csv"}}},
		"stored without a folder": {text: "stored: {tables: [trials]}\n",
			fault: "stored.folder is missing, expected the folder that has a folder for each sweep"},
		"stored without tables": {text: "stored: {folder: kept}\n",
			fault: "stored.tables is missing, expected a list of tables"},
		"numbers as a list": {text: "stored: {folder: kept, tables: [trials], numbers: [a.csv]}\n",
			fault: "stored.numbers is a list, expected"},
		"weights of a list": {text: "stored: {folder: kept, tables: [trials], weights: {mine-a: [a.csv]}}\n",
			fault: "stored.weights.mine-a is a list, expected"},
		"also":              {text: "also: [a.yaml, b.yaml]\n", want: sweep.Kept{Also: []string{"a.yaml", "b.yaml"}}},
		"also as a mapping": {text: "also: {a: b}\n", fault: "also is a mapping, expected"},
		"shown": {text: "pages: [a.md]\ncsv: tables\npictures: {jct: a.svg}\n",
			want: sweep.Kept{Pages: []string{"a.md"}, CSV: "tables", Pictures: map[string]string{"jct": "a.svg"}}},
	} {
		q, err := read(t, head+c.text)
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: %v, want %s", name, err, c.fault)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(q.Kept, c.want) {
			t.Errorf("%s: %+v, %v, want %+v", name, q.Kept, err, c.want)
		}
	}
}
