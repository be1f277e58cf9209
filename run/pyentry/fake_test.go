package pyentry

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"tarry/internal/release"
	"tarry/run/pychild"
)

// TestMain is the tests, or, where PYENTRY_FAKE is set, a process that speaks as tarry._child does and
// goes wrong in the way that its class states. Each writes a line to the file that is named there.
func TestMain(m *testing.M) {
	starts := os.Getenv("PYENTRY_FAKE")
	if starts == "" {
		os.Exit(m.Run())
	}
	class := os.Args[len(os.Args)-1]
	if f, err := os.OpenFile(starts, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err == nil {
		fmt.Fprintln(f, class, slices.Contains(os.Environ(), "PYTHONHASHSEED=0"))
		_ = f.Close()
	}
	os.Exit(fake(class, bufio.NewReader(os.Stdin), os.Stdout))
}

func send(w io.Writer, kind byte, body []byte) {
	if _, err := w.Write(append(pychild.Frame(nil, kind, len(body)), body...)); err != nil {
		os.Exit(9)
	}
}

// fake starts jobs in the order of arrival.
func fake(class string, in io.Reader, out io.Writer) int {
	is := made{Version: release.Version, Knows: []string{"work"}, Keys: []string{"x", "y"}, Source: "abc", Stable: true}
	switch class {
	case "m:Version":
		is.Version = "v0"
	case "m:Asks":
		is.Knows = []string{"all"}
	case "m:Changes":
		is.Source = fmt.Sprint(os.Getpid())
	case "m:Never":
		is.Source, is.Stable = fmt.Sprint(os.Getpid()), false
	case "m:Needs": // x
		send(out, refused, []byte("policy 'python:m:Needs': missing a required argument: 'x'"))
		return 1
	case "m:Missing":
		send(out, refused, []byte("policy 'python:m:Missing': m has no Missing"))
		return 1
	case "m:Early":
		send(out, pychild.Fault, []byte("Traceback\nValueError: too early"))
		return 1
	}
	text, _ := json.Marshal(is)
	send(out, pychild.Greeting, text)
	for n := 0; ; {
		kind, body, err := pychild.ReadFrame(in, nil)
		switch {
		case err != nil:
			return 0
		case kind == clone:
			send(out, done, nil)
			continue
		case kind == where:
			send(out, where, []byte("mine.py:7"))
			continue
		case kind != decide:
			continue
		}
		if n++; n == 3 {
			if code := wrong(class, out); code >= 0 {
				return code
			}
		}
		fifo(body, in, out)
		send(out, done, nil)
	}
}

// fifo asks for the jobs that wait, with an address that is not its to give, and starts them in order.
func fifo(head []byte, in io.Reader, out io.Writer) {
	ask := func(op uint64, w []uint64) []byte {
		body := binary.LittleEndian.AppendUint64(nil, op)
		for _, x := range w {
			body = binary.LittleEndian.AppendUint64(body, x)
		}
		send(out, operation, body)
		_, found, err := pychild.ReadFrame(in, nil)
		if err != nil {
			os.Exit(0)
		}
		return found
	}
	const first = 8 * 32
	waiting := ask(1, []uint64{0, 0, 0xdead, 1 << 20, 0}) // the column job
	n := int(binary.LittleEndian.Uint64(waiting[8:]))
	if got := int(binary.LittleEndian.Uint64(head[8*(2+2):])); got != n {
		fmt.Fprintf(os.Stderr, "%d jobs wait, and the header has %d\n", n, got)
		os.Exit(8)
	}
	request := make([]uint64, 31+n)
	request[0], request[2] = uint64(n), 1
	for i := range n {
		request[31+i] = binary.LittleEndian.Uint64(waiting[first+8*i:])
	}
	ask(9, request)
}

// wrong is what happens at the third decision; -1 = nothing.
func wrong(class string, out io.Writer) int {
	switch class {
	case "m:Raises":
		send(out, pychild.Fault, []byte("Traceback\n  File \"mine.py\"\nZeroDivisionError: division by zero\n"))
		return 1
	case "m:Dies":
		fmt.Fprintln(os.Stderr, "killed by somebody")
		return 3
	case "m:Hangs":
		time.Sleep(time.Hour)
	case "m:Odd":
		send(out, operation, []byte("123"))
	case "m:Stranger":
		send(out, 'q', nil)
	}
	return -1
}
