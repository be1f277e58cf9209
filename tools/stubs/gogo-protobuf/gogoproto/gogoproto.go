// Package gogoproto stands in for github.com/gogo/protobuf/gogoproto in tarry's program.
//
// Only gorgonia's tensors import it, without a name: the original registers descriptions of options
// of generated code, which nothing asks for, and with them a runtime of Protocol Buffers, 1 MB of a
// stripped program.
package gogoproto
