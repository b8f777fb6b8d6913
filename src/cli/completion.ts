// Completion for shells, made from the table of commands: names of commands, their options and their actions.
import type { Command } from './command.ts'
import { exit } from './command.ts'
import { UsageError } from './given.ts'

export const completionCommand = (all: () => readonly Command[], optionsOf: (command: Command) => object): Command => ({
  name: 'completion',
  summary: 'print the completion of a shell',
  usage: 'bash | zsh | fish',
  details:
    'bash: source <(coppice completion bash)\nzsh: coppice completion zsh > ~/.zfunc/_coppice\nfish: coppice completion fish | source',
  examples: ['coppice completion bash', 'coppice completion zsh', 'coppice completion fish'],
  options: {},
  isHost: true,
  run: async ({ out }, { positionals: [shell] }) => {
    const commands = all().map((command) => ({
      name: command.name,
      summary: command.summary,
      words: [...actionsOf(command), ...Object.keys(optionsOf(command)).map((name) => `--${name}`)],
    }))
    if (shell === 'bash') await out(bash(commands))
    else if (shell === 'zsh') await out(zsh(commands))
    else if (shell === 'fish') await out(fish(commands))
    else throw new UsageError('bash, zsh or fish?')
    return exit.done
  },
})

type Completed = { readonly name: string; readonly summary: string; readonly words: readonly string[] }

/** The small words of a usage such as `[list | show WORD]`. */
const actionsOf = ({ usage }: Command): readonly string[] =>
  [...usage.matchAll(/(?:^\[?|\| )([a-z]+)\b/g)].map(([, word]) => word!)

const bash = (commands: readonly Completed[]): string => `_coppice() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${['help', ...commands.map(({ name }) => name)].join(' ')}"
  else
    case "\${COMP_WORDS[1]}" in
${commands.map(({ name, words }) => `      ${name}) words="${words.join(' ')}" ;;`).join('\n')}
      help) words="${commands.map(({ name }) => name).join(' ')}" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -F _coppice coppice
`

const zsh = (commands: readonly Completed[]): string => `#compdef coppice
local -a commands
commands=(
${commands.map(({ name, summary }) => `  ${quoted(`${name}:${summary}`)}`).join('\n')}
)
if (( CURRENT == 2 )); then
  _describe command commands
else
  case "$words[2]" in
${commands.map(({ name, words }) => `    ${name}) compadd -- ${words.join(' ')}; _files ;;`).join('\n')}
  esac
fi
`

const fish = (commands: readonly Completed[]): string =>
  [
    'complete -c coppice -n __fish_use_subcommand -f',
    ...commands.flatMap(({ name, summary, words }) => [
      `complete -c coppice -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      `complete -c coppice -n '__fish_seen_subcommand_from ${name}' -a '${words.join(' ')}'`,
    ]),
    '',
  ].join('\n')

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
