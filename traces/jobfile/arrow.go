package jobfile

import (
	"bytes"
	"encoding/base64"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/parquet/metadata"

	"tarry/traces/columns"
)

// keySchema is where readers of Arrow look for what Parquet's own schema has no place for: units of
// columns, durations.
const keySchema = "ARROW:schema"

func encodeSchema(sc *arrow.Schema) (string, error) {
	var b bytes.Buffer
	if err := ipc.NewWriter(&b, ipc.WithSchema(sc)).Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// durations gives the units of the columns that the file's Arrow schema, where it has one, calls
// durations: Parquet itself has none.
func durations(kv metadata.KeyValueMetadata) (map[string]columns.Unit, error) {
	words := kv.FindValue(keySchema)
	if words == nil {
		return nil, nil
	}
	data, err := base64.StdEncoding.DecodeString(*words)
	if err != nil || len(data) == 0 { // some writers leave the padding out
		if data, err = base64.RawStdEncoding.DecodeString(*words); err != nil {
			return nil, fmt.Errorf("metadata %s: %w", keySchema, err)
		}
	}
	units, ok := durationsOf(data)
	if !ok {
		return nil, fmt.Errorf("metadata %s is no schema of Arrow: the file is damaged", keySchema)
	}
	return units, nil
}
