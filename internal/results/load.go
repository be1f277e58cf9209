package results

import "context"

// ScanTarget reads the table that Write wrote to a target, in bounded memory as Scan does;
// columns that the folders tell are filled in from Target.Part. The file's own metadata is
// returned, not compared.
func ScanTarget[T Row](ctx context.Context, t Target, each func(rows []T) error) (Meta, error) {
	return scanFile(ctx, t.Path, t.Part, each)
}
