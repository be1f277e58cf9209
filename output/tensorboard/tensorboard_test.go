package tensorboard

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/output/results"
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
		{make([]byte, 32), 0x8a9136aa}, {bytes.Repeat([]byte{0xff}, 32), 0x62a8ab43}, {ascending, 0x46dd794e},
		{[]byte("123456789"), 0xe3069283}, {nil, 0},
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
	version := appendEvent(nil, 0, 0, fileVersion, nil)
	if got, want := hex.EncodeToString(version), "090000000000000000"+"1a0d"+hex.EncodeToString(
		[]byte("brain.Event:2")); got != want {
		t.Errorf("version event %s, want %s", got, want)
	}
	// wall_time 300.0; step 300 = ac 02; summary of 10 bytes: value of 8: tag "a", simple_value
	// 1.5.
	event := appendEvent(nil, 300, 300, "", appendScalar(nil, Scalar{"a", 300, 1.5, 300}))
	if got, want := hex.EncodeToString(event),
		"090000000000c07240"+"10ac02"+"2a0a"+"0a08"+"0a0161"+"150000c03f"; got != want {
		t.Errorf("event %s, want %s", got, want)
	}
	if got, want := hex.EncodeToString(appendRecord(nil, nil)), "0000000000000000"+"29039807"+"d8ea82a2"; got != want {
		t.Errorf("empty record %s, want %s", got, want)
	}
}

func TestRoundTrip(t *testing.T) {
	in := []Scalar{{"a/b", 0, 1, 5}, {"c", 0, -2.5, 5}, {"a/b", 128, math.NaN(), 6}, {"a/b", 1 << 40, 0.1, 1.8e9},
		{"", 1 << 40, math.Inf(1), 1.8e9}}
	got, err := Decode(bytes.NewReader(Encode(in, &Session{Settings: []Setting{{"a", "1"}},
		Columns: []Column{{Setting{"a", "1"}, true}}, Start: 4, End: 1.8e9})))
	want := []Scalar{in[0], in[1], {"a/b", 1 << 40, float64(float32(0.1)), 1.8e9}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("read back %v, %v, want %v", got, err, want)
	}
}

// TestBrokenFiles names the record and the fault.
func TestBrokenFiles(t *testing.T) {
	whole := Encode([]Scalar{{"a", 1, 1, 0}}, nil)
	first := 12 + 24 + 4 // bytes of the version record
	change := func(at int) []byte { b := slices.Clone(whole); b[at] ^= 1; return b }
	for _, c := range []struct {
		why  string
		data []byte
		want string
	}{
		{"nothing", nil, "tensorboard: the file is empty, expected an event with its version"},
		{"a cut head", whole[:first+5], "tensorboard: record 1: the file ends inside a record's head"},
		{"cut data", whole[:len(whole)-1], "tensorboard: record 1: the file ends inside a record"},
		{"a changed length", change(first), "tensorboard: record 1: checksum of the length is "},
		{"changed data", change(first + 14), "tensorboard: record 1: checksum of the data is "},
		{"another version", appendRecord(nil, appendEvent(nil, 0, 0, "brain.Event:1", nil)),
			`tensorboard: record 0: file version is "brain.Event:1", expected "brain.Event:2"`},
		{"a cut field", append(slices.Clone(whole[:first]), appendRecord(nil, []byte{0x2a, 9})...),
			"tensorboard: record 1: field 5 is cut"},
		{"an unknown kind", append(slices.Clone(whole[:first]), appendRecord(nil, []byte{0x0b})...),
			"tensorboard: record 1: field 1 has the unknown kind 3"},
	} {
		if _, err := Decode(bytes.NewReader(c.data)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.why, err, c.want)
		}
	}
}

// FuzzDecode: no input makes the reader fall, and what it reads it reads again from what we write.
func FuzzDecode(f *testing.F) {
	f.Add(Encode([]Scalar{{"a", 1, 1, 7}, {"b", 1, 2, 7}, {"a", 2, 3, 8}},
		&Session{Settings: []Setting{{"hidden", "[64,64]"}, {"anneal", "true"}}, Start: 6, End: 8}))
	f.Add(Encode(nil, nil))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		for i := range got { // events of one step share a time, and a time may be no number
			got[i].Wall = 0
		}
		again, err := Decode(bytes.NewReader(Encode(got, nil)))
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
		c := results.Curve{Keys: results.Keys{Seed: seed}, Agent: "ppo", Update: i + 1, EnvSteps: 1024 * (i + 1),
			ReturnMean: -float64(i), Validation: math.NaN(), LR: 0.5}
		if i%2 == 0 {
			c.Validation = float64(seed)
		}
		out = append(out, c)
	}
	return out
}

// began is when the first update of a run began; each takes a quarter of a second.
const began = 1.8e9

// timed gives a run wall times and settings.
func timed(t *testing.T, run string, seed uint64) {
	t.Helper()
	var rows []results.Timing
	for i := range int64(4) {
		rows = append(rows, results.Timing{Wall: 0.25, EnvStepsPerS: 4096, Update: i + 1, EnvSteps: 1024 * (i + 1),
			Unix: began + 1000*float64(seed) + 0.25*float64(i+1)})
	}
	if err := results.Write(t.Context(), results.Target{Path: filepath.Join(run, "timing", "part-0.parquet"),
		Meta: results.NewMeta("", "", "")}, rows); err != nil {
		t.Fatal(err)
	}
	config := fmt.Sprintf(
		`{"agent": "ppo", "env": "e", "seed": %d, "hyperparameters": {"seed": %d, "gamma": 0.9%d, "hidden": [64, 64], "anneal": true}}`, seed, seed, seed)
	if err := os.WriteFile(filepath.Join(run, "config.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if seed == 1 { // it has ended
		if err := os.WriteFile(filepath.Join(run, results.ManifestName), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
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
		if err := results.Write(t.Context(), results.Target{Path: path, Meta: results.NewMeta("", "", "")},
			curves(uint64(i+1))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestExport(t *testing.T) {
	dir, out := folder(t), t.TempDir()
	got, err := Export(t.Context(), dir, out)
	want := []string{filepath.Join(out, "load=0.9", "seed=1", eventFile),
		filepath.Join(out, "load=0.9", "seed=2", eventFile)}
	if err != nil || !slices.Equal(got.Files, want) || !slices.Equal(got.Untimed,
		[]string{"load=0.9/seed=1", "load=0.9/seed=2"}) {
		t.Fatalf("%+v, %v, want %v", got, err, want)
	}
	scalars := decoded(t, want[1])
	if len(scalars) != 4*11-2+3 {
		t.Errorf("%d scalars, want 4 updates of 11 without 2 validations, and 3 at the end", len(scalars))
	}
	for _, want := range []Scalar{{"return/validation", 3072, 2, 0}, {"final/best_validation", 4096, 2, 0},
		{"final/return_mean", 4096, -3, 0}} {
		if !slices.Contains(scalars, want) {
			t.Errorf("no %v in %v", want, scalars)
		}
	}
	run := filepath.Join(dir, "cells", "load=0.9", "seed=1", "run")
	timed(t, run, 1)
	alone := t.TempDir()
	if got, err := Export(t.Context(), run, alone); err != nil || len(got.Files) != 1 ||
		got.Files[0] != filepath.Join(alone, eventFile) || got.Untimed != nil {
		t.Errorf("one run: %v, %v", got, err)
	}
	scalars = decoded(t, filepath.Join(alone, eventFile))
	for _, want := range []Scalar{{"return/validation", 3072, 1, began + 1000.75},
		{"train/steps_per_s", 1024, 4096, began + 1000.25}, {"final/wall_s", 4096, 1, began + 1001}} {
		if !slices.Contains(scalars, want) {
			t.Errorf("no %v in %v", want, scalars)
		}
	}
	again := t.TempDir()
	if _, err := Export(t.Context(), run, again); err != nil ||
		!slices.Equal(read(t, filepath.Join(again, eventFile)), read(t, filepath.Join(alone, eventFile))) {
		t.Errorf("two exports of one folder differ, %v", err)
	}
	if _, err := Export(t.Context(), t.TempDir(), out); err == nil ||
		!strings.Contains(err.Error(), "holds no curves, expected a folder of tarry train") {
		t.Errorf("an empty folder: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "cells.jsonl"), []byte(`{"id":"../../x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Export(t.Context(), dir, out); err == nil ||
		!strings.Contains(err.Error(), `cells.jsonl: cell 0: the id is "../../x"`) {
		t.Errorf("an id that leaves the folder: %v", err)
	}
}

// TestSeveralRuns: the runs of a folder, and of sweeps in it, are exported at once, named by their
// paths.
func TestSeveralRuns(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	if err := os.Rename(folder(t), filepath.Join(dir, "sweep")); err != nil {
		t.Fatal(err)
	}
	for _, seed := range []uint64{1, 2, 10} {
		run := filepath.Join(dir, "agent", fmt.Sprint(seed))
		if err := results.Write(t.Context(), results.Target{Path: filepath.Join(run, "curves", "part-0.parquet")},
			curves(seed)); err != nil {
			t.Fatal(err)
		}
		timed(t, run, seed)
	}
	got, err := Export(t.Context(), dir, out)
	var names []string
	for _, f := range got.Files {
		name, err := filepath.Rel(out, filepath.Dir(f))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, filepath.ToSlash(name))
	}
	want := []string{"agent/1", "agent/2", "agent/10", "sweep/load=0.9/seed=1", "sweep/load=0.9/seed=2"}
	if err != nil || !slices.Equal(names, want) || !slices.Equal(got.Untimed, want[3:]) {
		t.Errorf("%v, %q, without times %q, want %q", err, names, got.Untimed, want)
	}
}

// TestColumns: settings in which runs differ come first, and one that stands twice stands once.
func TestColumns(t *testing.T) {
	dir := t.TempDir()
	var runs []trained
	for _, seed := range []uint64{1, 2} {
		run := filepath.Join(dir, fmt.Sprint(seed))
		if err := os.MkdirAll(run, 0o700); err != nil {
			t.Fatal(err)
		}
		timed(t, run, seed)
		runs = append(runs, trained{dir: run})
	}
	columns, err := readSettings(runs)
	want := []Column{{Setting{"seed", "1"}, true}, {Setting{"gamma", "0.91"}, true},
		{Setting{"agent", `"ppo"`}, false}, {Setting{"env", `"e"`}, false},
		{Setting{"anneal", "true"}, false}, {Setting{"hidden", "[64,64]"}, false}}
	if err != nil || !slices.Equal(columns, want) {
		t.Errorf("%v, %v, want %v", columns, err, want)
	}
	if got := runs[1].settings; len(got) != len(want) || !slices.Contains(got, Setting{"gamma", "0.92"}) {
		t.Errorf("the second run has %v", got)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func decoded(t *testing.T, path string) []Scalar {
	t.Helper()
	scalars, err := Decode(bytes.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	return scalars
}

// python runs a program over a folder with TensorBoard's own code and reads its JSON.
func python(t *testing.T, program, dir string, into any) {
	t.Helper()
	py, err := filepath.Abs("../../build/venv/bin/python")
	if err == nil {
		_, err = os.Stat(py)
	}
	if err != nil {
		t.Skip("TensorBoard does not read the export: build/venv is absent (make venv creates it where Python 3 is " +
			"installed)")
	}
	if err := exec.Command(py, "-c", "import tensorboard").Run(); err != nil {
		t.Skip("TensorBoard does not read the export: it is not in build/venv (make venv installs it)")
	}
	cmd := exec.Command(py, "-c", program, dir)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	data, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
}

// TestTensorBoardReads: TensorBoard's own reader finds the same numbers at the same times.
func TestTensorBoardReads(t *testing.T) {
	dir, out := folder(t), t.TempDir()
	run := filepath.Join(dir, "cells", "load=0.9", "seed=2", "run")
	timed(t, run, 2)
	if _, err := Export(t.Context(), dir, out); err != nil {
		t.Fatal(err)
	}
	var got map[string][][3]float64
	python(t, `import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
a = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0})
a.Reload()
print(json.dumps({tag: [[e.step, e.value, e.wall_time] for e in a.Scalars(tag)] for tag in a.Tags()["scalars"]}))`,
		filepath.Join(out, "load=0.9", "seed=2"), &got)
	times, err := results.ReadDir[results.Timing](t.Context(), filepath.Join(run, "timing"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][][3]float64{}
	for _, s := range append(Scalars(curves(2), times), final(curves(2), times, times[3].Unix)...) {
		if !math.IsNaN(s.Value) {
			want[s.Tag] = append(want[s.Tag], [3]float64{float64(s.Step), float64(float32(s.Value)), s.Wall})
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

// TestTensorBoardShowsSettings: the tab of hyperparameters lists every run with its settings, its
// times and what it came to.
func TestTensorBoardShowsSettings(t *testing.T) {
	dir, out := folder(t), t.TempDir()
	for seed := range uint64(2) {
		timed(t, filepath.Join(dir, "cells", "load=0.9", fmt.Sprint("seed=", seed+1), "run"), seed+1)
	}
	if _, err := Export(t.Context(), dir, out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Columns, Metrics []string
		Runs             []struct {
			Name, Status string
			Start, End   float64
			HParams      map[string]any
			Metrics      map[string]float64
		}
	}
	python(t, `import json, sys
from tensorboard.backend.event_processing import data_provider, plugin_event_multiplexer
from tensorboard.data import provider
from tensorboard.plugins import base_plugin
from tensorboard.plugins.hparams import api_pb2, backend_context, list_session_groups
from tensorboard import context
m = plugin_event_multiplexer.EventMultiplexer().AddRunsFromDirectory(sys.argv[1])
m.Reload()
b = backend_context.Context(base_plugin.TBContext(data_provider=data_provider.MultiplexerDataProvider(m, sys.argv[1])))
c, any = context.RequestContext(), api_pb2.Status
e = b.experiment_from_metadata(c, "", True, b.hparams_metadata(c, ""), provider.ListHyperparametersResult(hyperparameters=[], session_groups=[]))
q = api_pb2.ListSessionGroupsRequest(start_index=0, slice_size=100, allowed_statuses=[any.STATUS_UNKNOWN, any.STATUS_SUCCESS, any.STATUS_FAILURE, any.STATUS_RUNNING])
runs = list_session_groups.Handler(c, b, "", q).run()
value = lambda v: getattr(v, v.WhichOneof("kind"))
print(json.dumps({"columns": [h.name + " " + api_pb2.DataType.Name(h.type) for h in e.hparam_infos], "metrics": [i.display_name for i in e.metric_infos],
  "runs": [{"name": s.name, "status": any.Name(s.status), "start": s.start_time_secs, "end": s.end_time_secs,
    "hparams": {k: value(v) for k, v in g.hparams.items()}, "metrics": {x.name.tag: x.value for x in s.metric_values}} for g in runs.session_groups for s in g.sessions]}))`, out, &got)
	if want := []string{"gamma DATA_TYPE_FLOAT64", "seed DATA_TYPE_FLOAT64", "agent DATA_TYPE_STRING",
		"anneal DATA_TYPE_BOOL", "env DATA_TYPE_STRING", "hidden DATA_TYPE_STRING"}; !slices.Equal(got.Columns, want) {
		t.Errorf("columns %q, want %q", got.Columns, want)
	}
	if len(got.Metrics) != 4 || got.Metrics[0] != "best return on validation" || len(got.Runs) != 2 {
		t.Fatalf("metrics %q, runs %+v", got.Metrics, got.Runs)
	}
	slices.SortFunc(got.Runs, func(a, b struct {
		Name, Status string
		Start, End   float64
		HParams      map[string]any
		Metrics      map[string]float64
	}) int {
		return strings.Compare(a.Name, b.Name)
	})
	one, two := got.Runs[0], got.Runs[1]
	if one.Name != "load=0.9/seed=1" || one.Status != "STATUS_SUCCESS" || two.Status != "STATUS_UNKNOWN" ||
		two.Start != began+2000 || two.End != began+2001 {
		t.Errorf("%+v", got.Runs)
	}
	if h := two.HParams; h["gamma"] != 0.92 || h["agent"] != "ppo" || h["anneal"] != true ||
		h["hidden"] != "[64,64]" || h["seed"] != 2.0 {
		t.Errorf("settings %v", h)
	}
	if m := two.Metrics; m["final/best_validation"] != 2 || m["final/return_mean"] != -3 ||
		m["final/env_steps"] != 4096 || m["final/wall_s"] != 1 {
		t.Errorf("metrics %v", m)
	}
}
