package env

import (
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// Secure reports whether the process has rights that who started it need not have:
// a setuid or setgid program, or one with capabilities (AT_SECURE, getauxval(3)).
// What the environment names is then not to be trusted.
var Secure = sync.OnceValue(func() bool {
	const secure = 23 // AT_SECURE
	aux, err := unix.Auxv()
	if err == nil {
		for _, kv := range aux {
			if kv[0] == secure {
				return kv[1] != 0
			}
		}
	}
	return os.Getuid() != os.Geteuid() || os.Getgid() != os.Getegid()
})
