package tensorboard

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/internal/results"
)

// TestChecksum holds the mask against values of RFC 3720, B.4, rotated by hand.
func TestChecksum(t *testing.T) {
	ascending := make([]byte, 32)
	for i := range ascending {
		ascending[i] = byte(i)
	}
	for _, c := range []struct {
		data []byte
		crc  uint32 // CRC-32C
	}{
		{make([]byte, 32), 0x8a9136aa}, {bytes.Repeat([]byte{0xff}, 32), 0x62a8ab43}, {ascending, 0x46dd794e}, {[]byte("123456789"), 0xe3069283}, {nil, 0},
	} {
		want := (c.crc>>15 | c.crc<<17) + 0xa282ead8
		if got := masked(c.data); got != want {
			t.Errorf("masked(%x) = %08x, want %08x", c.data, got, want)
		}
	}
}

// TestGoldenBytes: the version record of every TensorFlow event file but for its time, and an event
// encoded by hand from the protocol buffer's definition.
func TestGoldenBytes(t *testing.T) {
	version := appendEvent(nil, 0, fileVersion, nil)
	if got, want := hex.EncodeToString(version), "090000000000000000"+"1a0d"+hex.EncodeToString([]byte("brain.Event:2")); got != want {
		t.Errorf("version event %s, want %s", got, want)
	}
	// wall_time 300.0; step 300 = ac 02; summary of 10 bytes: value of 8: tag "a", simple_value 1.5.
	event := appendEvent(nil, 300, "", []Scalar{{"a", 300, 1.5}})
	if got, want := hex.EncodeToString(event), "090000000000c07240"+"10ac02"+"2a0a"+"0a08"+"0a0161"+"150000c03f"; got != want {
		t.Errorf("event %s, want %s", got, want)
	}
	if got, want := hex.EncodeToString(appendRecord(nil, nil)), "0000000000000000"+"29039807"+"d8ea82a2"; got != want {
		t.Errorf("empty record %s, want %s", got, want)
	}
}

func TestRoundTrip(t *testing.T) {
	in := []Scalar{{"a/b", 0, 1}, {"c", 0, -2.5}, {"a/b", 128, math.NaN()}, {"a/b", 1 << 40, 0.1}, {"", 1 << 40, math.Inf(1)}}
	got, err := Decode(bytes.NewReader(Encode(in)))
	want := []Scalar{in[0], in[1], {"a/b", 1 << 40, float64(float32(0.1))}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("read back %v, %v, want %v", got, err, want)
	}
}

// TestBrokenFiles names the record and the fault.
func TestBrokenFiles(t *testing.T) {
	whole := Encode([]Scalar{{"a", 1, 1}})
	first := 12 + 24 + 4 // bytes of the version record
	change := func(at int) []byte { b := slices.Clone(whole); b[at] ^= 1; return b }
	for _, c := range []struct {
		why  string
		data []byte
		want string
	}{
		{"nothing", nil, "tensorboard: the file is empty, expected an event that tells its version"},
		{"a cut head", whole[:first+5], "tensorboard: record 1: the file ends inside a record's head"},
		{"cut data", whole[:len(whole)-1], "tensorboard: record 1: the file ends inside a record"},
		{"a changed length", change(first), "tensorboard: record 1: checksum of the length is "},
		{"changed data", change(first + 14), "tensorboard: record 1: checksum of the data is "},
		{"another version", appendRecord(nil, appendEvent(nil, 0, "brain.Event:1", nil)), `tensorboard: record 0: file version is "brain.Event:1", expected "brain.Event:2"`},
		{"a cut field", append(slices.Clone(whole[:first]), appendRecord(nil, []byte{0x2a, 9})...), "tensorboard: record 1: field 5 is cut"},
		{"an unknown kind", append(slices.Clone(whole[:first]), appendRecord(nil, []byte{0x0b})...), "tensorboard: record 1: field 1 has the unknown kind 3"},
	} {
		if _, err := Decode(bytes.NewReader(c.data)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.why, err, c.want)
		}
	}
}

// FuzzDecode: no input makes the reader fall, and what it reads it reads again from what we write.
func FuzzDecode(f *testing.F) {
	f.Add(Encode([]Scalar{{"a", 1, 1}, {"b", 1, 2}, {"a", 2, 3}}))
	f.Add(Encode(nil))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		again, err := Decode(bytes.NewReader(Encode(got)))
		if err != nil {
			t.Fatalf("what was read cannot be read again: %v", err)
		}
		got = slices.DeleteFunc(got, func(s Scalar) bool { return math.IsNaN(s.Value) || math.IsInf(s.Value, 0) })
		if !slices.Equal(got, again) {
			t.Fatalf("read %v, then %v", got, again)
		}
	})
}

// FuzzRecord: the frame of a record gives back its data, and io.EOF at the end.
func FuzzRecord(f *testing.F) {
	f.Add([]byte("data"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bytes.NewReader(appendRecord(nil, data))
		got, err := readRecord(r)
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%x, %v", got, err)
		}
		if _, err := readRecord(r); !errors.Is(err, io.EOF) {
			t.Fatalf("at the end: %v", err)
		}
	})
}

// curves are rows of a training run; the second update has no validation.
func curves(seed uint64) []results.Curve {
	var out []results.Curve
	for i := range int64(4) {
		c := results.Curve{Keys: results.Keys{Seed: seed}, Agent: "ppo", Update: i + 1, EnvSteps: 1024 * (i + 1), ReturnMean: -float64(i), Validation: math.NaN(), LR: 0.5}
		if i%2 == 0 {
			c.Validation = float64(seed)
		}
		out = append(out, c)
	}
	return out
}

// folder writes a sweep of two cells with curves and one that waits.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var lines strings.Builder
	for _, id := range []string{"load=0.9/seed=1", "load=0.9/seed=2", "load=0.9/seed=3"} {
		lines.WriteString(`{"id":"` + id + `"}` + "\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "cells.jsonl"), []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, id := range []string{"load=0.9/seed=1", "load=0.9/seed=2"} {
		path := filepath.Join(dir, "cells", id, "run", "curves", "part-0.parquet")
		if err := results.Write(t.Context(), results.Target{Path: path, Meta: results.NewMeta("", "", "")}, curves(uint64(i+1))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestExport(t *testing.T) {
	dir, out := folder(t), t.TempDir()
	got, err := Export(t.Context(), dir, out)
	want := []string{filepath.Join(out, "load=0.9", "seed=1", eventFile), filepath.Join(out, "load=0.9", "seed=2", eventFile)}
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%v, %v, want %v", got, err, want)
	}
	data, err := os.ReadFile(want[1])
	if err != nil {
		t.Fatal(err)
	}
	scalars, err := Decode(bytes.NewReader(data))
	if err != nil || len(scalars) != 4*11-2 {
		t.Errorf("%d scalars, %v, want 4 updates of 11 without 2 validations", len(scalars), err)
	}
	if !slices.Contains(scalars, Scalar{"return/validation", 3072, 2}) {
		t.Errorf("no validation of 2 at step 3072 in %v", scalars)
	}
	run := filepath.Join(dir, "cells", "load=0.9", "seed=1", "run")
	alone := t.TempDir()
	if got, err := Export(t.Context(), run, alone); err != nil || len(got) != 1 || got[0] != filepath.Join(alone, eventFile) {
		t.Errorf("one run: %v, %v", got, err)
	}
	if _, err := Export(t.Context(), t.TempDir(), out); err == nil || !strings.Contains(err.Error(), "holds no curves, expected a folder of tarry train") {
		t.Errorf("an empty folder: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "cells.jsonl"), []byte(`{"id":"../../x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Export(t.Context(), dir, out); err == nil || !strings.Contains(err.Error(), `cells.jsonl: cell 0: the id is "../../x"`) {
		t.Errorf("an id that leaves the folder: %v", err)
	}
}

// TestTensorBoardReads: TensorBoard's own reader finds the same numbers.
func TestTensorBoardReads(t *testing.T) {
	py, err := filepath.Abs("../../build/venv/bin/python")
	if err == nil {
		_, err = os.Stat(py)
	}
	if err != nil {
		t.Skip("TensorBoard does not read the export: build/venv is absent (make venv creates it where Python 3 is installed)")
	}
	if err := exec.Command(py, "-c", "import tensorboard").Run(); err != nil {
		t.Skip("TensorBoard does not read the export: it is not in build/venv (make venv installs it)")
	}
	out := t.TempDir()
	if _, err := Export(t.Context(), folder(t), out); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(py, "-c", `import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
a = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0})
a.Reload()
print(json.dumps({tag: [[e.step, e.value, e.wall_time] for e in a.Scalars(tag)] for tag in a.Tags()["scalars"]}))`,
		filepath.Join(out, "load=0.9", "seed=2"))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	data, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	var got map[string][][3]float64
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string][][3]float64{}
	for _, s := range Scalars(curves(2)) {
		if !math.IsNaN(s.Value) {
			want[s.Tag] = append(want[s.Tag], [3]float64{float64(s.Step), float64(float32(s.Value)), float64(s.Step)})
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d tags, want %d", len(got), len(want))
	}
	for tag, w := range want {
		if !slices.Equal(got[tag], w) {
			t.Errorf("%s: %v, want %v", tag, got[tag], w)
		}
	}
}
