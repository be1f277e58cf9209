// Package pyentry is the policies python:MODULE:CLASS of the command: schedulers in Python, each
// trial's in a process of its own.
//
// Reading guide. Entry (entry.go) is the row of the catalogue. It learns what a class declares from a
// first process, which then serves the first trial. child.go is what asks one: a pypolicy.Asker that
// starts its process at the first decision; wire.go has the frames between both. On the other side is
// python3 -m tarry._child MODULE:CLASS,key=value.
package pyentry
