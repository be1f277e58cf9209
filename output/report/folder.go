package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"tarry/internal/rundir"
	"tarry/output/results"
)

// sweepFile is what the page needs of sweep.json.
type sweepFile struct {
	Name     string `json:"name"`
	Question string `json:"question"`
	Kind     string `json:"kind"`
}

// sweepCell is one line of cells.jsonl.
type sweepCell struct {
	ID   string `json:"id"`
	Seed uint64 `json:"seed"`
}

// status is the file STATUS of a cell; State "" = waiting.
type status struct {
	State    string `json:"state"`
	Attempts int    `json:"attempts"`
	Exit     int    `json:"exit"`
	Error    string `json:"error"`
	// ManifestSHA256 is the hash of the manifest of a cell that is done; "" = an earlier version.
	ManifestSHA256 string `json:"manifest_sha256"`
}

// axisValue is one axis of a cell.
type axisValue struct{ Name, Value string }

// axes are the settings in the cell's id, in the order of the sweep's axes; the seed is not one.
func (c *sweepCell) axes() ([]axisValue, error) {
	parts, err := results.ParsePartition(c.ID)
	if err != nil {
		return nil, fmt.Errorf("id of the cell: %w", err)
	}
	var out []axisValue
	for _, p := range parts {
		if p.Key != "seed" {
			out = append(out, axisValue{p.Key, p.Value})
		}
	}
	return out, nil
}

// readSweep reads what a sweep is about and its cells.
func readSweep(dir string) (sweepFile, []sweepCell, error) {
	var s sweepFile
	data, err := rundir.ReadFile(filepath.Join(dir, "sweep.json"))
	if err != nil {
		return s, nil, fmt.Errorf("report: %w", err)
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, nil, fmt.Errorf("report: %s: %w", filepath.Join(dir, "sweep.json"), err)
	}
	path := filepath.Join(dir, "cells.jsonl")
	f, err := rundir.Open(path)
	if err != nil {
		return s, nil, fmt.Errorf("report: %w", err)
	}
	defer f.Close()
	var cells []sweepCell
	d := json.NewDecoder(bufio.NewReaderSize(f, 1<<16))
	for {
		var c sweepCell
		if err := d.Decode(&c); errors.Is(err, io.EOF) {
			return s, cells, nil
		} else if err != nil {
			return s, nil, fmt.Errorf("report: %s: cell %d: %w", path, len(cells), err)
		}
		if c.ID == "" || !filepath.IsLocal(filepath.FromSlash(c.ID)) {
			return s, nil, fmt.Errorf("report: %s: cell %d has the id %q, expected key=value/...", path, len(cells),
				c.ID)
		}
		cells = append(cells, c)
	}
}

// readStatus reads a cell's STATUS and gives its bytes and its mark too; absent = waiting. The mark
// is of the open file: a sweep has many cells, and finding a path takes the time.
func readStatus(dir string) (s status, text string, m mark, err error) {
	m.path = filepath.Join(dir, "STATUS")
	f, err := rundir.Open(m.path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, "", m, nil
	}
	if err != nil {
		return s, "", markOf(m.path), fmt.Errorf("%s: %w", m.path, err)
	}
	defer f.Close()
	if m.info, err = f.Stat(); err == nil && m.info.IsDir() {
		m = markOf(m.path)
	}
	var data []byte
	if err == nil {
		data, err = io.ReadAll(f)
	}
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return s, "", m, fmt.Errorf("%s: %w", m.path, err)
	}
	return s, string(data), m, nil
}

// What is shown of a log.
const (
	logLines = 20
	logBytes = 4 << 10
)

// logTail gives the last lines of a cell's log, "" when there is none.
func logTail(dir string) string {
	f, err := rundir.Open(filepath.Join(dir, "log"))
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > logBytes {
		if _, err := f.Seek(-logBytes, io.SeekEnd); err != nil {
			return ""
		}
	}
	data, err := io.ReadAll(io.LimitReader(f, logBytes))
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimRight(strings.ToValidUTF8(string(data), "?"), "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-logLines):], "\n")
}

// pretty indents JSON; other text stays as it is. What is very long is cut.
func pretty(data []byte) string {
	const most = 100 << 10
	var b bytes.Buffer
	if json.Indent(&b, bytes.TrimSpace(data), "", "  ") == nil {
		data = b.Bytes()
	}
	if len(data) > most {
		return strings.ToValidUTF8(string(data[:most]), "") + fmt.Sprintf("\n... %d more bytes", len(data)-most)
	}
	return string(data)
}
