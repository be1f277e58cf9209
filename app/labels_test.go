package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Labels are in printed tables, in pictures and on the page; the tables of results have the same
// bytes with them and without.
func TestLabels(t *testing.T) {
	dir := t.TempDir()
	args := func(out string, policies ...string) []string {
		all := []string{"compare", "--trace", "synth:demo,jobs=30", "--cluster", "2x2x8", "--replicates", "2", "--out",
			out}
		for _, p := range policies {
			all = append(all, "--policy", p)
		}
		return all
	}
	with := good(t, dir, args("with", "dally:label=Dally 6,t_rack=6", "fifo")...)
	plain := good(t, dir, args("plain", "dally:t_rack=6", "fifo")...)
	if !strings.Contains(with.out, "Dally 6: dally:t_rack=6") || strings.Contains(plain.out, "Dally 6") {
		t.Errorf("printed:\n%s\n%s", with.out, plain.out)
	}
	for name, text := range textsOf(t, filepath.Join(dir, "plain")) {
		if got, err := os.ReadFile(filepath.Join(dir, "with", name)); err != nil || string(got) != text {
			t.Errorf("%s is another with labels (%v)", name, err)
		}
	}
	csv := good(t, dir, append(args("", "dally:label=Dally 6,t_rack=6", "fifo"), "--format", "csv")...)
	if !strings.HasPrefix(csv.out, "policy,label,knows,") || !strings.Contains(csv.out, "\ndally:t_rack=6,Dally 6,") ||
		!strings.Contains(csv.out, "\nfifo,,") {
		t.Errorf("CSV: %s", csv.out)
	}
	good(t, dir, "figures", "with", "--only", "jct_cdf,relative")
	for _, name := range []string{"jct_cdf", "relative"} {
		svg, err := os.ReadFile(filepath.Join(dir, "with/figures", name+".svg"))
		if err != nil || !strings.Contains(string(svg), ">Dally 6<") || strings.Contains(string(svg), "t_rack") {
			t.Errorf("%s.svg has not the label alone (%v)", name, err)
		}
		data, err := os.ReadFile(filepath.Join(dir, "with/figures", name+".csv"))
		if err != nil || !strings.Contains(string(data), "dally:t_rack=6") && name == "jct_cdf" {
			t.Errorf("%s.csv has not the policy (%v)", name, err)
		}
	}
	if svg, err := os.ReadFile(filepath.Join(dir, "with/figures/relative.svg")); err != nil ||
		!strings.Contains(string(svg), ">ratio to Dally 6, less is better<") {
		t.Errorf("the axis of ratios has another name (%v)", err)
	}
	good(t, dir, "report", "with", "--out", "with.html")
	page, err := os.ReadFile(filepath.Join(dir, "with.html"))
	if err != nil || !strings.Contains(string(page), `"name":"Dally 6"`) ||
		!strings.Contains(string(page), `Dally 6: dally:t_rack=6`) {
		t.Errorf("the page has no label (%v)", err)
	}
	twice := tarry(t, dir, args("other", "fifo:label=a", "fifo:label=b")...)
	if twice.code != 2 || !strings.Contains(twice.errors, `policy "fifo" is given twice`) {
		t.Errorf("one policy under two labels: %d %s", twice.code, twice.errors)
	}
}

// A sweep's cells have the same names and bytes with labels.
func TestLabelsOfASweep(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(fewCells, "values: [fifo", `values: ["fifo:label=First come"`, 1)
	good(t, dir, "sweep", sweepFile(t, dir, text), "--out", "with", "--jobs", "1")
	good(t, dir, "sweep", sweepFile(t, dir, fewCells), "--out", "plain", "--jobs", "1")
	for _, name := range []string{"cells.jsonl", "sweep.json"} {
		a, err := os.ReadFile(filepath.Join(dir, "with", name))
		b, err2 := os.ReadFile(filepath.Join(dir, "plain", name))
		if err != nil || err2 != nil || string(a) != string(b) {
			t.Errorf("%s is another with labels: %v %v", name, err, err2)
		}
	}
	good(t, dir, "figures", "with", "--only", "jct_cdf")
	svg, err := os.ReadFile(filepath.Join(dir, "with/figures/jct_cdf.svg"))
	if err != nil || !strings.Contains(string(svg), ">First come<") {
		t.Errorf("the picture has no label: %v", err)
	}
}

// textsOf reads the files below a folder by their path.
func textsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[name] = string(text)
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("%d files: %v", len(out), err)
	}
	return out
}
