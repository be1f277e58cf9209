package results

import "context"

// Load reads the whole table that Write wrote to a target; columns that the folders tell
// are filled in from Target.Part. The file's own metadata is returned, not compared.
func Load[T Row](ctx context.Context, t Target) ([]T, Meta, error) {
	var rows []T
	meta, err := scanFile(ctx, t.Path, t.Part, func(part []T) error {
		rows = append(rows, part...)
		return nil
	})
	if err != nil {
		return nil, Meta{}, err
	}
	return rows, meta, nil
}
