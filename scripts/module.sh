#!/usr/bin/env bash
# module.sh PATH: gives the module its published path, github.com/you/heddle say:
# in go.mod, imports, names of packages in tables, tests and documents, and the
# generated files. Run it once, in a clean checkout, and commit what it changed.
set -euo pipefail
cd "$(dirname "$0")/.."

new=${1:-}
if ! [[ $new =~ ^[a-zA-Z0-9.-]+\.[a-zA-Z0-9.-]+(/[a-zA-Z0-9._~-]+)+$ ]]; then
	echo "usage: make module MODULE=github.com/you/heddle" >&2
	exit 2
fi
old=$(go list -m)
if [ "$old" = "$new" ]; then
	exit 0
fi
# Folders at the root: a package's path is the module's and one of them.
folders=$(find . -mindepth 1 -maxdepth 1 -type d ! -name '.*' -printf '%f\n' | paste -sd'|')
export old new folders
grep -rlIE "\b$old\b" --exclude-dir=.git --exclude-dir=blobs . | grep -v '^./scripts/module.sh$' | while read -r file; do
	perl -pi -e '
		my ($old, $new, $folders) = (quotemeta $ENV{old}, $ENV{new}, $ENV{folders});
		s{(?<![\w./\$-])$old/(?=(?:$folders)\b|"|\\S)}{$new/}g;
		s{(?<=module )$old(?=$|\\n)}{$new};
		s{(?<=require )$old(?= v)|(?<=replace )$old(?= )|(?<=-require=)$old(?=@)|(?<=-replace=)$old(?==)|(?<=\\n\\t)$old(?= v0)}{$new}g;
		s{(?<=first == ")$old(?=")}{$new};
	' "$file"
done
gofmt -w $(find . -name '*.go' -not -path '*/testdata/*' -not -path './.git/*')
# The declarations of heddle's packages for programs without Go, by path.
rm -f internal/source/blobs/"${old//\//__}"__*
go generate ./internal/source
