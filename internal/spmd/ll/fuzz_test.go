package ll

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzParse looks for text that makes Parse panic, and for modules that are
// not whole.
func FuzzParse(f *testing.F) {
	f.Add(wholeModule)
	files, _ := filepath.Glob("testdata/*.ll")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, test := range instructions {
		f.Add("define void @f() {\n" + test.in + "\n}")
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "line ") {
				t.Errorf("an error without its line: %v", err)
			}
			return
		}
		for _, f := range m.Funcs {
			for _, b := range f.Blocks {
				checkBlock(t, b)
			}
		}
	})
}

func checkBlock(t *testing.T, b *Block) {
	if !terminators.Has(b.Term().Op) {
		t.Errorf("block %s ends with %s", b.Name, b.Term())
	}
	for n, i := range b.Insts {
		if i.Block != b || i.String() == "" || terminators.Has(i.Op) != (n == len(b.Insts)-1) {
			t.Errorf("%s is in the wrong place", i)
		}
		i.Typ.Size()
		for _, a := range i.Args {
			a.Type().Align()
		}
	}
}
