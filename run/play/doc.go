// Package play is tarry compare for a page: the words of a command line go in, and the result comes
// out as one value that a script reads. A page that shows the command has the numbers of the
// command, since both have one reader of settings (run/config), one simulation (run/trial) and one
// summary (run/compare).
//
// Reading guide: Parse (parse.go) reads the words, Run (run.go) gives a Result, Result.Answer
// (answer.go) its numbers, Result.Replay (replay.go) one replicate as a schedule over time. Serve
// (serve_js.go) offers them to JavaScript.
//
// With GOOS=js nothing below imports Arrow: output/results then has rows and no files.
package play
