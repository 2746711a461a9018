//go:build !linux

package env

import "os"

// Secure reports whether the process has rights that who started it need not have:
// a setuid or setgid program. What the environment names is then not to be trusted.
func Secure() bool { return os.Getuid() != os.Geteuid() || os.Getgid() != os.Getegid() }
