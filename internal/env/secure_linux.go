package env

import (
	"os"

	"golang.org/x/sys/unix"

	"heddle/internal/lazy"
)

// Secure reports whether the process has rights that who started it need not have:
// a setuid or setgid program, or one with capabilities (AT_SECURE, getauxval(3)).
// What the environment names is then not to be trusted.
func Secure() bool { return secure.Get() }

var secure = lazy.Value[bool]{Make: func() bool {
	const flag = 23 // AT_SECURE
	aux, err := unix.Auxv()
	if err == nil {
		for _, kv := range aux {
			if kv[0] == flag {
				return kv[1] != 0
			}
		}
	}
	return os.Getuid() != os.Geteuid() || os.Getgid() != os.Getegid()
}}
