package models

import (
	"fmt"
	"strings"
	"testing"
)

const small = `name: tiny
aliases: [t, T2]
doc: a tiny model
reference: NVIDIA V100
batch: 32
params: 1000
mem_mib: 100
sources: ["measured by hand"]
layers:
  - {name: conv, forward_us: 1.5, input_grad_us: 2, weight_grad_us: 3, update_us: 4, bytes: 64}
  - name: fc
    forward_us: 10
`

func TestReadYAML(t *testing.T) {
	p, err := ReadYAML(strings.NewReader(small), "f")
	if err != nil {
		t.Fatal(err)
	}
	conv := Layer{Name: "conv", ForwardNS: 1500, InputGradNS: 2000, WeightGradNS: 3000, UpdateNS: 4000, Bytes: 64}
	if p.Name != "tiny" || len(p.Aliases) != 2 || p.Batch != 32 || p.Params != 1000 || p.MemMiB != 100 ||
		p.Reference != "NVIDIA V100" ||
		len(p.Sources) != 1 || p.Layers[0] != conv || p.Layers[1] != (Layer{Name: "fc", ForwardNS: 10000}) {
		t.Errorf("%+v", p)
	}
}

func TestReadYAMLErrors(t *testing.T) {
	with := func(old, new string) string { return strings.Replace(small, old, new, 1) }
	for _, c := range []struct{ why, in, want string }{
		{"nothing", "", "f: the file is empty, expected key: value"},
		{"only a mark", "---\n", "f:2:1: the file is empty, expected key: value"},
		{"only a comment", "# tiny\n", "f: the file is empty, expected key: value"},
		{"broken YAML", "a: [1", "f:1: did not find expected ',' or ']'"},
		{"a list", "- 1\n", "f:1:1: the file is a list, expected key: value"},
		{"typo", with("batch: 32", "bach: 32"),
			`f:5:1: unknown field "bach", expected one of aliases, batch, doc, layers, mem_mib, name, params, reference, sources; did you mean "batch"?`},
		{"twice", with("doc: a tiny model", "doc: a\ndoc: b"), "f:4:1: doc appears twice"},
		{"half a sample", with("batch: 32", "batch: 3.5"),
			`f:5:8: batch is "3.5", expected a whole number in 0..2147483647`},
		{"negative", with("params: 1000", "params: -1"),
			`f:6:9: params is "-1", expected a whole number in 0..1125899906842624`},
		{"aliases is a mapping", with("[t, T2]", "{t: T2}"), "f:2:10: aliases is a mapping, expected a list of names"},
		{"no name", with("name: tiny\n", ""), "f:1:1: name is empty, expected the model's name"},
		{"empty name", with("name: tiny", "name: ''"), "f:1:1: name is empty, expected the model's name"},
		{"layers is a word", small[:strings.Index(small, "layers")] + "layers: none\n",
			`f:9:9: layers is "none", expected a list with at least one entry`},
		{"a layer is a word", with("- name: fc\n    forward_us: 10", "- fc"),
			`f:11:5: layers[1] is "fc", expected key: value`},
		{"layer typo", with("    forward_us: 10", "    forward_ms: 10"),
			`f:12:5: unknown field "layers[1].forward_ms", expected one of bytes, forward_us, input_grad_us, name, update_us, weight_grad_us; did you mean "forward_us"?`},
		{"time is a word", with("forward_us: 10", "forward_us: ten"),
			`f:12:17: layers[1].forward_us is "ten", expected a number in 0..1e+12`},
		{"NaN", with("forward_us: 10", "forward_us: nan"),
			`f:12:17: layers[1].forward_us is "nan", expected a number in 0..1e+12`},
		{"bytes", with("bytes: 64", "bytes: 1e3"),
			`f:10:93: layers[0].bytes is "1e3", expected a whole number in 0..1125899906842624`},
		{"no layers", small[:strings.Index(small, "layers")], "f:1:1: no layers, expected at least one"},
		{"an alias", with("doc: a tiny model", "doc: &d x\nreference: *d"), "f:5:1: reference appears twice"},
		{"an alias in itself", with("[t, T2]", "&a [*a]"), "f:2: the alias *a stands inside what it names, expected " +
			"a value that ends"},
		{"two documents", small + "---\nname: b\n", "f:13: a second document, expected one"},
		{"all at once", with("batch: 32\nparams: 1000", "batch: x\nparams: y"), `f:5:8: batch is "x", expected a whole number in 0..2147483647
f:6:9: params is "y", expected a whole number in 0..1125899906842624`},
	} {
		_, err := ReadYAML(strings.NewReader(c.in), "f")
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n%v\nwant\n%s", c.why, err, c.want)
		}
	}
}

func FuzzReadYAML(f *testing.F) {
	f.Add(small)
	f.Add("name: x\nlayers: [{forward_us: 1}]")
	f.Add("a: &a [*a]")
	f.Fuzz(func(t *testing.T, in string) {
		p, err := ReadYAML(strings.NewReader(in), "f")
		if (p == nil) == (err == nil) {
			t.Fatalf("profile %v and error %v", p, err)
		}
		if err == nil && p.Validate() != nil {
			t.Fatalf("an accepted profile is not valid: %v", p.Validate())
		}
	})
}

func ExampleReadYAML() {
	p, err := ReadYAML(strings.NewReader("name: two\nlayers:\n  - {forward_us: 1, weight_grad_us: 1, bytes: 400}\n  "+
		"- {forward_us: 2, input_grad_us: 2, weight_grad_us: 2, bytes: 800}\n"), "two.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Name, p.Bytes(), p.ComputeNS())
	// Output: two 1200 8000
}
