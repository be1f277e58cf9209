package release

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
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
	if id, is := elfBuildID(f); is {
		return id
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

// elfBuildID reads the note of an ELF file of 64 bits; is = f is one. debug/elf would bring readers
// of compressed sections into the C library, 130 kB.
func elfBuildID(f io.ReaderAt) (id string, is bool) {
	const headLen, noteType, noteHead = 64, 7, 16 // a note has three numbers and the name "Go\0\0"
	var head [headLen]byte
	if _, err := f.ReadAt(head[:], 0); err != nil || string(head[:4]) != "\x7fELF" || head[4] != 2 {
		return "", false
	}
	var order binary.ByteOrder = binary.LittleEndian
	if head[5] == 2 {
		order = binary.BigEndian
	}
	from, size, n := int64(order.Uint64(head[40:])), int64(order.Uint16(head[58:])), int64(order.Uint16(head[60:]))
	for i := range n {
		var section [headLen]byte
		if _, err := f.ReadAt(section[:], from+i*size); err != nil || order.Uint32(section[4:]) != noteType {
			continue
		}
		data := make([]byte, min(order.Uint64(section[32:]), 4096))
		if _, err := f.ReadAt(data, int64(order.Uint64(section[24:]))); err != nil || len(data) < noteHead ||
			string(data[12:noteHead]) != "Go\x00\x00" || order.Uint32(data[8:]) != 4 {
			continue
		}
		return string(data[noteHead:][:min(int(order.Uint32(data[4:])), len(data)-noteHead)]), true
	}
	return "", true
}
