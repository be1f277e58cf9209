package report

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tarry/internal/legible"
	"tarry/output/live"
)

// running answers with what trials that run did since the offsets in the question, after=NAME:BYTES,
// and marks the folder as watched. A folder without running trials gives an empty list.
func (r *Reader) running(w http.ResponseWriter, q *http.Request) {
	after := map[string]int64{}
	for _, one := range q.URL.Query()["after"] {
		name, text, _ := strings.Cut(one, ":")
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			http.Error(w, "after: expected NAME:BYTES", http.StatusBadRequest)
			return
		}
		after[name] = n
	}
	_ = live.Watch(r.dir) // a folder that cannot be marked has no streams
	var now time.Time
	if r.opt.Now != nil {
		now = r.opt.Now()
	}
	news, err := live.Read(r.dir, after, now)
	var data []byte
	if err == nil {
		data, err = json.Marshal(news)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	secure(w)
	w.Header().Set("Content-Type", "application/json")
	w.Write(legible.JSON(data))
}
