package sweep

import (
	"syscall"
	"time"
)

// enospc is what a full disk states.
func enospc() error { return syscall.ENOSPC }

func noClock() time.Duration { return 0 }
