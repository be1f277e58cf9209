//go:build !js

package results

import (
	"bytes"
	"encoding/base64"
	"reflect"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
)

// arrowSchemaKey is where readers of Arrow look for what Parquet's own schema has no place for: the
// metadata of columns.
const arrowSchemaKey = "ARROW:schema"

// arrowSchema writes the columns as Arrow readers know them, with unit, description and the meaning
// of a missing value: pyarrow.parquet.read_schema(f).field("jct_s").metadata.
func arrowSchema(cols []column) (string, error) {
	fields := make([]arrow.Field, len(cols))
	for i, c := range cols {
		fields[i] = arrow.Field{Name: c.name, Type: c.arrowType(), Metadata: c.words()}
	}
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(arrow.NewSchema(fields, nil)))
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// words are the column's entries of the data dictionary.
func (c column) words() arrow.Metadata {
	var keys, values []string
	for _, kv := range c.pairs() {
		keys, values = append(keys, kv[0]), append(values, kv[1])
	}
	return arrow.NewMetadata(keys, values)
}

// pairs are the same as keys and values.
func (c column) pairs() (out [][2]string) {
	for _, kv := range [...][2]string{{"unit", c.unit}, {"description", c.doc}, {"missing", c.none}} {
		if kv[1] != "" {
			out = append(out, kv)
		}
	}
	return out
}

func (c column) arrowType() arrow.DataType {
	switch {
	case c.kind == reflect.Float64:
		return arrow.PrimitiveTypes.Float64
	case c.kind == reflect.Int32:
		return arrow.PrimitiveTypes.Int32
	case c.kind == reflect.Int64 || c.signed:
		return arrow.PrimitiveTypes.Int64
	case c.kind == reflect.Uint64:
		return arrow.PrimitiveTypes.Uint64
	}
	return arrow.BinaryTypes.String
}
