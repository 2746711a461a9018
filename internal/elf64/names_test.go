package elf64

import (
	"debug/elf"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// numbers are the exported constants of names.go, beside debug/elf's.
var numbers = map[string][2]uint64{
	"EV_CURRENT":        {EV_CURRENT, uint64(elf.EV_CURRENT)},
	"ELFCLASS32":        {uint64(ELFCLASS32), uint64(elf.ELFCLASS32)},
	"ELFCLASS64":        {uint64(ELFCLASS64), uint64(elf.ELFCLASS64)},
	"ELFDATA2LSB":       {uint64(ELFDATA2LSB), uint64(elf.ELFDATA2LSB)},
	"ELFDATA2MSB":       {uint64(ELFDATA2MSB), uint64(elf.ELFDATA2MSB)},
	"ET_REL":            {uint64(ET_REL), uint64(elf.ET_REL)},
	"ET_DYN":            {uint64(ET_DYN), uint64(elf.ET_DYN)},
	"EM_X86_64":         {uint64(EM_X86_64), uint64(elf.EM_X86_64)},
	"EM_AARCH64":        {uint64(EM_AARCH64), uint64(elf.EM_AARCH64)},
	"SHN_UNDEF":         {uint64(SHN_UNDEF), uint64(elf.SHN_UNDEF)},
	"SHN_LORESERVE":     {uint64(SHN_LORESERVE), uint64(elf.SHN_LORESERVE)},
	"SHN_ABS":           {uint64(SHN_ABS), uint64(elf.SHN_ABS)},
	"SHN_COMMON":        {uint64(SHN_COMMON), uint64(elf.SHN_COMMON)},
	"SHN_XINDEX":        {uint64(SHN_XINDEX), uint64(elf.SHN_XINDEX)},
	"SHT_PROGBITS":      {uint64(SHT_PROGBITS), uint64(elf.SHT_PROGBITS)},
	"SHT_SYMTAB":        {uint64(SHT_SYMTAB), uint64(elf.SHT_SYMTAB)},
	"SHT_STRTAB":        {uint64(SHT_STRTAB), uint64(elf.SHT_STRTAB)},
	"SHT_RELA":          {uint64(SHT_RELA), uint64(elf.SHT_RELA)},
	"SHT_HASH":          {uint64(SHT_HASH), uint64(elf.SHT_HASH)},
	"SHT_DYNAMIC":       {uint64(SHT_DYNAMIC), uint64(elf.SHT_DYNAMIC)},
	"SHT_NOTE":          {uint64(SHT_NOTE), uint64(elf.SHT_NOTE)},
	"SHT_NOBITS":        {uint64(SHT_NOBITS), uint64(elf.SHT_NOBITS)},
	"SHT_REL":           {uint64(SHT_REL), uint64(elf.SHT_REL)},
	"SHT_DYNSYM":        {uint64(SHT_DYNSYM), uint64(elf.SHT_DYNSYM)},
	"SHT_INIT_ARRAY":    {uint64(SHT_INIT_ARRAY), uint64(elf.SHT_INIT_ARRAY)},
	"SHT_FINI_ARRAY":    {uint64(SHT_FINI_ARRAY), uint64(elf.SHT_FINI_ARRAY)},
	"SHT_PREINIT_ARRAY": {uint64(SHT_PREINIT_ARRAY), uint64(elf.SHT_PREINIT_ARRAY)},
	"SHT_LOPROC":        {uint64(SHT_LOPROC), uint64(elf.SHT_LOPROC)},
	"SHF_WRITE":         {uint64(SHF_WRITE), uint64(elf.SHF_WRITE)},
	"SHF_ALLOC":         {uint64(SHF_ALLOC), uint64(elf.SHF_ALLOC)},
	"SHF_EXECINSTR":     {uint64(SHF_EXECINSTR), uint64(elf.SHF_EXECINSTR)},
	"SHF_GROUP":         {uint64(SHF_GROUP), uint64(elf.SHF_GROUP)},
	"SHF_TLS":           {uint64(SHF_TLS), uint64(elf.SHF_TLS)},
	"SHF_COMPRESSED":    {uint64(SHF_COMPRESSED), uint64(elf.SHF_COMPRESSED)},
	"PT_LOAD":           {uint64(PT_LOAD), uint64(elf.PT_LOAD)},
	"PT_DYNAMIC":        {uint64(PT_DYNAMIC), uint64(elf.PT_DYNAMIC)},
	"PT_NOTE":           {uint64(PT_NOTE), uint64(elf.PT_NOTE)},
	"PT_PHDR":           {uint64(PT_PHDR), uint64(elf.PT_PHDR)},
	"PT_GNU_STACK":      {uint64(PT_GNU_STACK), uint64(elf.PT_GNU_STACK)},
	"PT_GNU_RELRO":      {uint64(PT_GNU_RELRO), uint64(elf.PT_GNU_RELRO)},
	"PF_X":              {uint64(PF_X), uint64(elf.PF_X)},
	"PF_W":              {uint64(PF_W), uint64(elf.PF_W)},
	"PF_R":              {uint64(PF_R), uint64(elf.PF_R)},
	"DT_HASH":           {uint64(DT_HASH), uint64(elf.DT_HASH)},
	"DT_STRTAB":         {uint64(DT_STRTAB), uint64(elf.DT_STRTAB)},
	"DT_SYMTAB":         {uint64(DT_SYMTAB), uint64(elf.DT_SYMTAB)},
	"DT_RELA":           {uint64(DT_RELA), uint64(elf.DT_RELA)},
	"DT_RELASZ":         {uint64(DT_RELASZ), uint64(elf.DT_RELASZ)},
	"DT_RELAENT":        {uint64(DT_RELAENT), uint64(elf.DT_RELAENT)},
	"DT_STRSZ":          {uint64(DT_STRSZ), uint64(elf.DT_STRSZ)},
	"DT_SYMENT":         {uint64(DT_SYMENT), uint64(elf.DT_SYMENT)},
	"DT_RELACOUNT":      {uint64(DT_RELACOUNT), uint64(elf.DT_RELACOUNT)},
	"STB_LOCAL":         {uint64(STB_LOCAL), uint64(elf.STB_LOCAL)},
	"STB_WEAK":          {uint64(STB_WEAK), uint64(elf.STB_WEAK)},
	"STT_OBJECT":        {uint64(STT_OBJECT), uint64(elf.STT_OBJECT)},
	"STT_FUNC":          {uint64(STT_FUNC), uint64(elf.STT_FUNC)},
	"STT_SECTION":       {uint64(STT_SECTION), uint64(elf.STT_SECTION)},
	"STT_TLS":           {uint64(STT_TLS), uint64(elf.STT_TLS)},
	"STT_GNU_IFUNC":     {uint64(STT_GNU_IFUNC), uint64(elf.STT_GNU_IFUNC)},
	"STV_INTERNAL":      {uint64(STV_INTERNAL), uint64(elf.STV_INTERNAL)},
	"STV_HIDDEN":        {uint64(STV_HIDDEN), uint64(elf.STV_HIDDEN)},
}

func TestNumbers(t *testing.T) {
	for name, n := range numbers {
		if n[0] != n[1] {
			t.Errorf("%s is %d, want %d", name, n[0], n[1])
		}
	}
	if magic != elf.ELFMAG || identClass != elf.EI_CLASS || identData != elf.EI_DATA || identVersion != elf.EI_VERSION || identABI != elf.EI_ABIVERSION || symbolSize != elf.Sym64Size {
		t.Error("the first bytes of a file have other places")
	}
	f, err := parser.ParseFile(token.NewFileSet(), "names.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	all := 0
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.ValueSpec); ok && s.Names[0].IsExported() && !strings.HasPrefix(s.Names[0].Name, "Err") {
			all++
			if _, ok := numbers[s.Names[0].Name]; !ok {
				t.Errorf("%s is not held against debug/elf's", s.Names[0].Name)
			}
		}
		return true
	})
	if all != len(numbers) {
		t.Errorf("%d constants, %d are held against debug/elf's", all, len(numbers))
	}
}

func TestInfo(t *testing.T) {
	for i := range 256 {
		b := byte(i)
		if elf.SymBind(ST_BIND(b)) != elf.ST_BIND(b) || elf.SymType(ST_TYPE(b)) != elf.ST_TYPE(b) || elf.SymVis(ST_VISIBILITY(b)) != elf.ST_VISIBILITY(b) || ST_INFO(ST_BIND(b), ST_TYPE(b)) != b {
			t.Errorf("%#x: %d, %d, %d", b, ST_BIND(b), ST_TYPE(b), ST_VISIBILITY(b))
		}
	}
}
