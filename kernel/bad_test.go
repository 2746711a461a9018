package kernel_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"heddle/internal/source"
	"heddle/kernel"
)

// A want is one expected error: a pattern for "column: message" at a line.
type want struct {
	line    int // 0: anywhere, or nowhere
	pattern *regexp.Regexp
	met     bool
}

// A section is one bad kernel with its helpers.
type section struct {
	file  string
	wants []*want
}

var (
	sectionStart = regexp.MustCompile(`^// bad (.+)$`)
	wantComment  = regexp.MustCompile(`// want(@-1| nowhere)? (".*)$`)
	oneError     = regexp.MustCompile(`^(?:kernel [^:]+: )?(?:(\S+\.go):(\d+)(?::(\d+))?: )?(.*)$`)
)

// calledFrom begins the line of a call that leads to what is wrong.
const calledFrom = "\n\tcalled from "

// sections reads the bad kernels of a file.
func sections(t *testing.T, file string) map[string]*section {
	text, err := benchSource.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*section{}
	var now *section
	for _, group := range f.Comments {
		for _, c := range group.List {
			if m := sectionStart.FindStringSubmatch(c.Text); m != nil {
				if all[m[1]] != nil {
					t.Errorf("%s: two sections %q", file, m[1])
				}
				now = &section{file: file}
				all[m[1]] = now
			} else if m := wantComment.FindStringSubmatch(c.Text); m != nil {
				now.add(t, m[1], m[2], fset.Position(c.Pos()).Line)
			}
		}
	}
	return all
}

// add takes a comment's patterns.
func (s *section) add(t *testing.T, where, patterns string, line int) {
	switch where {
	case "@-1":
		line--
	case " nowhere":
		line = 0
	}
	for patterns != "" {
		quoted, err := strconv.QuotedPrefix(patterns)
		if err != nil {
			t.Fatalf("%s:%d: %s: %v", s.file, line, patterns, err)
		}
		text, _ := strconv.Unquote(quoted)
		s.wants = append(s.wants, &want{line: line, pattern: regexp.MustCompile(text)})
		patterns = strings.TrimSpace(patterns[len(quoted):])
	}
}

// check compares an error, one diagnosis a line, with what is wanted. Every
// diagnosis has a hint, and only the wanted ones come.
func (s *section) check(t *testing.T, err error) {
	if err == nil {
		t.Fatal("no error")
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(err.Error(), calledFrom, "; called from "), "\n") {
		line, calls, _ := strings.Cut(line, "; called from ")
		m := oneError.FindStringSubmatch(line)
		at, _ := strconv.Atoi(m[2])
		text := m[3] + ": " + m[4]
		if calls != "" {
			text += calledFrom + strings.ReplaceAll(calls, "; called from ", calledFrom)
		}
		i := slices.IndexFunc(s.wants, func(w *want) bool {
			return !w.met && (w.line == 0 || w.line == at && strings.HasSuffix(m[1], "/"+s.file)) && w.pattern.MatchString(text)
		})
		switch {
		case i < 0:
			t.Errorf("unexpected: %s", line)
		default:
			s.wants[i].met = true
		}
		if strings.Contains(line, "internal ") || strings.Contains(line, "goroutine ") {
			t.Errorf("a failure of heddle's own: %s", line)
		}
		if !strings.HasSuffix(line, ")") && !strings.Contains(line, ": want ") && !strings.Contains(line, "takes no arguments") {
			t.Errorf("no hint: %s", line)
		}
	}
	for _, w := range s.wants {
		if !w.met {
			t.Errorf("%s:%d: missing: %s", s.file, w.line, w.pattern)
		}
	}
}

// Refusing one kernel may cost this much: some 0.3 s.
const (
	maxBytes     = 1_500_000 // of all that the kernels before have brought too
	maxFunctions = 100
)

// moreBytes are the ceilings of kernels that need more than maxBytes.
var moreBytes = map[string]int{
	"shared buffer": 3_750_000, // it names a type of package launch, which is read for it, and maybe all that this imports: 3.68 MB
}

// Every bad kernel is refused with its own errors, at their places, with hints, and
// soon.
func TestBadKernels(t *testing.T) {
	count, sim := 0, openSim(t)
	for file, kernels := range map[string]map[string]any{
		"bad_types_test.go": typeKernels, "bad_calls_test.go": callKernels, "bad_directives_test.go": directiveKernels, "bad_closures_test.go": mergeMaps(closureKernels(), alikeKernels(), bufferKernels),
	} {
		all := sections(t, file)
		if a, b := slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(kernels)); !slices.Equal(a, b) {
			t.Errorf("%s: sections %q\nkernels %q", file, a, b)
		}
		for _, name := range slices.Sorted(maps.Keys(kernels)) {
			s := all[name]
			if s == nil {
				continue
			}
			count++
			t.Run(name, func(t *testing.T) {
				k := kernel.New(kernels[name])
				before := source.Worked()
				err := k.Check()
				now := source.Worked()
				if bytes, funcs := now.Bytes-before.Bytes, now.Functions-before.Functions; bytes > max(maxBytes, moreBytes[name]) || funcs > maxFunctions {
					t.Errorf("%d bytes in %d packages were read and %d functions built, want %d and %d at most", bytes, now.Packages-before.Packages, funcs, max(maxBytes, moreBytes[name]), maxFunctions)
				}
				s.check(t, err)
				if _, again := k.Object("gfx942", 0); fmt.Sprint(again) != fmt.Sprint(err) {
					t.Errorf("Object says %v\nCheck says %v", again, err)
				}
				if again := k.Compile(sim); fmt.Sprint(again) != fmt.Sprint(err) {
					t.Errorf("the simulator says %v\nCheck says %v", again, err)
				}
			})
		}
	}
	if count < 60 {
		t.Errorf("%d bad kernels, want 60", count)
	}
	setFactor(3) // the host writes it, which is what makes badGlobalRead bad
}

func mergeMaps(ms ...map[string]any) map[string]any {
	all := map[string]any{}
	for _, m := range ms {
		maps.Copy(all, m)
	}
	return all
}

// New panics where its argument is no kernel at all, and says what to do.
//
//lint:ignore heddle what New refuses at run time, vet reports
func TestNewPanics(t *testing.T) {
	for _, c := range []struct {
		fn   any
		want string
	}{
		{nil, "want a function"},
		{3, "kernel.New(int): want a function"},
		{(func([]int))(nil), "the function is nil"},
		{func(int) int { return 1 }, "a kernel has no results: let it write to a slice"},
		{func(...int) {}, "a kernel is not variadic: let it take a slice"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, c.want) {
					t.Errorf("New(%T) panics with %q, want %q", c.fn, got, c.want)
				}
			}()
			kernel.New(c.fn)
			t.Errorf("New(%T) does not panic", c.fn)
		}()
	}
}
