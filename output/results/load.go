//go:build !js

package results

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v15/parquet/file"
)

// ScanTarget reads the table that Write wrote to a target, in bounded memory as Scan does; columns
// that the folders give are filled in from Target.Part. A file with more rows than most
// (math.MaxInt64 = as many as there are) is refused before one is read; the error wraps one with
// the method TooManyRows() (rows, most int64). The file's own metadata is returned, not compared.
func ScanTarget[T Row](ctx context.Context, t Target, most int64, each func(rows []T) error) (Meta, error) {
	return scanUpTo(ctx, t.Path, t.Part, most, each)
}

// tooManyRows is the error of ScanTarget for a file with more rows than its caller takes. A few
// kilobytes of Parquet can hold millions of equal rows.
type tooManyRows struct {
	rows, most int64
}

// Error names both numbers.
func (e *tooManyRows) Error() string { return fmt.Sprintf("%d rows, want at most %d", e.rows, e.most) }

// TooManyRows gives what the file's footer states and what was taken.
func (e *tooManyRows) TooManyRows() (rows, most int64) { return e.rows, e.most }

// checkRows counts the rows as the footer gives them, by row group.
func (s *scanner[T]) checkRows(in *file.Reader) error {
	rows := int64(0)
	for i := range in.NumRowGroups() {
		n := in.MetaData().RowGroup(i).NumRows()
		if n < 0 {
			return fmt.Errorf("broken file: row group %d claims %d rows", i, n)
		}
		if rows += n; rows > s.most || rows < 0 {
			return &tooManyRows{max(rows, in.NumRows()), s.most}
		}
	}
	return nil
}
