import type { Command } from 'commander'
import { CLIENT_IDS } from '../../client-configs/clients.ts'
import type { Ending } from '../terminal/output.ts'

interface Word {
  readonly text: string
  readonly about: string
}

interface Place {
  /** The path of a command, such as `tools list`; empty for `hintgate` itself. */
  readonly path: string
  readonly words: readonly Word[]
}

export async function complete(shell: 'bash' | 'zsh' | 'fish', _: object, own: Command): Promise<Ending> {
  return { out: { bash, zsh, fish }[shell](listPlaces(own.parent ?? own, [])) }
}

function listPlaces(command: Command, path: readonly string[]): readonly Place[] {
  const children = command.commands.filter(child => child.name() !== 'help')
  const words = [
    ...children.map(child => ({ text: child.name(), about: child.description() })),
    ...command.registeredArguments.flatMap(argument =>
      (argument.name() === 'client' ? CLIENT_IDS : (argument.argChoices ?? [])).map(text => ({
        text,
        about: '',
      })),
    ),
    ...command.options.map(({ long, short, description }) => ({
      text: long ?? short ?? '',
      about: description,
    })),
    { text: '--help', about: 'show help' },
  ]
  return [
    { path: path.join(' '), words },
    ...children.flatMap(child => listPlaces(child, [...path, child.name()])),
  ]
}

const known = (places: readonly Place[]): readonly string[] =>
  places.map(({ path }) => path).filter(path => path !== '')

function bash(places: readonly Place[]): string {
  const cases = places.map(
    ({ path, words }) =>
      `    ${quote(path)}) COMPREPLY=($(compgen -W ${quote(words.map(({ text }) => text).join(' '))} -- "$cur")) ;;`,
  )
  return `# bash completion for hintgate
_hintgate() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${known(places).map(quote).join(' | ')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
}
complete -o default -F _hintgate hintgate
`
}

function zsh(places: readonly Place[]): string {
  const cases = places.map(({ path, words }) => {
    const items = words.map(({ text, about }) => quote(`${text}:${about.replaceAll(':', ' ')}`))
    return `    ${quote(path)}) items=(${items.join(' ')}) ;;`
  })
  return `#compdef hintgate
_hintgate() {
  local place="" word
  local -a items
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${place:+$place }$word" in
      ${known(places).map(quote).join(' | ')}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  _describe hintgate items || _files
}
compdef _hintgate hintgate
`
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words }) =>
    words.map(
      ({ text, about }) =>
        `complete -c hintgate -n '__hintgate_at ${quote(path).replaceAll("'", '"')}' -a ${quote(text)}${about === '' ? '' : ` -d ${quote(about)}`}`,
    ),
  )
  return `# fish completion for hintgate
function __hintgate_at
  set -l place
  for word in (commandline -opc)[2..-1]
    if contains -- "$place$word" ${known(places).map(quote).join(' ')}
      set place "$place$word "
    end
  end
  test (string trim -- "$place") = "$argv[1]"
end
${lines.join('\n')}
`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", '’')}'`
}
