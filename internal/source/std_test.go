package source_test

import (
	"bytes"
	"encoding/binary"
	"go/ast"
	"net/http"
	"sort"
	"strings"
	"testing"

	"heddle/internal/source"
)

func namesStandard(text []byte, keys []int) int {
	return bytes.IndexByte(text, ',') + sort.SearchInts(keys, 3) + int(binary.LittleEndian.Uint16(text))
}

func namesOthers(req *http.Request, text []byte) int {
	return len(req.Method) + bytes.IndexByte(text, ',')
}

func namesTree(f *ast.File) string { return strings.ToUpper(f.Name.Name) }

// TestStandardSources checks that what embedded sources name of portable standard packages is read from GOROOT, without a go list that
// may compile all that the program imports; of others it is not.
func TestStandardSources(t *testing.T) {
	for i, fn := range []any{namesStandard, namesOthers, namesTree} {
		source.Reset(true)
		t.Cleanup(func() { source.Reset(true) })
		source.RegisterCaller(sources, 0)
		u, err := source.Find(fn, source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if portable := i == 0; source.Listed() == portable {
			t.Errorf("%s: go list ran: %v", u.Fn.Name(), !portable)
		}
		if u.Fn.Blocks == nil {
			t.Errorf("%s has no body", u.Fn.Name())
		}
	}
}
