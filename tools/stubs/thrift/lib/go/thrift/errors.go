package thrift

import "fmt"

// INVALID_DATA is the one kind of fault that generated code names.
const INVALID_DATA = 1

// NewTProtocolExceptionWithType gives the fault; its kind is not kept.
func NewTProtocolExceptionWithType(_ int, err error) error { return err }

// PrependError puts a text before a fault.
func PrependError(text string, err error) error { return fmt.Errorf("%s%w", text, err) }
