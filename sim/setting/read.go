package setting

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarry/sim/param"
)

// Read takes the values of rows from a set; what is not given stays as it is. Faults are noted in
// the set.
func Read(s *param.Set, rows []Row) {
	for i := range rows {
		rows[i].read(s)
	}
}

func (r *Row) read(s *param.Set) {
	if r.Read != nil {
		r.Read(s)
		return
	}
	if r.Inside != nil {
		Read(s.Child(r.Key), r.Inside)
		return
	}
	switch to := r.To.(type) {
	case *string:
		if r.Names != nil {
			*to = s.Enum(r.Key, append([]string{*to}, r.Names...)...)
		} else {
			*to = s.Text(r.Key, *to)
		}
	case *[]string:
		*to = s.Texts(r.Key, *to)
	case *bool:
		*to = s.Bool(r.Key, *to)
	case *int:
		*to = s.Int(r.Key, *to, int(r.Low), int(r.High))
	case *int64:
		*to = s.Int64(r.Key, *to, int64(r.Low), int64(r.High))
	case *uint64:
		*to = uint64(s.Int64(r.Key, int64(*to), int64(r.Low), whole(r.High)))
	case *float64:
		*to = r.readFloat(s, *to)
	}
}

// readFloat gives the number, def where none in the range is given.
func (r *Row) readFloat(s *param.Set, def float64) float64 {
	if !r.Zero {
		return s.Float(r.Key, def, r.Low, r.High)
	}
	if v := s.Float(r.Key, def, 0, r.High); v == 0 || v >= r.Low {
		return v
	}
	s.Wrong(r.Key, r.Range())
	return def
}

// whole is a bound as a whole number: the greatest one has no float64 of its own.
func whole(bound float64) int64 {
	if bound >= 1<<63 {
		return 1<<63 - 1
	}
	return int64(bound)
}

// Settable reports whether Put can set the value.
func (r *Row) Settable() bool { return r.To != nil || r.Set != nil }

// Put sets the value from the text of a flag. It takes numbers out of their range, too, which Wrong
// reports.
func (r *Row) Put(text string) error {
	if r.Set != nil {
		return r.Set(text)
	}
	var err error
	switch to := r.To.(type) {
	case *string:
		*to = text
	case *[]string:
		*to = strings.Split(text, "+")
	case *bool:
		*to, err = strconv.ParseBool(text)
	case *int:
		*to, err = strconv.Atoi(text)
	case *int64:
		*to, err = strconv.ParseInt(text, 10, 64)
	case *uint64:
		*to, err = strconv.ParseUint(text, 10, 64)
	case *float64:
		*to, err = param.ParseFloat(text)
	default:
		err = fmt.Errorf("%s cannot be set by a text", r.Key)
	}
	return err
}

// Files lists the files that the present values of rows name, in the order in which they are
// recorded.
func Files(rows []Row) []string {
	var first, others []string
	for i := range rows {
		switch r := &rows[i]; {
		case r.Files == nil:
		case r.FilesFirst:
			first = append(first, r.Files()...)
		default:
			others = append(others, r.Files()...)
		}
	}
	return slices.Concat(first, others)
}
