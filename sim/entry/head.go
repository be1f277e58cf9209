package entry

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarry/sim/tabular"
)

// Head is the beginning of a file or folder, by which formats recognise it.
type Head struct {
	// Name is the last part of its path in lower case, without .gz or .zst.
	Name string
	// Files are the names in a folder; nil = it is a file.
	Files []string
	// Text is the first 64 KiB of a file, without compression and byte-order mark.
	Text string
}

// Line is the first line that is not empty and does not begin with a semicolon; "" = there is none.
func (h *Head) Line() string {
	for line := range strings.Lines(h.Text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != ';' {
			return line
		}
	}
	return ""
}

// Has reports whether the first line names columns, in any order.
func (h *Head) Has(columns ...string) bool {
	var have []string
	for name := range strings.SplitSeq(h.Line(), ",") {
		have = append(have, strings.Trim(name, "\" \t"))
	}
	for _, c := range columns {
		if !slices.Contains(have, c) {
			return false
		}
	}
	return true
}

// Lists reports whether the text is a JSON list or object in which keys stand.
func (h *Head) Lists(keys ...string) bool {
	line := h.Line()
	if line == "" || line[0] != '[' && line[0] != '{' {
		return false
	}
	for _, k := range keys {
		if !strings.Contains(h.Text, `"`+k+`"`) {
			return false
		}
	}
	return true
}

// ParquetMagic begins every Parquet file, ArrowMagic every Arrow IPC file and ArrowStream every Arrow
// stream; they are all of the file's Head.Text.
const (
	ParquetMagic = "PAR1"
	ArrowMagic   = "ARROW1"
	ArrowStream  = "\xff\xff\xff\xff"
)

// head reads the beginning of a path.
func head(path string) (Head, error) {
	name := strings.ToLower(filepath.Base(path))
	h := Head{Name: strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")}
	f, err := os.Open(path)
	if err != nil {
		return h, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return h, err
	} else if info.IsDir() {
		h.Files, err = f.Readdirnames(-1)
		slices.Sort(h.Files)
		return h, err
	}
	begin := make([]byte, len(ArrowMagic))
	n, _ := io.ReadFull(f, begin)
	for _, magic := range []string{ParquetMagic, ArrowMagic, ArrowStream} {
		if bytes.HasPrefix(begin[:n], []byte(magic)) {
			h.Text = magic
			return h, nil
		}
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return h, nil // a pipe: what was read is gone, nothing is recognised
	}
	in, err := tabular.Decode(path, f)
	if err != nil {
		return h, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, 1<<16))
	h.Text = string(bytes.ToValidUTF8(text, nil))
	return h, err
}

// Candidates lists the formats that a file or folder may have, by its name and beginning.
func (c Traces) Candidates(path string) ([]Trace, error) {
	h, err := head(path)
	if err != nil {
		return nil, err
	}
	var out []Trace
	for _, f := range c {
		if f.Fits != nil && f.Fits(&h) {
			out = append(out, f)
		}
	}
	return out, nil
}

// Recognise gives the one format that a file or folder may have. The error lists the candidates
// where there are several, and all formats where there is none.
func (c Traces) Recognise(path string) (Trace, error) { return c.recognise(path, false) }

// recognise is Recognise; of a table whose columns are mapped, by how its name ends.
func (c Traces) recognise(path string, mapped bool) (Trace, error) {
	found, err := c.Candidates(path)
	if mapped && err == nil {
		found = slices.DeleteFunc(slices.Clone(c), func(f Trace) bool {
			return !slices.ContainsFunc(f.Table, func(end string) bool { return strings.HasSuffix(path, end) })
		})
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Trace{}, fmt.Errorf("trace %q: no such file, expected a file, or FORMAT:PATH with FORMAT one of %s",
			path, strings.Join(c.names(), ", "))
	case err != nil:
		return Trace{}, fmt.Errorf("trace %w", err)
	case len(found) == 0:
		return Trace{}, fmt.Errorf("trace %q: its name and first lines fit no format, expected FORMAT:PATH "+
			"with FORMAT one of %s; of a table of your own csv:PATH states which columns it lacks, and --trace-columns "+
			"gpus=NAME,... maps others", path, strings.Join(c.names(), ", "))
	case len(found) > 1:
		return Trace{}, fmt.Errorf("trace %q: its name and first lines fit %s, expected FORMAT:PATH with "+
			"one of these", path, strings.Join(Traces(found).names(), " and "))
	}
	return found[0], nil
}

func (c Traces) names() []string {
	out := make([]string, len(c))
	for i, f := range c {
		out[i] = f.Name
	}
	return out
}
