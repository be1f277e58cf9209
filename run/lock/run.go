package lock

import (
	"fmt"
	"os"
	"path/filepath"
)

// Run is the lock of a folder in which a run continues later. A run that is refused before it
// begins leaves nothing, not even the folder. On a nil Run, whose folder the caller keeps for
// itself by other means, all methods do nothing.
type Run struct {
	// Dir is the folder, Mark a file that is in it once a run has begun.
	Dir, Mark string

	release func() // nil = not locked
}

// Enter locks the folder if a run has begun there, so that no process changes what is read of it
// next.
func (r *Run) Enter() (err error) {
	if r == nil || !r.begun() {
		return nil
	}
	r.release, err = Folder(r.Dir)
	return err
}

// Begin locks the folder, unless Enter did: no run may have begun there in between.
func (r *Run) Begin() (err error) {
	if r == nil || r.release != nil {
		return nil
	}
	if r.release, err = Folder(r.Dir); err == nil && r.begun() {
		err = fmt.Errorf("%s: another run began there at the same moment; give another folder", r.Dir)
	}
	return err
}

// Leave lets others in.
func (r *Run) Leave() {
	if r != nil && r.release != nil {
		r.release()
		r.release = nil
	}
}

func (r *Run) begun() bool {
	_, err := os.Stat(filepath.Join(r.Dir, r.Mark))
	return err == nil
}
