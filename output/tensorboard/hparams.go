package tensorboard

import (
	"encoding/json"
	"strconv"
)

// Setting is one setting of a run.
type Setting struct {
	// Name is unique within a run.
	Name string
	// Value is JSON: numbers and bools stay what they are, texts lose their quotes, anything else
	// is shown as it is written.
	Value string
}

// Column is a setting as a column of the table of runs.
type Column struct {
	// Setting has the name and a value, which decides the type.
	Setting
	// Differs states that not all runs have the same value. TensorBoard shows such columns first.
	Differs bool
}

// Metric is a scalar that the table of runs shows, by its tag and the name of the column.
type Metric struct{ Tag, Name string }

// Session is what TensorBoard's tab of hyperparameters shows of a run.
type Session struct {
	// Settings are the run's.
	Settings []Setting
	// Columns and Metrics are of the table over all runs; of several files in one folder one
	// has them. Nil = another file has them.
	Columns []Column
	Metrics []Metric
	// Start and End are in seconds since 1970 UTC; 0 = not known. Ended states that the run came to
	// its end.
	Start, End float64
	Ended      bool
}

// The summaries of the plugin: their tags, and the message of plugin_data.proto that each holds by
// its field.
const (
	tagExperiment, fieldExperiment = "_hparams_/experiment", 2
	tagStart, fieldStart           = "_hparams_/session_start_info", 3
	tagEnd, fieldEnd               = "_hparams_/session_end_info", 4
)

// hparamsValue encodes a summary value: 1 tag, 8 tensor (empty: a float of shape 0), 9 metadata =
// {1 plugin_data = {1 name, 2 content = {field: message}}}. The version of the content is 0 and
// left out.
func hparamsValue(tag string, field int, message []byte) []byte {
	plugin := appendBytes(appendBytes(nil, 1, []byte("hparams")), 2, appendBytes(nil, field, message))
	value := appendBytes(nil, 1, []byte(tag))
	value = appendBytes(value, 8, []byte{0x08, 1, 0x12, 2, 0x12, 0})
	value = appendBytes(value, 9, appendBytes(nil, 1, plugin))
	return appendBytes(nil, 1, value)
}

// start gives the summaries with which a run begins: Experiment = {4 hparam_infos = {1 name, 4
// type, 7 differs}, 5 metric_infos = {1 name = {2 tag}, 3 display_name}} where the session has one,
// and SessionStartInfo = {1 map of settings, 5 start_time_secs}.
func (s *Session) start() [][]byte {
	var out [][]byte
	if len(s.Columns) > 0 {
		var e []byte
		for _, c := range s.Columns {
			_, kind := protoValue(c.Value)
			info := appendInt(appendBytes(nil, 1, []byte(c.Name)), 4, kind)
			if c.Differs {
				info = appendInt(info, 7, 1)
			}
			e = appendBytes(e, 4, info)
		}
		for _, m := range s.Metrics {
			e = appendBytes(e, 5, appendBytes(appendBytes(nil, 1, appendBytes(nil, 2, []byte(m.Tag))), 3,
				[]byte(m.Name)))
		}
		out = append(out, hparamsValue(tagExperiment, fieldExperiment, e))
	}
	var info []byte
	for _, h := range s.Settings {
		value, _ := protoValue(h.Value)
		info = appendBytes(info, 1, appendBytes(appendBytes(nil, 1, []byte(h.Name)), 2, value))
	}
	return append(out, hparamsValue(tagStart, fieldStart, appendDouble(info, 5, s.Start)))
}

// end gives SessionEndInfo = {1 status (0 unknown, 1 success), 2 end_time_secs}.
func (s *Session) end() []byte {
	var info []byte
	if s.Ended {
		info = appendInt(info, 1, 1)
	}
	return hparamsValue(tagEnd, fieldEnd, appendDouble(info, 2, s.End))
}

// protoValue encodes a google.protobuf.Value, 2 number, 3 string or 4 bool, and gives the data type
// of its column: 3 float64, 1 string, 2 bool.
func protoValue(text string) ([]byte, uint64) {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return appendDouble(nil, 2, v), 3
	}
	if v, err := strconv.ParseBool(text); err == nil {
		n := uint64(0)
		if v {
			n = 1
		}
		return appendInt(nil, 4, n), 2
	}
	var s string
	if json.Unmarshal([]byte(text), &s) != nil {
		s = text
	}
	return appendBytes(nil, 3, []byte(s)), 1
}
