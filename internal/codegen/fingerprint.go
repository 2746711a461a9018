package codegen

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"heddle/internal/abi"
	"heddle/internal/env"
	"heddle/internal/json"
	"heddle/internal/llvm"
)

// environment are the variables that decide which files are found.
var environment = []string{
	llvm.EnvLLVM, llvm.EnvComgr, EnvBackend, EnvDeviceLibs, "HOME",
	"LD_LIBRARY_PATH", "ROCM_PATH", "CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV", "CONDA_PREFIX",
}

// surroundings are the files that a compile to one kind of object would use here and now.
type surroundings struct {
	MathLib string   // see HasMathLib; "" for none
	Files   []string // the compiler's library, and the math library's
	// Dirs are those that were looked into, at the time of their last change. While none
	// has changed there is nothing else to find.
	Dirs []folderState
}

type folderState struct {
	Path    string
	Changed int64 // nanoseconds, 0: it is not there
}

// remembered are the surroundings for as long as the environment is as it was.
type remembered struct {
	mu    sync.Mutex
	key   string
	value *surroundings
}

var remember = [len(backends)]remembered{}

// look finds the surroundings of a kind of object. It looks once per process, and again when
// the environment has changed or libLLVM is loaded. What an earlier process has found serves,
// too: looking takes a millisecond, and looking at the directories' times a twentieth.
func look(kind abi.Kind) *surroundings {
	var key bytes.Buffer
	for _, name := range environment {
		fmt.Fprintf(&key, "%q", os.Getenv(name))
	}
	lib := llvm.Loaded()
	if lib != nil {
		key.WriteString(lib.Path)
	}
	r := &remember[kind]
	r.mu.Lock()
	defer r.mu.Unlock()
	k := key.String()
	if r.key == k {
		return r.value
	}
	r.key = k
	if lib != nil || llvm.Named() || runtime.GOOS == "windows" { // whose paths are no patterns
		r.value = search(kind)
		return r.value
	}
	sum := sha256.Sum256([]byte(fmt.Sprintf("surroundings %d %d %s %s", cacheFormat, kind, backends[kind].version(), k)))
	record := hex.EncodeToString(sum[:])
	s := new(surroundings)
	if text := Record(record); text != nil && json.Unmarshal(text, s) == nil && s.unchanged() {
		r.value = s
		return s
	}
	dirs := states(watched(slices.Concat(llvm.SearchPatterns(), backends[kind].mathDirs()))) // before the search: what comes meanwhile is a change
	r.value = search(kind)
	r.value.Dirs = dirs
	if text, err := json.Marshal(r.value); err == nil {
		SetRecord(record, text)
	}
	return r.value
}

// search looks at all directories.
func search(kind abi.Kind) *surroundings {
	s := new(surroundings)
	if env.Get(EnvDeviceLibs) != "off" {
		s.MathLib = backends[kind].mathLib()
	}
	if _, path, err := Backend(kind); err == nil {
		s.Files = append(s.Files, path)
	}
	for _, lib := range backends[kind].libraries {
		if s.MathLib != "" {
			s.Files = append(s.Files, filepath.Join(s.MathLib, lib.file))
		}
	}
	return s
}

// unchanged reports whether the directories are as they were, and the files there.
func (s *surroundings) unchanged() bool {
	for _, d := range s.Dirs {
		if changed(d.Path) != d.Changed {
			return false
		}
	}
	for _, f := range s.Files {
		if _, err := os.Stat(f); err != nil && f != "" {
			return false
		}
	}
	return len(s.Dirs) > 0
}

func states(dirs []string) (all []folderState) {
	for _, d := range dirs {
		all = append(all, folderState{d, changed(d)})
	}
	return all
}

// changed is when a directory's list of files last changed, 0 if there is none.
func changed(dir string) int64 {
	st, err := os.Stat(dir)
	if err != nil {
		return 0
	}
	return st.ModTime().UnixNano()
}

// watched are the directories that decide which directories patterns match, and those that
// they do match: one may appear where a pattern has a wildcard, or where its next part is missing.
func watched(patterns []string) (dirs []string) {
	add := func(dir string) {
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, pattern := range patterns {
		if !strings.ContainsAny(pattern, `*?[\`) {
			add(filepath.Clean(pattern)) // here or not
			continue
		}
		at := []string{string(filepath.Separator)}
		for part := range strings.SplitSeq(strings.Trim(pattern, string(filepath.Separator)), string(filepath.Separator)) {
			var next []string
			for _, dir := range at {
				matches, _ := filepath.Glob(filepath.Join(literally(dir), part))
				if len(matches) == 0 || strings.ContainsAny(part, `*?[`) {
					add(dir)
				}
				next = append(next, matches...)
			}
			at = next
		}
		for _, dir := range at {
			add(dir)
		}
	}
	return dirs
}

// Fingerprint identifies the compiler and the math library that a compile to a
// kind of object would use here and now: path, size and time of each file. It
// opens none. Where no process has looked before, it takes a millisecond: a caller that has
// other work to do first may start it in a goroutine of its own.
func Fingerprint(kind abi.Kind) string {
	if backendOf(kind) == nil { // abi.GoFunc
		return ""
	}
	s := look(kind)
	var b bytes.Buffer
	b.WriteString(backends[kind].version())
	for _, file := range s.Files {
		if st, err := os.Stat(file); err == nil {
			fmt.Fprintf(&b, "%s %d %d\n", file, st.Size(), st.ModTime().UnixNano())
		}
	}
	return b.String()
}
