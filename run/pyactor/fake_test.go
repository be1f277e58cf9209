package pyactor

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"testing"
	"time"

	"tarry/run/pychild"
)

// TestMain is the tests, or, where PYACTOR_FAKE is set, a process that speaks as tarry.actor does
// and goes wrong in the way that its function states.
func TestMain(m *testing.M) {
	if os.Getenv("PYACTOR_FAKE") == "" {
		os.Exit(m.Run())
	}
	os.Exit(fake(os.Args[len(os.Args)-1], bufio.NewReader(os.Stdin), os.Stdout))
}

func send(w io.Writer, kind byte, body []byte) {
	if _, err := w.Write(append(pychild.Frame(nil, kind, len(body)), body...)); err != nil {
		os.Exit(9)
	}
}

// fake answers the number of the first legal action, or half of the first number of the observation
// where there is no mask.
func fake(function string, in io.Reader, out io.Writer) int {
	_, body, err := pychild.ReadFrame(in, nil)
	var want wanted
	if err != nil || json.Unmarshal(body, &want) != nil || want.Options["part"] != "" || want.Options["load"] != "1.5" {
		fmt.Fprintln(os.Stderr, "greeted with", string(body))
		return 8
	}
	is := made{Version: "v1", Obs: 3, Mask: 4, Action: 1, SHA256: "abc"}
	switch function {
	case "m:version":
		is.Version = "v2"
	case "m:narrow":
		is.Obs = 2
	case "m:missing":
		fmt.Fprintln(os.Stderr, "No module named tarry")
		return 1
	case "m:restless":
		is.SHA256 = fmt.Sprint(os.Getpid())
	case "m:early":
		send(out, pychild.Fault, []byte("Traceback\nValueError: too early"))
		return 1
	}
	text, _ := json.Marshal(is)
	send(out, pychild.Greeting, text)
	for n := 0; ; n++ {
		_, body, err := pychild.ReadFrame(in, body[:0])
		if err != nil {
			return 0
		}
		if n == 2 {
			if code := wrong(function, out); code >= 0 {
				return code
			}
		}
		a := 0.0
		for i := range 4 {
			if math.Float64frombits(binary.LittleEndian.Uint64(body[8*(3+i):])) == 1 {
				a = float64(i)
				break
			}
		}
		send(out, answer, binary.LittleEndian.AppendUint64(nil, math.Float64bits(a)))
	}
}

// wrong is what happens at the third question; -1 = nothing.
func wrong(function string, out io.Writer) int {
	switch function {
	case "m:raises":
		send(out, pychild.Fault, []byte("Traceback\n  File \"mine.py\"\nZeroDivisionError: division by zero\n"))
		return 1
	case "m:dies":
		fmt.Fprintln(os.Stderr, "killed by somebody")
		return 3
	case "m:leaves":
		return 0
	case "m:prints":
		fmt.Fprintln(out, "debug: what a user prints past the guard")
		return 0
	case "m:long":
		send(out, answer, make([]byte, 16))
	case "m:hangs":
		time.Sleep(time.Hour)
	}
	return -1
}
