//go:build !js

package results

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"

	"tarry/internal/rundir"
)

// maxReadBytes bounds one allocation of the Parquet reader: a page. Only a broken
// file asks for more.
const maxReadBytes = 1 << 28

// Read reads a complete table.
func Read[T Row](ctx context.Context, path string) ([]T, Meta, error) {
	var rows []T
	meta, err := Scan(ctx, path, func(part []T) error {
		rows = append(rows, part...)
		return nil
	})
	if err != nil {
		return nil, Meta{}, err
	}
	return rows, meta, nil
}

// Scan reads a table in bounded memory and calls each with some rows at a time; the slice is
// reused. All columns that differ in name or type from T's are reported at once, and so are columns
// that T does not have; columns of axes are passed over, and a column that earlier versions did not
// write has its missing value. A broken file is an error that names it. An error of each ends the
// scan and is returned as it is.
func Scan[T Row](ctx context.Context, path string, each func(rows []T) error) (Meta, error) {
	return scanFile(ctx, path, nil, each)
}

// ReadDir reads every *.parquet file below root, in the order of their paths. Keys
// given by key=value folders are filled in. Names that start with "." or "_" are
// passed over, and so are files of other tables' names ("jobs.parquet") when T is
// another table. No file is an error.
func ReadDir[T Row](ctx context.Context, root string) ([]T, error) {
	var rows []T
	err := ScanDir(ctx, root, func(more []T) error {
		rows = append(rows, more...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// ScanDir reads what ReadDir reads, in bounded memory as Scan does.
func ScanDir[T Row](ctx context.Context, root string, each func(rows []T) error) error {
	files, err := tableFiles[T](root)
	if err != nil {
		return err
	}
	for _, path := range files {
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		part, err := ParsePartition(rel)
		if err != nil {
			return fmt.Errorf("results: read %s: %w", path, err)
		}
		if _, err = scanFile(ctx, path, part, each); err != nil {
			return err
		}
	}
	return nil
}

func tableFiles[T Row](root string) ([]string, error) {
	var zero T
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		hidden := path != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_"))
		switch {
		case hidden && d.IsDir():
			return filepath.SkipDir
		case hidden || d.IsDir() || filepath.Ext(name) != ".parquet":
			return nil
		}
		stem := strings.TrimSuffix(name, ".parquet")
		if stem == zero.Table() || !isTable(stem) {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("results: read table %s: %w", zero.Table(), err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("results: read table %s: no parquet file below %s", zero.Table(), root)
	}
	return files, nil
}

func isTable(name string) bool {
	for _, r := range []Row{Trial{}, Eval{}, Job{}, Interval{}, Sample{}, PowerSample{}, ServiceSample{}, Prediction{},
		Measure{}, Curve{}, Tune{}, Timing{}} {
		if r.Table() == name {
			return true
		}
	}
	return false
}

func scanFile[T Row](ctx context.Context, path string, part Partition, each func([]T) error) (Meta, error) {
	return scanUpTo(ctx, path, part, math.MaxInt64, each)
}

func scanUpTo[T Row](ctx context.Context, path string, part Partition, most int64, each func([]T) error) (Meta, error) {
	f, err := rundir.Open(path)
	if err != nil {
		return Meta{}, fmt.Errorf("results: read: %w", err)
	}
	defer f.Close()
	s := scanner[T]{ctx: ctx, each: each, most: most}
	meta, err := s.scan(f, part)
	if s.eachErr != nil {
		return Meta{}, s.eachErr
	}
	if err != nil {
		var zero T
		return Meta{}, fmt.Errorf("results: read table %s from %s: %w", zero.Table(), path, err)
	}
	return meta, nil
}

// source is what the Parquet reader needs of a file.
type source interface {
	io.ReaderAt
	io.Seeker
}

type scanner[T Row] struct {
	ctx     context.Context
	each    func([]T) error
	eachErr error
	inEach  bool
	most    int64 // rows that are read; a file that states it has more is refused
}

// scan reads all row groups. The Parquet reader panics on garbage: that becomes an error.
func (s *scanner[T]) scan(src source, part Partition) (meta Meta, err error) {
	defer func() {
		if s.inEach {
			return // a panic of the caller's own function passes
		}
		if r := recover(); r != nil {
			meta, err = Meta{}, fmt.Errorf("broken file: %v", r)
		}
	}()
	all, err := columnsOf[T]()
	if err != nil {
		return Meta{}, err
	}
	cols, keys, err := part.known(all).split(all)
	if err != nil {
		return Meta{}, err
	}
	props := parquet.NewReaderProperties(limitedMemory{memory.NewGoAllocator()})
	in, err := file.NewParquetReader(src, file.WithReadProps(props))
	if err != nil {
		return Meta{}, fmt.Errorf("not a complete Parquet file: %w", err)
	}
	var row T
	_, partial := any(row).(interface{ Partial() })
	at, err := match(in, cols, partial)
	if err != nil {
		return Meta{}, err
	}
	if err := s.checkRows(in); err != nil {
		return Meta{}, err
	}
	for i := range in.NumRowGroups() {
		if err := checkChunks(in, i, src); err != nil {
			return Meta{}, err
		}
		if err := s.group(in.RowGroup(i), cols, at, keys); err != nil {
			return Meta{}, fmt.Errorf("row group %d: %w", i, err)
		}
	}
	kv := in.MetaData().KeyValueMetadata()
	for _, e := range meta.entries() {
		if v := kv.FindValue(metaPrefix + e.key); v != nil {
			*e.value = *v
		}
	}
	return meta, nil
}

// known keeps the keys that are columns: a folder may give more than the table has.
func (p Partition) known(all []column) Partition {
	var out Partition
	for _, kv := range p {
		for _, c := range all {
			if c.name == kv.Key {
				out = append(out, kv)
			}
		}
	}
	return out
}

// match finds the file's column of each of ours, -1 for one that is not in files of earlier
// versions, and lists all differences. A partial row passes over the columns that it lacks.
func match(in *file.Reader, cols []column, partial bool) (at []int, err error) {
	var errs []error
	sc := in.MetaData().Schema
	used := map[int]bool{}
	for _, c := range cols {
		found := -1
		for i := range sc.NumColumns() {
			if sc.Column(i).Path() == c.name {
				found = i
			}
		}
		at = append(at, found)
		if found < 0 && c.later {
			continue
		}
		if found < 0 {
			errs = append(errs, fmt.Errorf("column %q is missing, want %v", c.name, c.kind))
			continue
		}
		used[found] = true
		if err := c.accepts(sc.Column(found)); err != nil {
			errs = append(errs, fmt.Errorf("column %q %w", c.name, err))
		}
	}
	for i := range sc.NumColumns() {
		if !used[i] && !partial && !strings.HasPrefix(sc.Column(i).Path(), axisPrefix) {
			errs = append(errs, fmt.Errorf("column %q is unknown", sc.Column(i).Path()))
		}
	}
	return at, errors.Join(errs...)
}

// checkChunks holds the sizes that the footer states against the file's, before
// the Parquet reader allocates by them.
func checkChunks(in *file.Reader, group int, src source) error {
	size, err := src.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	g := in.MetaData().RowGroup(group)
	for i := range g.NumColumns() {
		c, err := g.ColumnChunk(i)
		if err != nil {
			return err
		}
		start, n := c.DataPageOffset(), c.TotalCompressedSize()
		if c.HasDictionaryPage() && c.DictionaryPageOffset() > 0 {
			start = min(start, c.DictionaryPageOffset())
		}
		if start < 0 || n < 0 || start > size || n > size-start {
			return fmt.Errorf("broken file: row group %d, column %d claims bytes %d+%d of %d", group, i, start, n, size)
		}
	}
	return nil
}

// limitedMemory refuses allocations that only a broken file asks for.
type limitedMemory struct{ memory.Allocator }

func (m limitedMemory) Allocate(n int) []byte {
	if n > maxReadBytes {
		panic(fmt.Sprintf("a page claims %d bytes, want at most %d", n, maxReadBytes))
	}
	return m.Allocator.Allocate(n)
}

func (m limitedMemory) Reallocate(n int, b []byte) []byte {
	if n > maxReadBytes {
		panic(fmt.Sprintf("a page claims %d bytes, want at most %d", n, maxReadBytes))
	}
	return m.Allocator.Reallocate(n, b)
}
