import { Argument, type Command } from 'commander'
import type { CommandLine } from './command-line.js'

/** `assay completion zsh`: what a shell reads to complete commands and options. */
export function addCompletionCommand(program: Command, { write }: CommandLine): void {
  program
    .command('completion')
    .description('print what a shell reads to complete this command: eval "$(assay completion bash)"')
    .addArgument(new Argument('<shell>').choices(Object.keys(SHELLS)))
    .action((shell: keyof typeof SHELLS) => void write(SHELLS[shell](wordsOf(program))))
}

/** What can follow each command, by its words: `` for the program itself, `chains verify`. */
type Words = ReadonlyMap<string, readonly string[]>

function wordsOf(command: Command, path: readonly string[] = []): Words {
  const { commands, options } = command
  const visible = commands.filter((each) => each.name() !== 'help')
  const choices = [...command.registeredArguments, ...options].flatMap(({ argChoices }) => argChoices ?? [])
  const own = [
    ...visible.map((each) => each.name()),
    ...options.flatMap(({ long }) => long ?? []),
    '--help',
    ...choices,
  ]
  return new Map([[path.join(' '), own], ...visible.flatMap((each) => [...wordsOf(each, [...path, each.name()])])])
}

/** Names of commands, options and choices: letters, digits and hyphens, which no shell reads. */
const SHELLS = {
  bash: (words: Words) => `_assay() {
  local path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${namesIn(words).join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${lines(words, (path, own) => `    "${path}") COMPREPLY=($(compgen -W "${own}" -- "\${COMP_WORDS[COMP_CWORD]}")) ;;`)}
  esac
}
complete -o default -F _assay assay
`,
  zsh: (words: Words) => `#compdef assay
_assay() {
  local path="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${path:+$path }$word" in
      ${namesIn(words).join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${lines(words, (path, own) => `    "${path}") compadd -- ${own} ;;`)}
  esac
}
compdef _assay assay
`,
  fish: (words: Words) =>
    `complete -c assay -f\n${lines(words, (path, own) => `complete -c assay -n '${fishTest(words, path)}' -a '${own}'`)}\n`,
} satisfies Record<string, (words: Words) => string>

/** A name of two words is written so that the shell takes it for one pattern. */
const namesIn = (words: Words) =>
  [...words.keys()].filter((path) => path !== '').map((path) => (path.includes(' ') ? `"${path}"` : path))

const lines = (words: Words, write: (path: string, own: string) => string) =>
  [...words].map(([path, own]) => write(path, own.join(' '))).join('\n')

function fishTest(words: Words, path: string): string {
  const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`)
  const below = [...words.keys()].filter((each) => each !== path && each.startsWith(path === '' ? '' : `${path} `))
  const none =
    below.length === 0
      ? []
      : [`not __fish_seen_subcommand_from ${below.map((each) => each.split(' ').at(-1)).join(' ')}`]
  return [...(path === '' ? [] : seen), ...none].join('; and ')
}
