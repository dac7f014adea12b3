export interface Draft {
  readonly name: string
  readonly kind: 'command' | 'url'
  readonly command: string
  readonly url: string
  /** Environment variables as `NAME=value`, or headers as `Name: value`, one per line. */
  readonly pairs: string
  readonly trust: 'reviewed' | 'trusted'
}

export const EMPTY: Draft = { name: '', kind: 'command', command: '', url: '', pairs: '', trust: 'reviewed' }

/**
 * Converts a form to a config entry. The command line is split as a shell would split it, but nothing is expanded.
 *
 * @example
 * toEntry({ ...EMPTY, command: 'npx -y "my server"' }) // { command: 'npx', args: ['-y', 'my server'], trust: 'reviewed' }
 */
export function toEntry({ kind, command, url, pairs, trust }: Draft): Readonly<Record<string, unknown>> {
  const values = readPairs(pairs, kind === 'url' ? ':' : '=')
  const isEmpty = Object.keys(values).length === 0
  if (kind === 'url') return { url: url.trim(), ...(isEmpty ? {} : { headers: values }), trust }
  const [program = '', ...args] = splitWords(command)
  return {
    command: program,
    ...(args.length === 0 ? {} : { args }),
    ...(isEmpty ? {} : { env: values }),
    trust,
  }
}

export function splitWords(line: string): readonly string[] {
  const words = line.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? []
  return words.map(word =>
    word.replaceAll(
      /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g,
      (_, double?: string, single?: string, one?: string) =>
        double === undefined ? (single ?? one ?? '') : double.replaceAll(/\\(["\\])/g, '$1'),
    ),
  )
}

function readPairs(text: string, separator: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter(line => line.includes(separator))
  return Object.fromEntries(
    lines.map(line => {
      const at = line.indexOf(separator)
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}
