package report

import (
	"bytes"
	"fmt"
	"net/http"
)

// Handler serves the folder's page at /, and at /data.json what the page asks for again while it is
// open. Every answer is the folder as it is at that moment, read anew only when something in it has
// changed; data.json has an ETag, and a question with that tag is answered by 304 until something
// changes. At /live.json it serves what trials that run report. Other paths and methods are refused.
func (r *Reader) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, q *http.Request) {
		m, err := r.read(q.Context())
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		var page bytes.Buffer
		if err := write(&page, m, true); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		secure(w)
		w.Write(page.Bytes()) // a browser that went away is no fault
	})
	mux.HandleFunc("GET /data.json", func(w http.ResponseWriter, q *http.Request) {
		m, err := r.read(q.Context())
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		tag := fmt.Sprintf("%q", m.tag)
		secure(w)
		w.Header().Set("ETag", tag)
		if q.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(m.data)
	})
	mux.HandleFunc("GET /live.json", r.running)
	return mux
}

// secure forbids caches, frames and guesses of the content's type.
func secure(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("X-Frame-Options", "DENY")
}
