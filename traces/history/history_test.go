package history

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
)

func TestParse(t *testing.T) {
	want := []sim.Time{1, 2500000, 3600 * sim.Second, 3600 * sim.Second, sim.Time(1e12) * sim.Second}
	for name, text := range map[string]string{
		"one column":  "gpu_s\n3600\n2.5\n1e12\n0.000001\n3600.0\n",
		"others too":  "job,gpu_s,user\na,3600,x\nb,2.5,\nc,1000000000000,y\nd,1e-6,z\ne,3600,z\n",
		"tabs, CRLF":  "gpu_s\tjob\r\n3600\ta\r\n\r\n2.5\tb\r\n1e12\tc\r\n0.000001\td\r\n3600\te\r\n",
		"BOM, quotes": "\ufeffgpu_s\n\"3600\"\n 2.5 \n1e12\n1e-6\n3600",
	} {
		got, err := Parse(name, strings.NewReader(text))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, want)
		}
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte("gpu_s\n7\n"))
	z.Close()
	path := filepath.Join(t.TempDir(), "sample.csv.gz")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(path); err != nil || len(got) != 1 || got[0] != 7*sim.Second {
		t.Errorf("compressed: %v, %v", got, err)
	}
}

func TestWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "f:1: the file is empty, expected a header with the columns gpu_s",
		"gpu_s\n":            "f: no jobs, expected at least one row with gpu_s",
		"gpu_seconds\n3\n":   `f:1: column "gpu_s" is missing, the header has "gpu_seconds"`,
		"3600\n7200\n":       `f:1: column "gpu_s" is missing, the header has "3600"`,
		"gpu_s,gpu_s\n1,2\n": `f:1: column "gpu_s" appears twice in the header`,
		"gpu_s\n1\n0\n-3\n": `f:3: column "gpu_s" is "0", expected GPU-seconds > 0 and at most 1e12` + "\n" +
			`f:4: column "gpu_s" is "-3", expected GPU-seconds > 0 and at most 1e12`,
		"gpu_s\nNaN\ninf\n": `f:2: column "gpu_s" is "NaN", expected GPU-seconds > 0 and at most 1e12` + "\n" +
			`f:3: column "gpu_s" is "inf", expected GPU-seconds > 0 and at most 1e12`,
		"gpu_s,job\n,a\n":          `f:2: column "gpu_s" is "", expected GPU-seconds > 0 and at most 1e12`,
		"gpu_s\n1e13\n":            `f:2: column "gpu_s" is "1e13", expected GPU-seconds > 0 and at most 1e12`,
		"gpu_s\n1,2\n":             "f:2: 2 fields, expected 1",
		"gpu_s\n1\x00\n":           `f:2: column "gpu_s" is "1\x00", expected GPU-seconds > 0 and at most 1e12`,
		"PAR1....":                 "f: is a Parquet file",
		"gpu_s\n\"3\n" + "4\n5\n":  "",
		strings.Repeat("a", 2<<20): "f:1: ",
	} {
		got, err := Parse("f", strings.NewReader(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) || got != nil {
			t.Errorf("%.40q: %v, error %v\nwant %s", text, got, err, want)
		}
	}
	if _, err := Parse("f", strings.NewReader("gpu_s\n"+strings.Repeat("x\n", 100))); err == nil ||
		strings.Count(err.Error(), "\n") != maxFaults-1 {
		t.Errorf("100 wrong rows: %v", err)
	}
	if _, err := Parse("f", strings.NewReader("gpu_s\n"+strings.Repeat("1\n", Most+5))); err == nil ||
		err.Error() != "f:1000002: more than 1000000 jobs, expected at most that many" {
		t.Errorf("too many rows: %v", err)
	}
	if _, err := Read(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is a folder, expected a file") {
		t.Errorf("a folder: %v", err)
	}
}

// Whatever is read is a sorted sample of positive services, or an error that names the file.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"gpu_s\n3600\n2.5\n", "job,gpu_s\na,1\n", "gpu_s\n0\n", "gpu_s\n\"1\n",
		"\ufeffgpu_s\r\n1\r\n", "PAR1", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Parse("f", strings.NewReader(text))
		switch {
		case err != nil && (got != nil || !strings.HasPrefix(err.Error(), "f:")):
			t.Errorf("%q: %v, error %v", text, got, err)
		case err == nil && (len(got) == 0 || got[0] <= 0 || !slices.IsSorted(got)):
			t.Errorf("%q: %v", text, got)
		}
	})
}
