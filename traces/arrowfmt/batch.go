package arrowfmt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"tarry/traces/intake"
	"tarry/traces/jobcell"
)

// Places in the tables of RecordBatch and BodyCompression of Arrow's Message.fbs.
const (
	batchLength, batchNodes, batchBuffers, batchCompression, batchVariadic = 0, 1, 2, 3, 4
	compressionCodec                                                       = 0
	codecLZ4, codecZstd                                                    = 0, 1
	// sizes of the structs FieldNode and Buffer
	nodeSize, bufferSize = 16, 16
	// version5 is of messages in which unions have no bits for NULL.
	version5 = 4
)

// maxBuffer is the largest buffer of a column, decompressed.
const maxBuffer = 1 << 30

// batch ties the buffers of a record batch to columns, one column behind the other.
type batch struct {
	m                          *message
	rows                       int
	node, nodes                int // place of the next one, and how many are left
	buffer, buffers            int
	variadic, variadics, codec int
}

// newBatch reads the record batch at a place of a message.
func newBatch(m *message, at int) (*batch, error) {
	b := &batch{m: m, codec: -1}
	rows := m.Scalar(at, batchLength, 8, 0)
	var ok1, ok2, ok3 bool
	b.node, b.nodes, ok1 = m.List(at, batchNodes, nodeSize)
	b.buffer, b.buffers, ok2 = m.List(at, batchBuffers, bufferSize)
	b.variadic, b.variadics, ok3 = m.List(at, batchVariadic, 8)
	if !ok1 || !ok2 || !ok3 || rows < 0 {
		return nil, errDamaged
	}
	if rows > intake.DefaultMaxJobs {
		return nil, fmt.Errorf("a batch of %d rows, expected at most %d", rows, intake.DefaultMaxJobs)
	}
	b.rows = int(rows)
	if c, ok := m.Child(at, batchCompression); ok {
		if b.codec = int(m.Scalar(c, compressionCodec, 1, codecLZ4)); b.codec != codecLZ4 && b.codec != codecZstd {
			return nil, fmt.Errorf("compression %d cannot be read, expected lz4 or zstd: write the file again with one "+
				"of them", b.codec)
		}
	}
	return b, nil
}

// array is a column of a batch.
type array struct {
	field    *field
	n        int
	valid    []byte   // bits of the values that are not NULL; nil = all are
	data     []byte   // values of fixed width, places in a dictionary, views, or texts
	offsets  []byte   // of texts
	more     [][]byte // texts of views
	values   []jobcell.Value
	indexed  bool // the data are places among values
	physical field
}

// array takes the next column; without wanted it only passes over its buffers.
func (b *batch) array(f *field, wanted bool) (*array, error) {
	a := &array{field: f, physical: *f}
	if f.dictionary != nil {
		a.physical, a.indexed = f.dictionary.index, true
	}
	length, ok := b.nextNode()
	if !ok {
		return nil, errDamaged
	}
	if !wanted {
		return a, b.pass(f)
	}
	if a.n = int(length); length < 0 || length > intake.DefaultMaxJobs {
		return nil, fmt.Errorf("%d values, expected at most %d", length, intake.DefaultMaxJobs)
	}
	p := &a.physical
	if p.kind == kindNull {
		return a, nil
	}
	var err error
	if a.valid, err = b.bytes((a.n + 7) / 8); err != nil {
		return nil, err
	}
	switch p.kind {
	case kindBool:
		return a, b.exactly(&a.data, (a.n+7)/8)
	case kindUtf8, kindBinary:
		return a, b.texts(a, 4)
	case kindLargeUtf8, kindLargeBinary:
		return a, b.texts(a, 8)
	case kindUtf8View, kindBinaryView:
		return a, b.views(a)
	}
	return a, b.exactly(&a.data, a.n*p.width)
}

// texts reads offsets of so many bytes and what they point into.
func (b *batch) texts(a *array, size int) error {
	a.physical.width = size
	if a.n == 0 {
		b.skip(2)
		return nil
	}
	if err := b.exactly(&a.offsets, (a.n+1)*size); err != nil {
		return err
	}
	last, ok := a.offset(a.n)
	if !ok {
		return errDamaged
	}
	var err error
	a.data, err = b.bytes(last)
	return err
}

// views reads views of 16 bytes and the buffers that they point into.
func (b *batch) views(a *array) error {
	if err := b.exactly(&a.data, 16*a.n); err != nil {
		return err
	}
	count, ok := b.nextVariadic()
	if !ok {
		return errDamaged
	}
	for range count {
		data, err := b.bytes(maxBuffer)
		if err != nil {
			return err
		}
		a.more = append(a.more, data)
	}
	return nil
}

// pass goes past the buffers and the children of a column that is not read.
func (b *batch) pass(f *field) error {
	buffers := map[kind]int{kindNull: 0, kindRunEnds: 0, kindBinary: 3, kindUtf8: 3, kindLargeBinary: 3,
		kindLargeUtf8: 3, kindListView: 3, kindLargeListView: 3, kindFixedList: 1, kindStruct: 1, kindUnion: 1}
	n, ok := buffers[f.kind]
	switch {
	case f.dictionary != nil:
		b.skip(2)
		return nil
	case f.kind < kindNull || f.kind > kindLargeListView:
		return fmt.Errorf("holds %v, which this program cannot pass over: leave the column out", f.kind)
	case f.kind == kindUtf8View || f.kind == kindBinaryView:
		count, ok := b.nextVariadic()
		if !ok {
			return errDamaged
		}
		n = 2 + count
	case f.kind == kindUnion:
		if f.dense {
			n++
		}
		if b.m.version < version5 {
			n++
		}
	case !ok:
		n = 2
	}
	b.skip(n)
	for i := range f.children {
		if _, ok := b.nextNode(); !ok {
			return errDamaged
		}
		if err := b.pass(&f.children[i]); err != nil {
			return err
		}
	}
	return nil
}

// nextNode gives the length of the next column or part of one.
func (b *batch) nextNode() (int64, bool) {
	if b.nodes == 0 {
		return 0, false
	}
	length, ok := b.m.Number(b.node, 8)
	b.node, b.nodes = b.node+nodeSize, b.nodes-1
	return length, ok
}

// nextVariadic gives how many buffers of texts the next column of views has.
func (b *batch) nextVariadic() (int, bool) {
	if b.variadics == 0 {
		return 0, false
	}
	n, ok := b.m.Number(b.variadic, 8)
	b.variadic, b.variadics = b.variadic+8, b.variadics-1
	return int(n), ok && n >= 0 && n <= int64(b.buffers)
}

// skip goes past buffers.
func (b *batch) skip(n int) {
	n = min(n, b.buffers)
	b.buffer, b.buffers = b.buffer+n*bufferSize, b.buffers-n
}

// exactly reads a buffer that has so many bytes at least.
func (b *batch) exactly(to *[]byte, n int) (err error) {
	if *to, err = b.bytes(n); err == nil && len(*to) < n {
		return fmt.Errorf("%d bytes of values, expected %d: the file is damaged", len(*to), n)
	}
	return err
}

// bytes reads at most so many bytes of the next buffer, decompressed.
func (b *batch) bytes(most int) ([]byte, error) {
	if b.buffers == 0 {
		return nil, errDamaged
	}
	offset, _ := b.m.Number(b.buffer, 8)
	length, _ := b.m.Number(b.buffer+8, 8)
	b.skip(1)
	size := int64(len(b.m.body))
	if offset < 0 || length < 0 || offset > size || length > size-offset {
		return nil, errDamaged
	}
	data := b.m.body[offset : offset+length]
	if b.codec < 0 || len(data) == 0 {
		return data[:min(len(data), most)], nil
	}
	if len(data) < 8 {
		return nil, errDamaged
	}
	whole, data := int64(binary.LittleEndian.Uint64(data)), data[8:]
	if whole == -1 { // this one is as it is
		return data[:min(len(data), most)], nil
	}
	if whole < 0 {
		return nil, errDamaged
	}
	return b.decompress(data, int(min(whole, int64(most), maxBuffer)))
}

// decompress gives so many bytes.
func (b *batch) decompress(data []byte, n int) ([]byte, error) {
	var in io.Reader = lz4.NewReader(bytes.NewReader(data))
	if b.codec == codecZstd {
		// One decoder thread: a reader must not start goroutines behind its caller.
		z, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		in = z
	}
	var out bytes.Buffer
	got, err := io.CopyN(&out, in, int64(n))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("a compressed buffer is damaged: %w", err)
	}
	if got < int64(n) {
		return nil, fmt.Errorf("a compressed buffer has %d bytes, expected %d: the file is damaged", got, n)
	}
	return out.Bytes(), nil
}
