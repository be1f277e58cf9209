package traces

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tarry/sim"
	"tarry/sim/tabular"
	"tarry/traces/csvfmt"
	"tarry/traces/jsonlfmt"
	"tarry/traces/parquetfmt"
)

// Write keeps a workload as tarry's CSV, Parquet or JSON lines. The target is csv:PATH, parquet:PATH,
// jsonl:PATH or a path that ends in .csv, .parquet, .jsonl or .ndjson; text may also end in .gz or .zst.
// The file is written beside, synced and renamed: under its name it is always whole.
func Write(target string, w *sim.Workload) error {
	format, path, err := Target(target)
	if err != nil {
		return err
	}
	switch format {
	case "parquet":
		return atomically(path, func(f io.Writer) error { return parquetfmt.Write(f, w) })
	case "jsonl":
		return atomically(path, func(f io.Writer) error { return compressed(path, f, w, jsonlfmt.Write) })
	}
	return atomically(path, func(f io.Writer) error { return compressed(path, f, w, csvfmt.Write) })
}

// Target gives the format and the path of what Write is given.
func Target(target string) (format, path string, err error) {
	format, path = writeFormat(target)
	if format == "" || path == "" {
		return "", "", fmt.Errorf("cannot write %q: expected csv:PATH, parquet:PATH, jsonl:PATH, or a path ending in .csv, "+
			".jsonl, the same with .gz or .zst, or .parquet", target)
	}
	return format, path, nil
}

func writeFormat(target string) (format, path string) {
	if f, p, ok := strings.Cut(target, ":"); ok && (f == "csv" || f == "parquet" || f == "jsonl") {
		return f, p
	}
	switch bare := strings.TrimSuffix(strings.TrimSuffix(target, ".gz"), ".zst"); {
	case strings.HasSuffix(bare, ".csv"):
		return "csv", target
	case strings.HasSuffix(bare, ".jsonl") || strings.HasSuffix(bare, ".ndjson"):
		return "jsonl", target
	case strings.HasSuffix(target, ".parquet"):
		return "parquet", target
	}
	return "", ""
}

// compressed writes text, compressed as the name states.
func compressed(path string, f io.Writer, w *sim.Workload, write func(io.Writer, *sim.Workload) error) error {
	ending := filepath.Ext(path)
	if ending != ".gz" && ending != ".zst" {
		ending = ""
	}
	z, err := tabular.Compress(f, ending)
	if err != nil {
		return err
	}
	return errors.Join(write(z, w), z.Close())
}

// atomically writes a file beside path, syncs it and renames it; on an error nothing
// is left behind.
func atomically(path string, write func(io.Writer) error) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	// the form of output/results, which removes what killed runs left
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".tmp-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("writing %s: %w", path, err)
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
