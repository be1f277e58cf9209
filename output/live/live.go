// Package live carries what a trial does while it runs from the program that runs it to the one
// that shows it (tarry watch), through a hidden folder of the results. The folder is also the sign
// that the run is watched: without it a trial writes nothing. What is written has no part in the
// results, and goes when the trial ends.
package live

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"tarry/internal/rundir"
)

// Head is the first line of a stream: the trial and its jobs.
type Head struct {
	Policy    string `json:"policy"`
	Replicate int64  `json:"replicate"`
	// From is when the stream begins, in seconds: later than the trial where the watch began later.
	From     float64   `json:"from_s"`
	Machines []Machine `json:"machines"`
	Jobs     []Job     `json:"jobs"`
}

// Machine is a machine with its GPUs, numbered through all machines in their order.
type Machine struct {
	Rack int    `json:"rack"`
	GPUs int    `json:"gpus"`
	Type string `json:"type"`
}

// Job is a job of the trial. Gone is when it ended before the stream began; nil = it did not.
type Job struct {
	ID     string   `json:"id"`
	User   string   `json:"user"`
	Model  string   `json:"model"`
	GPUs   int      `json:"gpus"`
	Submit float64  `json:"submit_s"`
	Gone   *float64 `json:"gone_s,omitempty"`
}

// Step is every further line: what ended since the line before, and what jobs hold now.
type Step struct {
	Until float64 `json:"until_s"`
	Ended []Span  `json:"ended"`
	Held  []Span  `json:"held"`
	// Gone are jobs that left without finishing: job, seconds.
	Gone [][2]float64 `json:"gone"`
}

// Span is an allocation; End and Ended are of ended ones.
type Span struct {
	Job   int      `json:"job"`
	Start float64  `json:"start_s"`
	End   *float64 `json:"end_s"`
	GPUs  [][2]int `json:"gpus"`
	Level string   `json:"level"`
	Ended string   `json:"ended,omitempty"`
}

// path is the hidden folder.
func path(dir string) string { return filepath.Join(dir, ".live") }

// Watch marks the folder of a run as watched; one that has no config.json yet is left alone.
func Watch(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "config.json")); err != nil {
		return err
	}
	return os.MkdirAll(path(dir), 0o755)
}

// Unwatch takes the mark away.
func Unwatch(dir string) error { return os.RemoveAll(path(dir)) }

// Watched reports whether the folder is marked.
func Watched(dir string) bool {
	info, err := os.Stat(path(dir))
	return err == nil && info.IsDir()
}

// Stream is the file of one trial.
type Stream struct{ file *os.File }

// Create begins the stream of a trial that key identifies.
func Create(dir, key string, head *Head) (*Stream, error) {
	sum := sha256.Sum256([]byte(key))
	file, err := os.Create(filepath.Join(path(dir), hex.EncodeToString(sum[:8])+".jsonl"))
	if err != nil {
		return nil, err
	}
	s := &Stream{file}
	if err := s.line(head); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Step appends a line.
func (s *Stream) Step(step *Step) error { return s.line(step) }

func (s *Stream) line(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = s.file.Write(append(data, '\n'))
	return err
}

// Close ends the stream and removes its file.
func (s *Stream) Close() {
	s.file.Close()
	os.Remove(s.file.Name()) // the folder may be gone already
}

// News is what a stream has gained behind an offset: complete lines, and the offset of the next.
type News struct {
	Name  string            `json:"name"`
	Next  int64             `json:"next"`
	Age   float64           `json:"age_s"` // since its last line; 0 = not known
	Lines []json.RawMessage `json:"lines"`
}

// most is how many bytes one answer takes of a stream.
const most = 16 << 20

var streamName = regexp.MustCompile(`^[0-9a-f]{16}\.jsonl$`)

// Read gives the news of the streams of a folder, each behind its offset in after, in the order of
// their names. Ages are as of now; the zero time leaves them out.
func Read(dir string, after map[string]int64, now time.Time) ([]News, error) {
	list, err := os.ReadDir(path(dir))
	if os.IsNotExist(err) {
		return []News{}, nil
	}
	if err != nil {
		return nil, err
	}
	out := []News{}
	for _, e := range list {
		if !streamName.MatchString(e.Name()) {
			continue
		}
		one, err := readOne(filepath.Join(path(dir), e.Name()), after[e.Name()], now)
		if os.IsNotExist(err) { // it ended meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

func readOne(file string, offset int64, now time.Time) (News, error) {
	out := News{Name: filepath.Base(file), Next: offset, Lines: []json.RawMessage{}}
	f, err := rundir.Open(file)
	if err != nil {
		return out, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return out, err
	}
	if !now.IsZero() {
		out.Age = now.Sub(info.ModTime()).Seconds()
	}
	if offset < 0 || offset > info.Size() {
		return out, fmt.Errorf("live: %s has %d bytes, expected at least %d", file, info.Size(), offset)
	}
	data := make([]byte, min(most, info.Size()-offset))
	n, err := f.ReadAt(data, offset)
	if n < len(data) && err != nil {
		return out, err
	}
	for {
		end := bytes.IndexByte(data, '\n')
		if end < 0 {
			return out, nil
		}
		if line := data[:end]; json.Valid(line) {
			out.Lines = append(out.Lines, line)
		}
		out.Next += int64(end) + 1
		data = data[end+1:]
	}
}
