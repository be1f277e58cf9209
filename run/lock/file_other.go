//go:build !unix || solaris || aix

package lock

import "os"

// File does nothing: there are no such locks here, and no process is kept out.
func File(*os.File, bool) error { return nil }

func awaitFile(*os.File) error { return nil }
