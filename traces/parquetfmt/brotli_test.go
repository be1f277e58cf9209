package parquetfmt

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"tarry/traces/intake"
)

// testdata/brotli.parquet is a file of pyarrow, with brotli's level 11 and without dictionaries:
// 400 jobs, whose users are words that brotli has a code for.
func brotli(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/brotli.parquet")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestBrotli: files of others in brotli are read; the program links a reader of its own choice for
// them (docs/explain/build.md).
func TestBrotli(t *testing.T) {
	words := strings.Fields("the people government information international development university without " +
		"language business")
	w, _, err := Parse("f", bytes.NewReader(brotli(t)), intake.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Jobs) != 400 {
		t.Fatalf("%d jobs, expected 400", len(w.Jobs))
	}
	for i, j := range w.Jobs {
		user := fmt.Sprintf("%s %s %d", words[i%10], words[i/10%10], i)
		if j.ID != fmt.Sprint("j", i) || int(j.Submit) != i*i*1000 || int(j.GPUs) != 1+i%8 ||
			int(j.Work) != 1+i*7919%100003 || j.User != user {
			t.Fatalf("job %d is %+v", i, j)
		}
	}
}

// TestBrotliDamaged: a file of which a byte is another is read or refused; nothing panics.
func TestBrotliDamaged(t *testing.T) {
	whole := brotli(t)
	refused := 0
	for at := 4; at < len(whole)-8; at += 7 {
		data := bytes.Clone(whole)
		data[at] ^= 0x5a
		if _, _, err := Parse("f", bytes.NewReader(data), intake.Options{Strict: true}); err != nil {
			refused++
		}
	}
	if refused == 0 {
		t.Error("no damaged file was refused")
	}
}
