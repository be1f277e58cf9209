// Package sweep asks one question with many cells: settings that differ along axes, each with
// some seeds.
//
// Reading guide. Spec (spec.go) is a sweep as a value: a YAML file (parse.go) and a Question
// (question.go) both give one. Cells (cells.go) spells its cells out; Plan and Open (folder.go)
// lay them down in a folder; Status (status.go) is how far a cell is; Work (work.go) runs one
// cell and is all that an engine calls; kinds.go states what a cell of a kind does, simulate.go and
// learn.go do it; Gather (gather.go) puts the tables of all done cells together; Data (data.go)
// reads them for figures.
//
//	Spec -> Plan -> Folder -> engine -> Work(cell) ... -> Gather -> Data -> figures
//
// A cell is a pure function of its resolved settings and its seed. What decides whether it is
// done is its STATUS file, which is written last: a process that is killed anywhere leaves a cell
// that is done or one that starts again, and the gathered tables have the same bytes whatever
// happened on the way.
package sweep
