package jobfile

import (
	"bytes"
	"encoding/base64"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/parquet/file"
)

// keySchema is where readers of Arrow look for what Parquet's own schema has no place for: units of columns, durations.
const keySchema = "ARROW:schema"

func encodeSchema(sc *arrow.Schema) (string, error) {
	var b bytes.Buffer
	if err := ipc.NewWriter(&b, ipc.WithSchema(sc)).Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// arrowTypes gives what the file's Arrow schema, where it has one, calls its columns: Parquet itself has no durations.
func arrowTypes(pf *file.Reader) map[string]arrow.DataType {
	words := pf.MetaData().KeyValueMetadata().FindValue(keySchema)
	if words == nil {
		return nil
	}
	data, err := base64.StdEncoding.DecodeString(*words)
	if err != nil || len(data) == 0 { // some writers leave the padding out
		if data, err = base64.RawStdEncoding.DecodeString(*words); err != nil {
			return nil
		}
	}
	r, err := ipc.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	defer r.Release()
	types := map[string]arrow.DataType{}
	for _, f := range r.Schema().Fields() {
		types[f.Name] = f.Type
	}
	return types
}
