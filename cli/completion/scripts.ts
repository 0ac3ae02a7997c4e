/** The completion scripts of the shells, made from the same table. Every word in them is one of ours. */

export interface OptionWords {
  readonly name: string;
  /** Whether a value follows, a file's name unless the values are fixed. */
  readonly takesValue: boolean;
}

export interface CommandWords {
  readonly name: string;
  readonly about: string;
  readonly options: readonly OptionWords[];
  /** What may follow the command itself, where that is a fixed set; else it is a file. */
  readonly words: readonly string[];
}

type Values = Readonly<Record<string, readonly string[]>>;

const names = (commands: readonly CommandWords[]): string => commands.map(({ name }) => name).join(' ');
const optionNames = (options: readonly OptionWords[]): string => options.map(({ name }) => name).join(' ');
const withWords = (commands: readonly CommandWords[]): readonly CommandWords[] =>
  commands.filter(({ words }) => words.length > 0);
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** For bash 3.2 and newer, without the package bash-completion. */
export function bashScript(commands: readonly CommandWords[], values: Values): string {
  return `# Completion of proofmark for bash.
_proofmark() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$previous" = help ]; }; then
    COMPREPLY=($(compgen -W '${names(commands)} help --help --version' -- "$current"))
    return
  fi
  case "$previous" in
${Object.entries(values)
  .map(([option, of]) => `    ${option}) COMPREPLY=($(compgen -W '${of.join(' ')}' -- "$current")); return ;;`)
  .join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${commands.map(({ name, options }) => `    ${name}) words='${optionNames(options)}' ;;`).join('\n')}
  esac
  if [[ "$current" != -* && "$COMP_CWORD" -eq 2 ]]; then
    case "$previous" in
${withWords(commands)
  .map(({ name, words }) => `      ${name}) COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$current")); return ;;`)
  .join('\n')}
    esac
  fi
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _proofmark proofmark
`;
}

/** The completion script for zsh. */
export function zshScript(commands: readonly CommandWords[], values: Values): string {
  return `#compdef proofmark
# Completion of proofmark for zsh.
_proofmark() {
  local -a commands options
  commands=(
${commands.map(({ name, about }) => `    ${quoted(`${name}:${about.replaceAll(':', '\\:')}`)}`).join('\n')}
    'help:print the options of a command'
  )
  if (( CURRENT == 2 )) || { (( CURRENT == 3 )) && [[ $words[2] == help ]]; }; then
    _describe command commands
    return
  fi
  case $words[CURRENT-1] in
${Object.entries(values)
  .map(([option, of]) => `    ${option}) compadd -- ${of.join(' ')}; return ;;`)
  .join('\n')}
  esac
  case $words[2] in
${commands.map(({ name, options }) => `    ${name}) options=(${optionNames(options)}) ;;`).join('\n')}
  esac
  if (( CURRENT == 3 )) && [[ $words[CURRENT] != -* ]]; then
    case $words[2] in
${withWords(commands)
  .map(({ name, words }) => `      ${name}) compadd -- ${words.join(' ')}; return ;;`)
  .join('\n')}
    esac
  fi
  if [[ $words[CURRENT] == -* ]]; then compadd -- $options; else _files; fi
}
compdef _proofmark proofmark
`;
}

/** The completion script for fish. */
export function fishScript(commands: readonly CommandWords[], values: Values): string {
  const lines = commands.flatMap(({ name, about, options, words }) => [
    `complete -c proofmark -n __fish_use_subcommand -f -a ${name} -d ${quoted(about)}`,
    ...(words.length === 0
      ? []
      : [
          `complete -c proofmark -n '__fish_seen_subcommand_from ${name}; and test (count (commandline -opc)) -eq 2' -f -a ${quoted(words.join(' '))}`,
        ]),
    ...options.map((option) => {
      const of = values[option.name];
      // -x: a value of this list; -r: a value, for which fish offers files.
      const argument = of === undefined ? (option.takesValue ? ' -r' : '') : ` -x -a ${quoted(of.join(' '))}`;
      return `complete -c proofmark -n '__fish_seen_subcommand_from ${name}' -l ${option.name.slice(2)}${argument}`;
    }),
  ]);
  return `# Completion of proofmark for fish.
${lines.join('\n')}
complete -c proofmark -n '__fish_seen_subcommand_from help' -f -a ${quoted(names(commands))}
`;
}
