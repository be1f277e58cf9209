//go:build cgo

package main

// #include <stddef.h>
// #include <stdint.h>
import "C"

import (
	"encoding/json"
	"runtime/cgo"

	"tarry/run/abi"
	"tarry/run/pypolicy"
)

// tarry_watch gives a session of tarry_view to look at environment i with; permissions
// is a JSON list. *session is to be given to tarry_unwatch.
//
//export tarry_watch
func tarry_watch(handle C.uintptr_t, i C.int, permissions *C.char, session *C.uintptr_t) C.int {
	g := groupOf(handle)
	if g == nil {
		return C.int(abi.Closed)
	}
	var names []string
	if err := json.Unmarshal([]byte(C.GoString(permissions)), &names); err != nil {
		return C.int(abi.Failed)
	}
	s, status := g.Watch(int(i), names)
	if status == abi.OK {
		*session = C.uintptr_t(cgo.NewHandle(&bound{session: s}))
	}
	return C.int(status)
}

// tarry_look opens a session on the present state of environment i. *words is how many words its
// buffer needs; one that has as many begins with the header.
//
//export tarry_look
func tarry_look(handle C.uintptr_t, i C.int, session C.uintptr_t, words *C.size_t) C.int {
	g := groupOf(handle)
	b, ok := valueOf(session).(*bound)
	if g == nil || !ok {
		return C.int(abi.Closed)
	}
	status := g.Look(int(i), b.session)
	if status != abi.OK {
		return C.int(status)
	}
	*words = C.size_t(b.session.Room())
	if len(b.words) >= int(*words) {
		b.session.Do(pypolicy.OpHeader, b.words)
	}
	return C.int(status)
}

// tarry_unwatch ends a session of tarry_watch.
//
//export tarry_unwatch
func tarry_unwatch(session C.uintptr_t) {
	if _, ok := valueOf(session).(*bound); ok {
		cgo.Handle(session).Delete()
	}
}
