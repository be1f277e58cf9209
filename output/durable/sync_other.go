//go:build !linux

package durable

import "errors"

// syncsFileSystems states whether syncFileSystem works here.
const syncsFileSystems = false

func syncFileSystem(dir string) error { return wrap(dir, errors.ErrUnsupported) }
