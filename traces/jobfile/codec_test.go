package jobfile

import (
	"bytes"
	"encoding/base64"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet/file"
)

// The files of testdata were written by pyarrow.

func TestByteStreamSplit(t *testing.T) {
	const want = "a 0 1 10250000;b 1500000 2 0; 2 work_s NULL seconds > 0;c 2000000 4 30000000;"
	for _, name := range []string{"split1", "split2"} { // pages of version 1 and 2
		data, err := os.ReadFile("testdata/" + name + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := read(data); err != nil || got != want {
			t.Errorf("%s gives %q, error %v, expected %q", name, got, err, want)
		}
		for at := range data { // an error or other values, but never a panic
			bad := append([]byte(nil), data...)
			bad[at] ^= 0x15
			read(bad)
		}
	}
}

// A file that is damaged anywhere ends in an error or in other values, and it ends: Arrow's
// decoders alone would search for ever behind some levels.
func TestDamagedLevelsEnd(t *testing.T) {
	data := foreign(t, 3, "id:dictionary=a,NULL,c", "submit_us:int64=5,NULL,9", "gpus:int32=1,2,NULL",
		"work_us:double=7,8,NULL", "user:bool=true,NULL,false")
	for at := 0; at < len(data); at += 3 {
		bad := append([]byte(nil), data...)
		bad[at] ^= 0xff
		read(bad)
	}
}

// A codec without a decoder is named, and how to write the file so that it can be read.
func TestUnreadableCodec(t *testing.T) {
	data, err := os.ReadFile("testdata/lz4.parquet")
	if err != nil {
		t.Fatal(err)
	}
	const want = `column "id": compression LZ4_RAW cannot be read, expected one of UNCOMPRESSED, SNAPPY, GZIP, BROTLI, ZSTD: write the file again with another one, such as zstd`
	if got, err := read(data); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %q, error %v, expected %s", got, err, want)
	}
}

// FuzzSchema: a schema that is damaged takes no memory and does not panic.
func FuzzSchema(f *testing.F) {
	for _, c := range []string{"id:string=a", "work_us:dur[s]=1", "submit_us:dur[ns]=1", "model:dictionary=a"} {
		for _, schema := range schemaOf(f, foreign(f, 1, c)) {
			f.Add(schema)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		units, ok := durationsOf(data)
		if !ok {
			return
		}
		for name, u := range units {
			if u <= 0 {
				t.Fatalf("%q has the unit %d", name, u)
			}
		}
	})
}

// schemaOf gives the Arrow schema of a file.
func schemaOf(t testing.TB, data []byte) [][]byte {
	t.Helper()
	pf, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer pf.Close()
	text := pf.MetaData().KeyValueMetadata().FindValue(keySchema)
	if text == nil {
		t.Fatal("the file has no schema of Arrow")
	}
	schema, err := base64.StdEncoding.DecodeString(*text)
	if err != nil {
		t.Fatal(err)
	}
	return [][]byte{schema}
}
