package linksref

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarry/fidelity/reference"
)

// tested lists forms that the tests of a package compare, since they need what it keeps to itself;
// make reference runs these tests after the comparers.
func tested() []struct {
	fields []string
	what   string
	by     string
} {
	return []struct {
		fields []string
		what   string
		by     string
	}{
		{[]string{"servers", "uplink", "slot_s", "jobs", "best", "relaxed", "greedy"}, "slots", "baselines/gadget"},
		{[]string{"alpha", "inside_gbps", "between_gbps", "cases"}, "batches", "baselines/sjfbco"},
		{[]string{"gradient_gb", "compute_s", "rows"}, "iterations", "baselines/sjfbco"},
	}
}

// TestedReader recognises folders of which every form is compared by tests.
func TestedReader() reference.Reader {
	return reference.Reader{Name: "tested", Knows: func(f *reference.Folder) bool {
		return slices.ContainsFunc(f.Files, func(name string) bool {
			_, what, _ := testedBy(f, name)
			return what != ""
		})
	}, Compare: func(_ context.Context, f *reference.Folder) (o reference.Outcome, err error) {
		for _, name := range f.Files {
			if n, what, by := testedBy(f, name); what != "" {
				o.Leave(what, name, n, "go test ./"+by+" compares them")
			}
		}
		return o, nil
	}}
}

// testedBy is how many things a file has, what they are, and the package whose tests compare them.
func testedBy(f *reference.Folder, name string) (n int, what, by string) {
	if !strings.HasSuffix(name, ".json") {
		return 0, "", ""
	}
	text, err := os.ReadFile(filepath.Join(f.Dir, name))
	if err != nil {
		return 0, "", ""
	}
	var list []map[string]json.RawMessage
	if json.Unmarshal(text, &list) != nil {
		list = make([]map[string]json.RawMessage, 1)
		if json.Unmarshal(text, &list[0]) != nil {
			return 0, "", ""
		}
	}
	for _, t := range tested() {
		if len(list) > 0 && !slices.ContainsFunc(t.fields, func(f string) bool { return list[0][f] == nil }) {
			n = len(list)
			for _, of := range []string{"cases", "rows"} {
				var inner []json.RawMessage
				if json.Unmarshal(list[0][of], &inner) == nil && len(inner) > 0 {
					n = len(inner)
				}
			}
			return n, t.what, t.by
		}
	}
	return 0, "", ""
}
