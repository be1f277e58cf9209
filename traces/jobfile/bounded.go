package jobfile

import (
	"fmt"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

// tooLarge is the panic of bounded, and the error that it becomes.
type tooLarge int

func (n tooLarge) Error() string {
	return fmt.Sprintf("a page of the Parquet file has %d bytes, expected at most %d: write smaller pages or "+
		"shorter names", int(n), MaxPage)
}

// bounded refuses pages that no list of jobs needs, before they take memory.
type bounded struct{ memory.Allocator }

func (m bounded) Allocate(n int) []byte {
	if n > MaxPage {
		panic(tooLarge(n))
	}
	return m.Allocator.Allocate(n)
}

func (m bounded) Reallocate(n int, b []byte) []byte {
	if n > MaxPage {
		panic(tooLarge(n))
	}
	return m.Allocator.Reallocate(n, b)
}
