//go:build cgo

package main

// #include <stdint.h>
// #include <stdlib.h>
// #include "asking.h"
import "C"

import (
	"runtime/cgo"
	"time"
	"unsafe"

	"tarry/catalogue/shipped"
	"tarry/internal/release"
	"tarry/run/abi"
	"tarry/run/pypolicy"
)

// tarry_play is tarry_start and tarry_wait in one call, of a run with schedulers of the caller's (own
// in the request): decide is called on the calling thread for each decision, which the caller makes
// through tarry_view and ends with 1 in *said. alive writes 1 to *said as long as the caller waits.
// The status is Stopped where one of them did not. *handle is to be given to tarry_release.
//
//export tarry_play
func tarry_play(request *C.char, jobs unsafe.Pointer, size C.size_t, decide C.tarry_decide, alive C.tarry_alive,
	said *C.int32_t, handle *C.uintptr_t, out **C.char) (status C.int) {
	defer caught(out, &status)
	r, err := abi.ParseRun([]byte(C.GoString(request)))
	if err != nil {
		return refuse(out, err)
	}
	var parquet []byte
	if jobs != nil {
		parquet = append([]byte{}, unsafe.Slice((*byte)(jobs), size)...)
	}
	own, start := newDecider(decide, said), time.Now()
	defer own.release()
	caller := abi.Caller{Decider: own, Clock: func() time.Duration { return time.Since(start) },
		Version: release.Build(func() string { return release.CodeID(r.Library) }),
		Wait: func(done <-chan struct{}) bool {
			return wait(done, func() bool { return C.tarry_call_alive(alive, said) == 1 })
		}}
	w := abi.Start(shipped.All(), r, parquet, &caller)
	if s := w.Wait(nil); s != abi.OK {
		give(out, w.Fault())
		return C.int(s)
	}
	if status = giveJSON(out, w.Report()); status == C.int(abi.OK) {
		*handle = C.uintptr_t(cgo.NewHandle(w))
	}
	return status
}

// bound is a session with the buffer that the caller gave it.
type bound struct {
	session *pypolicy.Session
	words   []int64
}

// decider asks the caller. It serves one thread.
type decider struct {
	decide C.tarry_decide
	said   *C.int32_t
	open   map[*pypolicy.Session]cgo.Handle
}

func newDecider(decide C.tarry_decide, said *C.int32_t) *decider {
	return &decider{decide, said, map[*pypolicy.Session]cgo.Handle{}}
}

func (d *decider) handle(s *pypolicy.Session) cgo.Handle {
	h, ok := d.open[s]
	if !ok {
		h = cgo.NewHandle(&bound{session: s})
		d.open[s] = h
	}
	return h
}

func (d *decider) call(s *pypolicy.Session, from C.int, words int) error {
	if C.tarry_call_decide(d.decide, C.int(s.Number), C.int(d.handle(s)), from, C.int(words), d.said) == 1 {
		return nil
	}
	return abi.ErrStopped
}

// Decide implements pypolicy.Asker. The words begin with the header of the decision.
func (d *decider) Decide(s *pypolicy.Session) error {
	if b, ok := d.handle(s).Value().(*bound); ok && b.words != nil {
		s.Do(pypolicy.OpHeader, b.words)
	}
	return d.call(s, -1, s.Room())
}

// Clone implements pypolicy.Asker.
func (d *decider) Clone(of, to *pypolicy.Session) error { return d.call(to, C.int(d.handle(of)), 1) }

// End implements pypolicy.Asker.
func (d *decider) End(s *pypolicy.Session) {
	if h, ok := d.open[s]; ok {
		_ = d.call(s, -1, 0)
		h.Delete()
		delete(d.open, s)
	}
}

// release gives up what is left.
func (d *decider) release() {
	for _, h := range d.open {
		h.Delete()
	}
	clear(d.open)
}

// tarry_view_bind gives a session the buffer of so many words in which tarry_view reads and writes.
//
//export tarry_view_bind
func tarry_view_bind(session C.int, memory unsafe.Pointer, words C.size_t) C.int {
	b, ok := valueOf(C.uintptr_t(session)).(*bound)
	if !ok {
		return C.int(abi.Closed)
	}
	b.words = unsafe.Slice((*int64)(memory), words)
	b.session.Do(pypolicy.OpHeader, b.words)
	return C.int(abi.OK)
}

// tarry_view serves one operation of a session (run/pypolicy/ops.go) in its buffer, while the caller
// decides. Its arguments are ints, which ctypes passes twice as fast as other types.
//
//export tarry_view
func tarry_view(session, op C.int) C.int {
	b, ok := valueOf(C.uintptr_t(session)).(*bound)
	if !ok || b.words == nil {
		return C.int(abi.Closed)
	}
	b.session.Do(int(op), b.words)
	return C.int(abi.OK)
}

// tarry_columns gives the columns of jobs that a scheduler may read, as JSON.
//
//export tarry_columns
func tarry_columns(out **C.char) (status C.int) {
	defer caught(out, &status)
	return giveJSON(out, pypolicy.Describe())
}
