//go:build unix

package codegen

import (
	"os"
	"path/filepath"
	"syscall"

	"heddle/internal/errs"
)

// trusted says why code must not be loaded from a directory: someone other than the
// user and root owns it or one of its parents, or may write there. A sticky parent,
// such as /tmp, may be writable: what others own there, they do not replace.
func trusted(dir string) error {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return err
	}
	uid := uint32(os.Geteuid())
	for at := dir; ; at = filepath.Dir(at) {
		st, err := os.Lstat(at)
		if err != nil {
			return err
		}
		sys, ok := st.Sys().(*syscall.Stat_t)
		if !ok {
			return nil
		}
		if sys.Uid != uid && (sys.Uid != 0 || at == dir) {
			return errs.F("%s belongs to user %d, not to user %d, who runs this program", at, sys.Uid, uid)
		}
		loose := st.Mode().Perm() & 0o022
		if sys.Gid == sys.Uid {
			loose &^= 0o020 // the group that is the user's alone
		}
		if loose != 0 && (at == dir || st.Mode()&os.ModeSticky == 0) {
			return errs.F("others can write to %s (%v): chmod go-w %s", at, st.Mode(), at)
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}
