// Package tensorboard writes event files that TensorBoard shows: one scalar per column of a
// training curve.
//
//	points -> Summary (protocol buffer) -> Event -> record with checksums -> events.out.tfevents.*
//
// An event file is a sequence of records: length, masked CRC-32C of the length, data, masked
// CRC-32C of the data, all numbers little-endian (record.go). The data are Event messages of
// TensorFlow's event.proto, of which only wall_time, step, file_version and summary.value.{tag,
// simple_value} are needed (event.go), and for the tab of hyperparameters a plugin's message
// (hparams.go).
//
// The wall time of an event is when the update was made, as the table timing has it; 0 where that
// table is absent. No clock is asked: the same folder gives the same bytes.
package tensorboard
