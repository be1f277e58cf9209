package jobfile

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tarry/traces/jobcell"
)

// writePages writes one table in LZ4_RAW and in zstd with pyarrow: 3 000 rows in two row groups and many
// pages, with NULL, texts with and without a dictionary, and values that do not compress.
const writePages = `
import sys, random, pyarrow as pa, pyarrow.parquet as pq
random.seed(1)
n = 3000
table = pa.table({
    "id": [f"job-{i}" + "x" * (i % 7) for i in range(n)],
    "submit_us": [i * 1000003 for i in range(n)],
    "gpus": pa.array([1 + i % 8 for i in range(n)], pa.int32()),
    "work_us": [random.getrandbits(33) + 1 for _ in range(n)],
    "user": [None if i % 5 == 0 else f"user{i % 11}" for i in range(n)],
    "model": [None] * n,
    "iter_s": [None if i % 3 else 1.5 for i in range(n)],
})
for version in ("1.0", "2.0"):
    for dictionary in (True, False):
        for codec in ("lz4", "zstd"):
            pq.write_table(table, f"{sys.argv[1]}/{version}-{dictionary}-{codec}.parquet", compression=codec,
                data_page_version=version, use_dictionary=dictionary, data_page_size=2000, row_group_size=2000,
                write_batch_size=100)
`

// Files of pyarrow in LZ4_RAW hold what the same files in zstd hold.
func TestLZ4AsZstd(t *testing.T) {
	dir := t.TempDir()
	pyarrow(t, writePages, dir)
	files := 0
	for _, version := range []string{"1.0", "2.0"} {
		for _, dictionary := range []string{"True", "False"} {
			var texts [2]string
			for i, codec := range []string{"lz4", "zstd"} {
				data, err := os.ReadFile(filepath.Join(dir, version+"-"+dictionary+"-"+codec+".parquet"))
				if err != nil {
					t.Fatal(err)
				}
				if texts[i], err = read(data); err != nil {
					t.Fatalf("version %s, dictionary %s, %s: %v", version, dictionary, codec, err)
				}
			}
			if files++; texts[0] != texts[1] || strings.Count(texts[0], ";") != 3000 {
				t.Errorf("version %s, dictionary %s: LZ4_RAW holds other jobs than zstd", version, dictionary)
			}
		}
	}
	if files != 4 {
		t.Errorf("%d files, expected 4", files)
	}
}

// A small file of pyarrow, whole and damaged at each byte: other values or an error, no panic.
func TestLZ4(t *testing.T) {
	data, err := os.ReadFile("testdata/lz4.parquet")
	if err != nil {
		t.Fatal(err)
	}
	const want = "a 0 1 10250000;b 1500000 2 0; 2 work_s NULL seconds > 0;c 2000000 4 30000000;"
	if got, err := read(data); err != nil || got != want {
		t.Errorf("got %q, error %v, expected %q", got, err, want)
	}
	for at := range data {
		for _, flip := range []byte{1, 0x15, 0xff} {
			bad := append([]byte(nil), data...)
			bad[at] ^= flip
			read(bad)
		}
	}
}

// FuzzPageHeader: a damaged head is an error or other numbers, and what is read of it is no longer
// than it is.
func FuzzPageHeader(f *testing.F) {
	data, err := os.ReadFile("testdata/lz4.parquet")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[4:])
	f.Add(binary.AppendUvarint([]byte{0x18}, 1<<63)) // a text that is longer than memory
	f.Add([]byte{0x1c, 0x1c, 0x1c, 0x1c, 0x1c, 0x1c, 0x1c, 0x1c, 0x1c, 0x1c, 0x1c, 0x1c, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		var h pageHeader
		n, err := h.parse(data)
		if n < 0 || n > len(data) || err == nil && n == 0 {
			t.Fatalf("%d of %d bytes, error %v", n, len(data), err)
		}
		for cut := range min(n, 100) { // what stands before the end of the head is not enough
			if _, err := new(pageHeader).parse(data[:cut]); err == nil {
				t.Fatalf("%d of %d bytes are a head, and %d", n, len(data), cut)
			}
		}
	})
}

const writeZones = `
import sys, datetime as d, pyarrow as pa, pyarrow.parquet as pq
for name, zone in (("naive", None), ("utc", "UTC"), ("zone", "America/New_York")):
    at = pa.array([d.datetime(2024, 3, 1, 8)], pa.timestamp("us", tz=zone))
    pq.write_table(pa.table({"id": ["a"], "submit_s": at, "gpus": [1], "work_s": [5]}), f"{sys.argv[1]}/{name}.parquet")
`

// A timestamp without a time zone is taken as UTC and is local, one with a zone is not. The files
// are of pyarrow, since Arrow v15 writes a timestamp without a zone as one of UTC.
func TestTimestampsWithoutZone(t *testing.T) {
	dir := t.TempDir()
	pyarrow(t, writeZones, dir)
	for name, want := range map[string]bool{"naive": true, "utc": false, "zone": false} {
		data, err := os.ReadFile(filepath.Join(dir, name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		var jobs jobcell.Jobs
		var h *jobcell.Header
		rows := 0
		err = ReadJobs(bytes.NewReader(data), Into{
			Match: func(columns, index []string) (_ *jobcell.Header, err error) {
				h, err = jobcell.Match(columns, "", index...)
				return h, err
			},
			Head: func(Head) error { return nil },
			Row: func(_ int, cell func(int) jobcell.Value) error {
				if _, faults := jobs.Row(h, cell); len(faults) > 0 {
					t.Errorf("%s: %v", name, faults)
				}
				rows++
				return nil
			}})
		if err != nil || rows != 1 || jobs.Local() != want {
			t.Errorf("%s is local: %v, %d rows, error %v", name, jobs.Local(), rows, err)
		}
	}
}

// pyarrow runs a script, with a folder as its argument; without pyarrow the test is skipped.
func pyarrow(t *testing.T, script, dir string) {
	t.Helper()
	python, err := filepath.Abs("../../build/venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(python, "-c", "import pyarrow").CombinedOutput(); err != nil {
		t.Skipf("pyarrow does not write the files: build/venv is absent (make venv): %v %s", err, out)
	}
	if out, err := exec.Command(python, "-c", script, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
