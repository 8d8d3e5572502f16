/** `florin completion`: a script for the shell that knows every noun, verb and flag. */
import { Argument, type Command } from "commander";
import type { Host } from "../host.ts";

/** The words that may follow `path`, which is the words after `florin`. */
interface Place {
  readonly path: readonly string[];
  readonly words: readonly string[];
  /** Flags may come anywhere after the path, but a noun or a verb only directly after it. */
  readonly isFlags: boolean;
}

export type MakeWholeProgram = () => Command;

export function addCompletion(program: Command, host: Host, makeWhole: MakeWholeProgram): void {
  program
    .command("completion")
    .description("Print a script of completions, as for: source <(florin completion bash)")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]))
    .action((shell: "bash" | "zsh" | "fish") => {
      const places = placesIn(makeWhole());
      host.writeOut({ bash, zsh, fish }[shell](places));
    });
}

function placesIn(program: Command): readonly Place[] {
  const nouns = program.commands.map((each) => each.name());
  return [
    { path: [], words: [...nouns, "--help", "--version"], isFlags: false },
    ...program.commands.flatMap((command) => placesOf(command)),
  ];
}

function placesOf(command: Command): readonly Place[] {
  const path = [command.name()];
  if (command.commands.length === 0) return [{ path, words: wordsOf(command), isFlags: true }];
  return [
    { path, words: command.commands.map((each) => each.name()), isFlags: false },
    ...command.commands.map((each) => ({
      path: [...path, each.name()],
      words: wordsOf(each),
      isFlags: true,
    })),
  ];
}

function wordsOf(command: Command): readonly string[] {
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [...choices, ...command.options.flatMap(({ long }) => long ?? []), "--help"];
}

/** A pattern over `<number of words>:<first>:<second>`; the number counts from `florin`. */
function caseOf({ path, words, isFlags }: Place): string {
  const [first = "*", second = "*"] = path;
  const count = isFlags ? "*" : path.length + 1;
  return `    ${count}:${first}:${second}) words="${words.join(" ")}" ;;`;
}

function bash(places: readonly Place[]): string {
  return `# source <(florin completion bash)
_florin() {
  local words=""
  case "$COMP_CWORD:\${COMP_WORDS[1]}:\${COMP_WORDS[2]}" in
${places.map(caseOf).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _florin florin
`;
}

function zsh(places: readonly Place[]): string {
  return `#compdef florin
# source <(florin completion zsh)
_florin() {
  local candidates=""
  case "$((CURRENT - 1)):\${words[2]}:\${words[3]}" in
${places.map((place) => caseOf(place).replace('words="', 'candidates="')).join("\n")}
  esac
  compadd -- \${=candidates} || _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _florin florin
`;
}

function fish(places: readonly Place[]): string {
  const lines = places.map(({ path, words, isFlags }) => {
    const test = [isFlags ? "__florin_within" : "__florin_behind", ...path].join(" ");
    return `complete -c florin -n '${test}' -a '${words.join(" ")}'`;
  });
  return `# florin completion fish | source
function __florin_within
    set -l given (commandline -opc)
    set -e given[1]
    test (count $given) -ge (count $argv); or return 1
    for index in (seq (count $argv))
        test "$given[$index]" = "$argv[$index]"; or return 1
    end
end
function __florin_behind
    set -l given (commandline -opc)
    test (count $given) -eq (math (count $argv) + 1); and __florin_within $argv
end
${lines.join("\n")}
`;
}
