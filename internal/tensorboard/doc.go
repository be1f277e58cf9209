// Package tensorboard writes event files that TensorBoard shows: one scalar per column of a
// training curve.
//
//	points -> Summary (protocol buffer) -> Event -> record with checksums -> events.out.tfevents.*
//
// An event file is a sequence of records: length, masked CRC-32C of the length, data, masked
// CRC-32C of the data, all numbers little-endian (record.go). The data are Event messages of
// TensorFlow's event.proto, of which only wall_time, step, file_version and summary.value.{tag,
// simple_value} are needed (event.go).
//
// The wall time of every event is its step, in seconds: the same curves give the same bytes.
package tensorboard
