// Package results writes and reads the tables of an experiment as Parquet files.
//
// A table is a slice of row structs (Trial, Job, Interval, ...). The struct tags name the columns,
// so that a column is declared in one place. The pipeline:
//
//	rows -> Create/Append/Close or Write -> file beside -> sync -> rename -> sync of the folder
//	file -> Scan or Read -> rows, Meta
//
// What a file promises:
//   - Every column is flat and REQUIRED. A missing number is NaN, a missing text "", a missing
//     integer -1. Nullable, list and Arrow dictionary columns are avoided because readers disagree
//     about such columns by the Arrow v15 writer.
//   - The root is REQUIRED, pages are version 1, the codec is zstd unless Meta names another.
//   - Times and durations are float64 seconds; units are last in a column's name.
//   - The same rows and the same Meta give the same bytes. Who computes rows in parallel sorts them
//     (Keys.Compare) before they come here.
//   - A file is complete or absent: it is never seen half-written under its own name.
//   - The key-value metadata holds Meta: configuration, hashes and versions.
//
// A trial's own files lie in <root>/<table>/policy-NAME/replicate-N/part-0.parquet (Keys.Target),
// with every column in the file. Earlier versions wrote hive folders,
// <root>/<table>/<key=value>/.../part-0.parquet (Partition): readers take those keys from the path,
// pandas as categories, so such columns are left out of the file. Both are read.
//
// frame.go hands the same columns to other languages as plain memory.
//
// With GOOS=js the package has the rows and no files: Create, Write and ScanTarget then fail
// (none_js.go), and Arrow is not compiled.
//
// This is the only package that imports Arrow: footer, delta encoding and the reader are its own.
// Pages are made here, in one pass over the rows (numbers.go, texts.go): a column with few
// different values as numbers of a dictionary, any other as it is.
package results
