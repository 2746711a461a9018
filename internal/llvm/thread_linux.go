package llvm

import "syscall"

// threadID tells OS threads apart, so that the fatal-error handler finds the
// compile whose thread it runs on.
func threadID() int { return syscall.Gettid() }

// exclusive is needed only where threads cannot be told apart.
func exclusive() (unlock func()) { return func() {} }
