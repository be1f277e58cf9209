package jobfile

import (
	"bytes"
	"encoding/base64"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/decimal128"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"tarry/sim"
	"tarry/traces/jobcell"
)

var update = flag.Bool("update", false, "rewrite testdata/null.parquet")

// foreign is a file as other tools write it: columns NAME:TYPE=VALUE,VALUE of any type, with "NULL"
// for NULL.
func foreign(t testing.TB, rows int, columns ...string) []byte {
	t.Helper()
	types := map[string]arrow.DataType{"string": arrow.BinaryTypes.String,
		"large_string": arrow.BinaryTypes.LargeString, "int32": arrow.PrimitiveTypes.Int32,
		"int64": arrow.PrimitiveTypes.Int64, "uint32": arrow.PrimitiveTypes.Uint32,
		"uint64": arrow.PrimitiveTypes.Uint64, "double": arrow.PrimitiveTypes.Float64,
		"float": arrow.PrimitiveTypes.Float32, "null": arrow.Null, "bool": arrow.FixedWidthTypes.Boolean,
		"ts[s]": arrow.FixedWidthTypes.Timestamp_s, "ts[ms]": arrow.FixedWidthTypes.Timestamp_ms,
		"ts[us]": arrow.FixedWidthTypes.Timestamp_us, "ts[ns]": arrow.FixedWidthTypes.Timestamp_ns,
		"ts[ms] zone":  &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "America/New_York"},
		"ts[us] naive": &arrow.TimestampType{Unit: arrow.Microsecond},
		"dur[s]":       arrow.FixedWidthTypes.Duration_s, "dur[ms]": arrow.FixedWidthTypes.Duration_ms,
		"dur[us]": arrow.FixedWidthTypes.Duration_us, "dur[ns]": arrow.FixedWidthTypes.Duration_ns,
		"decimal": &arrow.Decimal128Type{Precision: 18, Scale: 2}, "time64": arrow.FixedWidthTypes.Time64us,
		"date": arrow.FixedWidthTypes.Date32, "time32": arrow.FixedWidthTypes.Time32ms,
		"dictionary": &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}}
	var fields, declared []arrow.Field
	var arrays []arrow.Array
	for _, c := range columns {
		name, rest, _ := strings.Cut(c, ":")
		kind, values, _ := strings.Cut(rest, "=")
		typ := types[kind]
		if typ == nil {
			t.Fatalf("no type %q", kind)
		}
		declared = append(declared, arrow.Field{Name: name, Type: typ, Nullable: true})
		// this writer has none; others write the integers and name the type in the schema
		if strings.HasPrefix(kind, "dur[") {
			typ = arrow.PrimitiveTypes.Int64
		}
		fields = append(fields, arrow.Field{Name: name, Type: typ, Nullable: true})
		b := array.NewBuilder(memory.NewGoAllocator(), typ)
		for _, v := range strings.Split(values, ",") {
			appendValue(t, b, v)
		}
		arrays = append(arrays, b.NewArray())
	}
	var origin bytes.Buffer
	if err := ipc.NewWriter(&origin, ipc.WithSchema(arrow.NewSchema(declared, nil))).Close(); err != nil {
		t.Fatal(err)
	}
	meta := arrow.NewMetadata([]string{"ARROW:schema"}, []string{base64.StdEncoding.EncodeToString(origin.Bytes())})
	sc := arrow.NewSchema(fields, &meta)
	var out bytes.Buffer
	// Version 2.6 has unsigned 32-bit integers and nanoseconds; decimals of 18 digits are 64-bit
	// integers in it.
	w, err := pqarrow.NewFileWriter(sc, &out, parquet.NewWriterProperties(parquet.WithVersion(parquet.V2_LATEST),
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithStoreDecimalAsInteger(true)),
		pqarrow.NewArrowWriterProperties())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(array.NewRecord(sc, arrays, int64(rows))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func appendValue(t testing.TB, b array.Builder, v string) {
	t.Helper()
	if v == "NULL" {
		b.AppendNull()
		return
	}
	switch b := b.(type) {
	case *array.Decimal128Builder:
		b.Append(decimal128.FromI64(12345))
	default:
		if err := b.AppendValueFromString(v); err != nil {
			t.Fatal(err)
		}
	}
}

// read gives jobs and faults as text.
func read(data []byte) (string, error) {
	var b strings.Builder
	err := ReadJobs(bytes.NewReader(data), jobsInto(func(Head) {},
		func(row int, j *sim.Job, faults []jobcell.Fault) error {
			fmt.Fprintf(&b, "%s %d %d %d;", j.ID, j.Submit, j.GPUs, j.Work)
			for _, f := range faults {
				fmt.Fprintf(&b, " %d %s %s %s;", row, f.Column, f.Value, f.Want)
			}
			return nil
		}))
	return b.String(), err
}

// jobsInto gives each job, with the cells that cannot be read.
func jobsInto(head func(Head), each func(row int, j *sim.Job, faults []jobcell.Fault) error) Into {
	var jobs jobcell.Jobs
	var h *jobcell.Header
	return Into{
		Match: func(columns, index []string) (_ *jobcell.Header, err error) {
			h, err = jobcell.Match(columns, "", index...)
			return h, err
		},
		Head: func(of Head) error {
			head(of)
			return nil
		},
		Row: func(row int, cell func(int) jobcell.Value) error {
			j, faults := jobs.Row(h, cell)
			return each(row, &j, faults)
		}}
}

const (
	id, submit, gpus, work = "id:string=a,b", "submit_us:int64=5,9", "gpus:int32=1,2", "work_us:int64=7,8"
	day                    = int64(86400e6)
)

// A NULL where a job needs a value is a fault of its row, and the others' are unknown. A job
// without an id is refused by who keeps it.
func TestNulls(t *testing.T) {
	for _, c := range []struct{ columns, want string }{
		{"id:string=a,NULL|" + submit + "|" + gpus + "|" + work, "a 5 1 7; 9 2 8;"},
		{id + "|submit_us:int64=NULL,9|" + gpus + "|" + work, "a 0 1 7; 1 submit_us NULL microseconds >= 0;b 9 2 8;"},
		{id + "|" + submit + "|gpus:int32=1,NULL|" + work, "a 5 1 7;b 9 0 8; 2 gpus NULL a whole number from 1 to " +
			"1000000;"},
		{id + "|" + submit + "|" + gpus + "|work_us:int64=NULL,NULL", "a 5 1 0; 1 work_us NULL microseconds > 0;b 9 " +
			"2 0; 2 work_us NULL microseconds > 0;"},
		{id + "|submit_us:ts[ms]=NULL,1970-01-02|" + gpus + "|work_us:dur[s]=3,NULL",
			fmt.Sprintf("a 0 1 3000000; 1 submit_us NULL microseconds >= 0;b %d 2 0; 2 work_us NULL microseconds > 0;",
				day)},
		{id + "|" + submit + "|" + gpus + "|" + work + "|user:string=NULL,u|deadline_us:int64=NULL," +
			"9|iter_s:double=NULL,2|min_gpus:int32=NULL,1", "a 5 1 7;b 9 2 8;"},
	} {
		if got, err := read(foreign(t, 2, strings.Split(c.columns, "|")...)); err != nil || got != c.want {
			t.Errorf("%s gives %q, error %v, expected %q", c.columns, got, err, c.want)
		}
	}
}

// Times are read by the unit that their type declares.
func TestDeclaredUnits(t *testing.T) {
	for _, c := range []struct {
		submit, work string
		at, long     int64
	}{
		{"ts[s]=1970-01-02", "dur[s]=3", day, 3e6},
		{"ts[ms]=1970-01-02", "dur[ms]=3", day, 3e3},
		{"ts[us]=1970-01-02", "dur[us]=3", day, 3},
		{"ts[ns]=1970-01-02", "dur[ns]=3499", day, 3},
		{"ts[ns]=1970-01-02", "dur[ns]=3500", day, 4},
		{"ts[ms] zone=1970-01-02T00:00:00Z", "int64=3", day, 3},
		{"ts[us] naive=1970-01-02", "uint64=3", day, 3},
		{"dur[s]=86400", "int64=3", day, 3},
		{"uint64=7", "int64=3", 7, 3},
	} {
		want := fmt.Sprintf("a %d 2 %d;", c.at, c.long)
		for _, text := range []string{"id:string=a", "id:large_string=a", "id:dictionary=a"} {
			got, err := read(foreign(t, 1, text, "submit_us:"+c.submit, "gpus:uint32=2", "work_us:"+c.work))
			if err != nil || got != want {
				t.Errorf("%s, submit %s, work %s gives %q, error %v, expected %q", text, c.submit, c.work, got, err,
					want)
			}
		}
	}
}

// What is no value of a job is a fault of its row, and a type that holds no such values is refused.
func TestForeignTypesAreRefused(t *testing.T) {
	for columns, want := range map[string]string{
		id + "|" + submit + "|" + gpus + "|" + work + "|modle:string=a,b": `unknown column "modle"`,
		id + "|" + submit + "|" + work:                                    `column "gpus" is missing`,
		id + "|" + gpus + "|" + submit + "|" + gpus + "|" + work:          `column "gpus" appears twice`,
	} {
		if got, err := read(foreign(t, 2, strings.Split(columns, "|")...)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %q, error %v, expected %s", columns, got, err, want)
		}
	}
	const day2 = "1970-01-02T00:00:00Z"
	for columns, want := range map[string]string{
		id + "|" + submit + "|" + gpus + fmt.Sprintf("|work_us:uint64=7,%d",
			uint64(1<<63)): "a 5 1 7;b 9 2 0; 2 work_us 9223372036854775808 microseconds > 0;",
		id + "|" + submit + "|gpus:uint32=1,4294967295|" + work: "a 5 1 7;b 9 0 8; 2 " +
			"gpus 4294967295 a whole number from 1 to 1000000;",
		id + "|" + submit + "|" + gpus + fmt.Sprintf("|work_us:dur[s]=7,%d",
			math.MaxInt64): "a 5 1 7000000;b 9 2 0; 2 work_us 9223372036854.775807 s microseconds > 0;",
		id + "|" + submit + "|" + gpus + "|" + work + "|drawn_bits:int32=1,65536": "a 5 1 7;b 9 2 8; 2 " +
			"drawn_bits 65536 a whole number from 0 to 65535;",
		id + "|" + submit + "|" + gpus + "|work_us:ts[ms]=1970-01-02,NULL": "a 5 1 0; 1 work_us " + day2 +
			" microseconds > 0: a length of time, not an instant;" +
			"b 9 2 0; 2 work_us NULL microseconds > 0;",
		id + "|" + submit + "|gpus:date=1970-01-02,NULL|" + work: "a 5 0 7; 1 gpus " + day2 +
			" a whole number from 1 to 1000000;b 9 0 8; 2 gpus NULL a whole number from 1 to 1000000;",
		id + "|" + submit + "|gpus:time32=00:01:00,NULL|" + work: "a 5 0 7; 1 gpus 60 s a " +
			"whole number from 1 to 1000000;b 9 0 8; 2 gpus NULL a whole number from 1 to 1000000;",
		id + "|" + submit + "|" + gpus + "|" + work + "|iterations:dur[s]=1,NULL": "a 5 1 7; 1 iterations 1 " +
			"s a whole number >= 0;b 9 2 8;",
		id + "|" + submit + "|" + gpus + "|" + work + "|iterations:ts[s]=1970-01-02,NULL": "a 5 1 7; 1 iterations " +
			day2 + " a whole number >= 0;b 9 2 8;",
		id + "|" + submit + "|gpus:double=2.5,NaN|" + work: "a 5 0 7; 1 gpus 2.5 a " +
			"whole number from 1 to 1000000;b 9 0 8; 2 gpus NaN a whole number from 1 to 1000000;",
		id + "|submit_us:ts[s]=1970-01-02,NULL|" + gpus + "|" + work +
			"|deadline_us:int64=1,NULL": "a 86400000000 1 7; 1 deadline_us 1 a wall-clock time, as the submits are;" +
			"b 0 2 8; 2 submit_us NULL microseconds >= 0;",
		id + "|" + submit + "|" + gpus + "|" + work + "|deadline_us:ts[s]=NULL,1970-01-02": "a 5 1 7;b 9 2 8; 2 " +
			"deadline_us " + day2 + " a number, as the submits are;",
	} {
		if got, err := read(foreign(t, 2, strings.Split(columns, "|")...)); err != nil || got != want {
			t.Errorf("%s gives %q, error %v, expected %q", columns, got, err, want)
		}
	}
}

// Cells are read by what they mean, in whatever type another tool has written them.
func TestForeignTypes(t *testing.T) {
	const want = "a 5 1 7;b 9 2 8;"
	for _, columns := range []string{
		id + "|" + submit + "|gpus:int64=1,2|" + work,
		id + "|" + submit + "|gpus:double=1,2|" + work,
		id + "|" + submit + "|gpus:float=1,2|work_us:float=7,8",
		id + "|" + submit + "|gpus:string=1,2.0|" + work,
		id + "|submit_us:double=5,9|" + gpus + "|work_us:double=7,8",
		id + "|submit_us:string=5,9.0|" + gpus + "|work_us:uint32=7,8",
		id + "|submit_s:double=0.000005,0.000009|" + gpus + "|work_s:string=0.000007,8e-6",
		id + "|" + submit + "|" + gpus + "|" + work + "|__index_level_0__:int64=4,5",
		id + "|" + submit + "|" + gpus + "|" + work + "|model:null=NULL,NULL|user:double=NULL," +
			"NULL|priority:string=NULL,NULL",
		"id:dictionary=a,b|" + submit + "|" + gpus + "|" + work + "|user:bool=true,NULL",
		id + "|" + submit + "|" + gpus + "|duration_us:int64=7,4",
		id + "|submit_us:time64=00:00:00.000005,00:00:00.000009|" + gpus + "|" + work, // as the text 00:00:00.000005 is
	} {
		if got, err := read(foreign(t, 2, strings.Split(columns, "|")...)); err != nil || got != want {
			t.Errorf("%s gives %q, error %v, expected %q", columns, got, err, want)
		}
	}
	for columns, want := range map[string]string{
		"id:int64=1,2|" + submit + "|" + gpus + "|" +
			work: "1 5 1 7;2 9 2 8;",
		"id:double=1,2|" + submit + "|" + gpus + "|" +
			work: "1 5 1 7;2 9 2 8;",
		"id:string=1.0,NaN|" + submit + "|" + gpus + "|" +
			work: "1 5 1 7; 9 2 8;",
		submit + "|" + gpus + "|" +
			work: "0 5 1 7;1 9 2 8;",
		id + "|" + submit + "|" + gpus +
			"|work_s:decimal=123.45,123.45": "a 5 1 123450000;b 9 2 123450000;",
		id + "|submit_s:date=1970-01-02,1970-01-03|" + gpus +
			"|work_s:dur[ms]=7,8": fmt.Sprintf("a %d 1 7000;b %d 2 8000;", day, 2*day),
		id + "|submit_s:string=1970-01-02T02:00:00+02:00,1970-01-03|" + gpus +
			"|work_s:string=1-00:00:01,0 days 00:00:08": fmt.Sprintf("a %d 1 %d;b %d 2 8000000;", day, day+1e6, 2*day),
	} {
		if got, err := read(foreign(t, 2, strings.Split(columns, "|")...)); err != nil || got != want {
			t.Errorf("%s gives %q, error %v, expected %q", columns, got, err, want)
		}
	}
}

// A text longer than MaxText is a fault, and a page larger than MaxPage ends the reading before it
// takes memory.
func TestLongTextsAreBounded(t *testing.T) {
	long := strings.Repeat("x", MaxText+1)
	got, err := read(foreign(t, 2, "id:string=a,"+long, submit, gpus, work))
	if want := "a 5 1 7; 9 2 8; 2 id " + long[:64] +
		"... a text of at most 4096 bytes, this one has 4097;"; err != nil || got != want {
		t.Errorf("got %q, error %v, expected %q", got, err, want)
	}
	huge := foreign(t, 2, "id:string=a,"+strings.Repeat("x", MaxPage), submit, gpus, work)
	if len(huge) > 1<<20 {
		t.Errorf("the file has %d bytes, expected a small one", len(huge))
	}
	if _, err := read(huge); err == nil || !strings.Contains(err.Error(),
		"expected at most 67108864: write smaller pages or shorter names") {
		t.Errorf("a page of 64 MiB gives the error %v", err)
	}
}

// The file that the tests of the format read.
func TestNullFile(t *testing.T) {
	data := foreign(t, 3, "id:string=a,b,c", "submit_us:ts[ms]=1970-01-01T00:00:01Z,NULL,1970-01-01T00:00:03Z",
		"gpus:int32=1,2,3", "work_us:dur[s]=5,6,NULL")
	const file = "testdata/null.parquet"
	if *update {
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := read(kept)
	if want, _ := read(data); err != nil || got != want || got == "" {
		t.Errorf("%s gives %q, error %v, expected %q", file, got, err, want)
	}
}
