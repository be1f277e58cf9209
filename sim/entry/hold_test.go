package entry

import (
	"context"
	"errors"
	"testing"

	"tarry/sim"
)

type kept struct {
	sim.Policy
	ctx    context.Context
	closed bool
}

func (k *kept) Until(ctx context.Context) { k.ctx = ctx }
func (k *kept) Explain(err error) error   { return errors.Join(err, errors.New("at line 7")) }
func (k *kept) Close() error              { k.closed = true; return nil }

// A policy of another program is bound to its run, and a policy of this one is left alone.
func TestHold(t *testing.T) {
	wrong := errors.New("wrong")
	k := &kept{}
	h := Hold(t.Context(), k)
	if k.ctx != t.Context() || h.Explain(wrong).Error() != "wrong\nat line 7" || k.closed {
		t.Errorf("%+v", k)
	}
	if h.Close(); !k.closed {
		t.Error("it is not closed")
	}
	var own struct{ sim.Policy }
	h = Hold(t.Context(), own)
	if h.Close(); h.Explain(wrong) != wrong {
		t.Error("another error")
	}
}
