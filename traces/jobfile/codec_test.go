package jobfile

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
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

// A codec without a decoder is named, and how to write the file so that it can be read: the file is
// of LZ4_RAW, and states another codec.
func TestUnreadableCodec(t *testing.T) {
	data, err := os.ReadFile("testdata/lz4.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for _, codec := range []string{"LZO", "LZ4"} {
		const want = "cannot be read, expected one of UNCOMPRESSED, SNAPPY, GZIP, BROTLI, ZSTD, LZ4_RAW: write the " +
			"file again with another one, such as zstd"
		text := `column "id": compression ` + codec + " " + want
		if got, err := read(stated(t, data, codec)); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("got %q, error %v, expected %s", got, err, text)
		}
	}
}

// stated gives a file whose column chunks state another codec than LZ4_RAW.
func stated(t *testing.T, data []byte, codec string) []byte {
	t.Helper()
	number := map[string]byte{"LZO": 3, "LZ4": 5}[codec]
	out := bytes.Clone(data)
	size := int(binary.LittleEndian.Uint32(data[len(data)-8:]))
	foot := out[len(out)-8-size : len(out)-8]
	found := 0
	for i := 0; i+2 < len(foot); i++ {
		// field codec of ColumnMetaData (delta 1, i32, 2 x 7), behind it num_values (delta 1, i64)
		if foot[i] == 0x15 && foot[i+1] == 14 && foot[i+2] == 0x16 {
			foot[i+1] = 2 * number
			found++
		}
	}
	if found == 0 {
		t.Fatal("no column chunk of LZ4_RAW")
	}
	return out
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
