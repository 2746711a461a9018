package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"heddle/internal/env"
	"heddle/internal/program"
	"heddle/internal/target"
)

// This file completes command lines: the shells' scripts ask the command itself,
// so they know every command and flag that there is.

// completer is the hidden command that the scripts call: with the words after
// "heddle", the last of which is being typed.
const completer = "__complete"

// scripts are what "heddle completion SHELL" prints.
var scripts = map[string]string{
	"bash": `# heddle: completion for bash. Put into ~/.bashrc: source <(heddle completion bash)
_heddle() {
	local IFS=$'\n'
	COMPREPLY=($(` + "\"${COMP_WORDS[0]}\" " + completer + ` "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _heddle heddle
`,
	"zsh": `#compdef heddle
# heddle: completion for zsh. Put into ~/.zshrc, after compinit: source <(heddle completion zsh)
_heddle() {
	local -a found
	found=("${(@f)$("${words[1]}" ` + completer + ` "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -n "${found[1]}" ]]; then
		compadd -- $found
	else
		_files
	fi
}
compdef _heddle heddle
`,
	"fish": `# heddle: completion for fish. heddle completion fish > ~/.config/fish/completions/heddle.fish
function __heddle_complete
	set -l words (commandline -opc) (commandline -ct)
	$words[1] ` + completer + ` $words[2..-1] 2>/dev/null
end
complete -c heddle -a '(__heddle_complete)'
`,
}

func shells() []string { return []string{"bash", "zsh", "fish"} }

// completion prints the script for a shell.
func completion(c *call) error {
	args, err := c.parse(1)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return usagef("for which shell? bash, zsh or fish")
	}
	script, ok := scripts[args[0]]
	if !ok {
		return usagef("no completion for %q%s: want bash, zsh or fish", args[0], didYouMean(args[0], shells()))
	}
	_, err = io.WriteString(c.stdout, script)
	return err
}

// complete prints what the last of the words may become, a line each; nothing
// where files belong.
func complete(w io.Writer, words []string) {
	typed := ""
	if len(words) > 0 {
		typed = words[len(words)-1]
		words = words[:len(words)-1]
	}
	for _, s := range candidates(words, typed) {
		if strings.HasPrefix(s, typed) {
			fmt.Fprintln(w, s)
		}
	}
}

func candidates(words []string, typed string) (all []string) {
	if len(words) == 0 {
		return append(commandNames(), "help")
	}
	i := slices.IndexFunc(commands(), func(c command) bool { return c.name == words[0] })
	if i < 0 {
		return nil
	}
	cmd := commands()[i]
	fs := cmd.flagSet()
	last := strings.TrimLeft(words[len(words)-1], "-")
	if f := fs.Lookup(last); f != nil && last != words[len(words)-1] && !isBool(f) {
		return flagValues[last] // nil, and so files, for those that take anything
	}
	if strings.HasPrefix(typed, "-") {
		fs.VisitAll(func(f *flag.Flag) { all = append(all, "-"+f.Name) })
		return all
	}
	return argumentValues[cmd.name]
}

// flagSet is the command's flags, which it declares when it runs.
func (cmd *command) flagSet() *flag.FlagSet {
	fs := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	_ = cmd.run(&call{args: []string{"-h"}, stdout: io.Discard, stderr: io.Discard, flags: fs}) // flag.ErrHelp
	return fs
}

func isBool(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// flagValues are what flags may be, by name, where that can be listed.
var flagValues = map[string][]string{
	"arch":  archs(),
	"stage": append(slices.Clone(program.Stages), trace),
	"warp":  {"32", "64"},
}

// argumentValues are what commands' arguments may be, likewise.
var argumentValues = map[string][]string{
	"cache":      {"path", "clear"},
	"completion": shells(),
}

// archs are the architectures that heddle is tested with.
func archs() []string {
	return append(slices.Clone(target.Archs), "x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64")
}

func commandNames() (names []string) {
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}

// didYouMean is " (did you mean X?)", or nothing.
func didYouMean(word string, words []string) string {
	if near := closest(word, words); near != "" {
		return fmt.Sprintf(" (did you mean %s?)", near)
	}
	return ""
}

// environment lists the variables, for people.
func environment(w io.Writer) {
	for _, v := range env.Variables {
		fmt.Fprintf(w, "  %-19s %s\n", v.Name, v.Meaning)
	}
}
