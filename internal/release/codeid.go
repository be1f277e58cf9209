package release

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"io"
	"os"
	"strings"
)

// CodeID distinguishes programs of different code by twelve characters: it is the ID of the first
// of files that can be opened, "" where none can.
func CodeID(files ...string) string {
	for _, p := range files {
		if f, err := os.Open(p); err == nil {
			defer f.Close()
			return codeID(f)
		}
	}
	return ""
}

// codeID is CodeID of an open file. Go's linker has hashed the program already and wrote the hash
// into it as the last part of its build ID, which is read in microseconds. A program without one
// (-ldflags=-buildid=) is hashed here; "" when it cannot be read.
func codeID(f io.ReaderAt) string {
	const size = 12
	id := buildID(f)
	if id = id[strings.LastIndexByte(id, '/')+1:]; len(id) >= size {
		return id[:size]
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, 1<<62)); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))[:size]
}

// buildID reads Go's build ID: a note of an ELF file, elsewhere a text at the start; "" = there is
// none.
func buildID(f io.ReaderAt) string {
	if exe, err := elf.NewFile(f); err == nil {
		note := exe.Section(".note.go.buildid")
		if note == nil {
			return ""
		}
		data, err := note.Data()
		const head = 16 // three numbers and the name "Go\0\0"
		if err != nil || len(data) < head {
			return ""
		}
		size := int(exe.ByteOrder.Uint32(data[4:]))
		return string(data[head:][:min(size, len(data)-head)])
	}
	start := make([]byte, 64<<10)
	n, _ := f.ReadAt(start, 0) // a shorter file is an error with n bytes
	_, rest, found := bytes.Cut(start[:n], []byte("\xff Go build ID: \""))
	id, _, ends := bytes.Cut(rest, []byte("\"\n \xff"))
	if !found || !ends {
		return ""
	}
	return string(id)
}
