package native

import (
	"os"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"heddle/internal/errs"
)

// An Image is an object in this process's memory.
type Image struct {
	layout *layout

	mu  sync.Mutex
	mem []byte // nil: closed
}

// Supported is nil where Load works: on Linux, amd64 and arm64.
func Supported() error {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return errs.F("native: compiled code can be loaded on Linux, amd64 and arm64, not on %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	return nil
}

// Load makes an object's code callable. Symbols that it leaves undefined are the
// C library's, libm's and libgcc's; the error names those that none of them has.
func Load(file []byte) (*Image, error) {
	if err := Supported(); err != nil {
		return nil, err
	}
	o, err := Parse(file)
	if err != nil {
		return nil, err
	}
	if o.machine.name != runtime.GOARCH {
		return nil, errs.F("native: an object for %s, this is %s", o.machine.name, runtime.GOARCH)
	}
	l, err := o.layOut(uint64(os.Getpagesize()))
	if err != nil {
		return nil, err
	}
	outside, err := l.resolve(libraries.find)
	if err != nil {
		return nil, errs.F("%w (looked for in %s)", err, libraries.names())
	}
	mem, err := mapMemory(int(l.begin[parts]))
	if err != nil {
		return nil, errs.F("native: mapping %d bytes: %w", l.begin[parts], err)
	}
	i := &Image{layout: l, mem: mem}
	if err = l.link(mem, uint64(uintptr(unsafe.Pointer(&mem[0]))), outside); err == nil {
		err = i.protect()
	}
	if err != nil {
		_ = i.Close()
		return nil, err
	}
	return i, nil
}

// protect takes away the right to write where it is no longer needed.
func (i *Image) protect() error {
	begin := i.layout.begin
	text := i.mem[begin[code]:begin[constants]]
	flush(text)
	for _, p := range []struct {
		mem  []byte
		exec bool
	}{{text, true}, {i.mem[begin[constants]:begin[data]], false}} {
		if len(p.mem) == 0 {
			continue
		}
		if err := protectMemory(p.mem, p.exec); err != nil {
			return errs.F("native: making compiled code executable: %w", err)
		}
	}
	return nil
}

// Symbol returns the address of a global symbol of the object and how many
// bytes from there on are its own; both 0 if there is none.
func (i *Image) Symbol(name string) (address uintptr, size int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	s := i.layout.find(name)
	if s == nil || i.mem == nil {
		return 0, 0
	}
	return uintptr(unsafe.Pointer(&i.mem[0])) + uintptr(s.section.at+s.value), int(s.size)
}

// Read copies the first bytes of a symbol that is not code into to, and reports
// whether there are so many.
func (i *Image) Read(name string, to []byte) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	s := i.layout.find(name)
	if s == nil || i.mem == nil || s.section.part == code || uint64(len(to)) > s.size {
		return false
	}
	copy(to, i.mem[s.section.at+s.value:])
	return true
}

// Write copies from to the start of a variable, which must have as many bytes and be
// writable, and reports whether it is. No code of the image may be running.
func (i *Image) Write(name string, from []byte) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	s := i.layout.find(name)
	if s == nil || i.mem == nil || s.section.part != data || uint64(len(from)) != s.size {
		return false
	}
	copy(i.mem[s.section.at+s.value:], from)
	return true
}

// Code reports whether the symbol is code of the image.
func (i *Image) Code(name string) bool {
	s := i.layout.find(name)
	return s != nil && s.section.part == code && s.value < s.section.size
}

// Close unmaps the image; nothing may run in it. Closing twice is fine.
func (i *Image) Close() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	mem := i.mem
	i.mem = nil
	if mem == nil {
		return nil
	}
	return unmapMemory(mem)
}

// libs are shared libraries that are opened when a symbol is first looked for,
// and stay.
type libs struct {
	files  []string
	once   sync.Once
	opened []uintptr
}

// libraries are the C library and what belongs to it, by the names that glibc
// and musl give them. Those that a machine lacks are passed over.
var libraries = libs{files: []string{
	"libm.so.6", "libc.so.6", "libgcc_s.so.1",
	"libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1",
}}

func (l *libs) find(name string) (uintptr, bool) {
	l.once.Do(func() {
		for _, f := range l.files {
			if h, err := dlopen(f); err == nil {
				l.opened = append(l.opened, h)
			}
		}
	})
	for _, h := range l.opened {
		if a, err := dlsym(h, name); err == nil && a != 0 {
			return a, true
		}
	}
	return 0, false
}

func (l *libs) names() string { return strings.Join(l.files[:3], ", ") }
