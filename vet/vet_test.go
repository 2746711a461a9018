package vet_test

import (
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"heddle/vet"
)

func TestValid(t *testing.T) {
	if err := analysis.Validate([]*analysis.Analyzer{vet.Analyzer}); err != nil {
		t.Fatal(err)
	}
}

// What is wanted of package bad is said there. The others are right, and
// nothing is to be said of them.
func TestAnalyzer(t *testing.T) {
	for _, pkg := range []string{"heddle/vet/testdata/bad"} {
		analysistest.Run(t, "..", vet.Analyzer, pkg)
	}
}
