package live

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestStream writes a stream and reads it in two parts; half a line waits for its other half.
func TestStream(t *testing.T) {
	dir := t.TempDir()
	if err := Watch(dir); err == nil || Watched(dir) {
		t.Error("a folder without config.json is marked")
	}
	if news, err := Read(dir, nil, time.Now()); err != nil || len(news) != 0 {
		t.Errorf("without streams: %v, %v", news, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Watch(dir); err != nil || !Watched(dir) {
		t.Fatal(err)
	}
	s, err := Create(dir, "../key", &Head{Policy: "p"})
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, ".live", "other.jsonl")
	if err := os.WriteFile(other, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := Read(dir, nil, time.Now().Add(time.Minute))
	if err != nil || len(first) != 1 || len(first[0].Lines) != 1 || !(first[0].Age > 50) ||
		!strings.Contains(string(first[0].Lines[0]), `"policy":"p"`) {
		t.Fatalf("%+v, %v", first, err)
	}
	after := map[string]int64{first[0].Name: first[0].Next}
	if err := s.Step(&Step{Until: 7}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.file.WriteString(`{"until_s":`); err != nil {
		t.Fatal(err)
	}
	next, err := Read(dir, after, time.Now())
	if err != nil || len(next) != 1 || len(next[0].Lines) != 1 || !strings.Contains(string(next[0].Lines[0]), `"until_s":7`) {
		t.Errorf("%+v, %v", next, err)
	}
	if _, err := Read(dir, map[string]int64{first[0].Name: 1 << 40}, time.Now()); err == nil {
		t.Error("an offset behind the end is no error")
	}
	s.Close()
	if news, err := Read(dir, nil, time.Now()); err != nil || len(news) != 0 {
		t.Errorf("after the end: %+v, %v", news, err)
	}
	if err := Unwatch(dir); err != nil || Watched(dir) {
		t.Errorf("still watched, %v", err)
	}
}
