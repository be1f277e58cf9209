package app

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

const (
	// quiet is how long a run may take without a word about its progress.
	quiet = time.Second
	// lineEvery is the shortest time between two lines where there is no terminal.
	lineEvery = 5 * time.Second
	// redrawEvery is the shortest time between two changes of a bar, and two lines of JSON.
	redrawEvery = 100 * time.Millisecond
)

// meter shows the progress of a run: a bar on a terminal, a line every few seconds elsewhere.
// It is not safe for concurrent use.
type meter struct {
	w     io.Writer
	form  form
	tty   bool // with the form auto
	bar   *progressbar.ProgressBar
	start time.Time
	said  time.Time // when the last line was written
}

func newMeter(w io.Writer, how form) meter {
	m := meter{start: time.Now(), said: time.Now(), form: how}
	if m.w = w; how == auto {
		m.w, m.tty = terminal(w)
	}
	return m
}

// elapsed is the time since the run began, in seconds, never 0.
func (m *meter) elapsed() float64 { return max(time.Since(m.start).Seconds(), 1e-9) }

// left prints the time that the rest takes at a rate per second; "?" when the rate is not known.
func left(rest, rate float64) string {
	if !(rate > 0) {
		return "?"
	}
	return time.Duration(rest / rate * float64(time.Second)).Round(time.Second).String()
}

// show shows that done of total units are done. must writes the line whenever the last one was.
func (m *meter) show(done, total int64, unit, text string, must bool) {
	if m.form == silent {
		return
	}
	if m.tty {
		if m.bar == nil { // the bar's own rate would count from its first drawing
			m.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(m.w), progressbar.OptionSetWidth(20),
				progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false),
				progressbar.OptionShowCount(),
				progressbar.OptionThrottle(redrawEvery), progressbar.OptionClearOnFinish())
		}
		m.bar.Describe(text)
		m.bar.Set64(min(done, total)) // a bar that cannot be drawn is no reason to stop
		return
	}
	every := lineEvery
	if m.form == inJSON {
		every = redrawEvery
	}
	if !must && time.Since(m.said) < every {
		return
	}
	m.said = time.Now()
	if m.form == inJSON {
		printProgress(m.w, unit, done, total, text)
	} else {
		fmt.Fprintf(m.w, "%d of %d %s, %s\n", done, total, unit, text)
	}
}

// close clears the bar.
func (m *meter) close() {
	if m.bar != nil {
		m.bar.Clear()
	}
}
