// Package proto stands in for github.com/golang/protobuf/proto in tarry's program.
//
// Only gorgonia's tensors import it, for messages that tarry never makes: tensor.Dense.PBEncode.
// Their code writes and reads the bytes of a message by itself; this package would add a registry
// of types and the text form of a message, 2 MB of a stripped program. Here the registry keeps
// nothing, and the text form states what is missing.
package proto

// Message is a message of Protocol Buffers.
type Message interface {
	Reset()
	String() string
	ProtoMessage()
}

// ProtoPackageIsVersion2 is what generated code asks for.
const ProtoPackageIsVersion2 = true

// Marshaler is implemented by generated code, which writes its own bytes.
type Marshaler interface {
	Marshal() ([]byte, error)
}

// Marshal gives the bytes that a message writes by itself.
func Marshal(m Marshaler) ([]byte, error) { return m.Marshal() }

// CompactTextString stands in for the text form.
func CompactTextString(Message) string {
	return "a message of Protocol Buffers: its text form is not linked (tools/stubs/golang-protobuf)"
}

// RegisterType does nothing.
func RegisterType(Message, string) {}

// RegisterEnum does nothing.
func RegisterEnum(string, map[int32]string, map[string]int32) {}

// RegisterFile does nothing.
func RegisterFile(string, []byte) {}
