package models

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"tarry/internal/sharedata"
)

const tiny = "DATA\r\n2\r\nconv\t-1\t1000\tNONE\t0\t3000\tNONE\t0\t2001.9\tALLREDUCE\t64\t500\r\n" +
	"1234567fc\t-1\t7\tNONE\t0\t8\tNONE\t0\t9\tNONE\t0\t0\n1234567"

func TestReadASTRA(t *testing.T) {
	p, err := ReadASTRA(strings.NewReader(tiny), "dir/Tiny.txt", 0.5)
	if err != nil {
		t.Fatal(err)
	}
	conv := Layer{Name: "conv", ForwardNS: 500, InputGradNS: 1500, WeightGradNS: 1000, UpdateNS: 500, Bytes: 64}
	fc := Layer{Name: "fc", ForwardNS: 3, InputGradNS: 4, WeightGradNS: 4}
	if p.Name != "tiny" || len(p.Layers) != 2 || p.Layers[0] != conv || p.Layers[1] != fc || p.Params != 16 ||
		p.ComputeNS() != 1511 {
		t.Errorf("%+v", p)
	}
	want := `dir/Tiny.txt: digits ("1234567") are glued to 1 names; they were cut off
dir/Tiny.txt: a lone number stands among the layers; it was skipped`
	if got := strings.Join(p.Warnings, "\n"); got != want {
		t.Errorf("warnings\n%s\nwant\n%s", got, want)
	}
}

func TestReadASTRAWarnsOfTheLayerCount(t *testing.T) {
	p, err := ReadASTRA(strings.NewReader(strings.Replace(tiny, "\n2\r", "\n9\r", 1)), "f", 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := "f: declares 9 layers and holds 2; the 2 were read"; p.Warnings[0] != want {
		t.Errorf("warning %q, want %q", p.Warnings[0], want)
	}
}

func TestReadASTRAErrors(t *testing.T) {
	line := func(change ...string) string {
		return "DATA\n1\n" + strings.NewReplacer(change...).Replace("fc -1 10 NONE 0 20 NONE 1 30 ALLREDUCE 40 50") +
			"\n"
	}
	for _, c := range []struct{ why, in, want string }{
		{"nothing", "", "f:1: file ends, expected DATA, the number of layers and the layers"},
		{"another parallelism", "MODEL\n1\n", `f:1: header is "MODEL", expected DATA (a data-parallel workload)`},
		{"count is a word", "DATA\nmany\n", `f:2: number of layers is "many", expected a whole number >= 1`},
		{"count is 0", "DATA\n0\n", `f:2: number of layers is "0", expected a whole number >= 1`},
		{"no layers", "DATA\n3\n", "f:2: no layers, expected at least one"},
		{"a field short", line(" 50", ""), "f:3: 11 fields, expected 12 (name, dependency, three times compute, " +
			"type and bytes, update)"},
		{"compute is a word", line(" 10 ", " ten "), `f:3: forward compute is "ten", expected nanoseconds, 0..1e15`},
		{"negative compute", line(" 20 ", " -20 "),
			`f:3: input-gradient compute is "-20", expected nanoseconds, 0..1e15`},
		{"not a number", line(" 30 ", " NaN "), `f:3: weight-gradient compute is "NaN", expected nanoseconds, 0..1e15`},
		{"infinite update", line(" 50", " Inf"), `f:3: update time is "Inf", expected nanoseconds, 0..1e15`},
		{"half a byte", line(" 40 ", " 40.5 "),
			`f:3: weight-gradient bytes is "40.5", expected a whole number, 0..2^50`},
		{"forward exchange", line("NONE 0", "ALLREDUCE 8"),
			`f:3: forward communication is "ALLREDUCE", expected NONE (data parallelism reduces weight gradients only)`},
		{"gradient exchange", line("NONE 1", "ALLTOALL 8"),
			`f:3: input-gradient communication is "ALLTOALL", expected NONE (data parallelism reduces weight gradients only)`},
		{"unknown collective", line("ALLREDUCE", "BROADCAST"),
			`f:3: weight-gradient communication is "BROADCAST", expected ALLREDUCE or NONE`},
		{"all at once", line(" 10 ", " x ", " 40 ", " y "), "f:3: forward compute is \"x\", expected nanoseconds, " +
			"0..1e15\nf:3: weight-gradient bytes is \"y\", expected a whole number, 0..2^50"},
		{"no compute", line(" 10 ", " 0 ", " 20 ", " 0 ", " 30 ", " 0 "),
			"f:3: no compute at all, expected some time > 0"},
	} {
		_, err := ReadASTRA(strings.NewReader(c.in), "f", 1)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n%v\nwant\n%s", c.why, err, c.want)
		}
	}
	for _, scale := range []float64{0, -1} {
		if _, err := ReadASTRA(strings.NewReader(tiny), "f", scale); err == nil {
			t.Errorf("scale %v is accepted", scale)
		}
	}
}

// The two files whose headers are wrong are marked so; compute is as the published grid counts it.
func TestLoadPaper(t *testing.T) {
	ps, err := LoadPaper(sharedata.Path(t, "profiles/astra-sim"))
	if err != nil {
		t.Fatal(err)
	}
	set := NewSet(ps...)
	for name, want := range map[string]struct {
		layers int
		us     float64
		warn   string
	}{
		"ResNet50": {54, 11646.65, "glued"}, "ResNet18": {21, 149.48, "glued"},
		"MobileNetV3": {52, 52.88, "declares 54 layers and holds 52"},
		"BERT":        {66, 1703.39, "declares 145 layers and holds 66"}, "AlexNet": {8, 1032.34, "glued"},
		"VGG": {11, 3631.74, "glued"},
	} {
		p, err := set.Lookup(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if us := p.ComputeNS() / 1e3; len(p.Layers) != want.layers || us < want.us-0.006 || us > want.us+0.006 {
			t.Errorf("%s: %d layers, %.3f us, want %d, %.2f", name, len(p.Layers), us, want.layers, want.us)
		}
		if !strings.Contains(strings.Join(p.Warnings, "\n"), want.warn) {
			t.Errorf("%s: warnings %q, want %q", name, p.Warnings, want.warn)
		}
		for _, l := range p.Layers {
			if digitPrefix(l.Name) > 0 {
				t.Errorf("%s: layer %q keeps its digits", name, l.Name)
			}
		}
	}
	for file, layers := range map[string]int{"ResNet50.txt": 54, "VGG.txt": 11} {
		p, err := readFile(filepath.Join(sharedata.Path(t, "profiles/astra-sim"), file),
			func(r io.Reader, f string) (*Profile, error) { return ReadASTRA(r, f, 1) })
		if err != nil || len(p.Layers) != layers || len(p.Warnings) != 0 {
			t.Errorf("%s: %+v, %v, want %d layers and no warning", file, p, err, layers)
		}
	}
	if _, err := LoadPaper(t.TempDir()); err == nil || strings.Count(err.Error(), "\n") != 5 {
		t.Errorf("an empty folder: %v, want six faults", err)
	}
}

func FuzzReadASTRA(f *testing.F) {
	f.Add(tiny, 0.5)
	f.Add("DATA\n1\nfc -1 10 NONE 0 20 NONE 1 30 ALLREDUCE 40 50\n", 1.0)
	f.Add("DATA\n", 1.0)
	f.Fuzz(func(t *testing.T, in string, scale float64) {
		p, err := ReadASTRA(strings.NewReader(in), "f", scale)
		if (p == nil) == (err == nil) {
			t.Fatalf("profile %v and error %v", p, err)
		}
		if err == nil && p.Validate() != nil {
			t.Fatalf("an accepted profile is not valid: %v", p.Validate())
		}
	})
}
