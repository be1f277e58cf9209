package entry

import (
	"context"
	"io"

	"tarry/sim"
)

// Held is the policy of one run. Where another program decides for it, that program has to give up
// when the run does, and is done with at the end.
type Held struct {
	closer  io.Closer
	foreign foreign
}

// foreign is a policy that another program decides for.
type foreign interface {
	// Until has the program give up when ctx ends.
	Until(ctx context.Context)
	// Explain adds to an error the line of that program which it is about, where that is known.
	Explain(err error) error
}

// Hold binds a policy to a run; Close, which must be called, ends that.
func Hold(ctx context.Context, p sim.Policy) Held {
	var h Held
	h.closer, _ = p.(io.Closer)
	if h.foreign, _ = p.(foreign); h.foreign != nil {
		h.foreign.Until(ctx)
	}
	return h
}

// Explain adds to the error of the run the line of the other program, where that is named.
func (h Held) Explain(err error) error {
	if h.foreign != nil {
		return h.foreign.Explain(err)
	}
	return err
}

// Close gives up what the other program keeps for the run.
func (h Held) Close() {
	if h.closer != nil {
		_ = h.closer.Close()
	}
}
