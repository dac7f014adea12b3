import { resolve } from 'node:path'
import { HintgateError } from '../../base/errors.ts'
import type { Piece, ReadServer } from '../../client-configs/read-server.ts'
import type { PlaceFlags } from '../terminal/context.ts'

export const NO_SERVERS =
  'No servers yet. Take them over with hintgate import, or add one: hintgate servers add\n'

export interface ServerFlags extends PlaceFlags {
  readonly json?: boolean
}

export interface AddFlags extends ServerFlags {
  readonly url?: string
  readonly type?: string
  readonly header?: readonly string[]
  readonly env?: readonly string[]
  readonly cwd?: string
  readonly trust?: string
}

export interface TrustFlags extends ServerFlags {
  readonly reviewed?: boolean
}

/** What `servers add` takes from the command line, in the shape of a client's entry. */
export function readAdded(
  command: readonly string[],
  flags: AddFlags,
  folder: string,
): { readonly read: ReadServer; readonly trust: 'reviewed' | 'trusted' } {
  const [program, ...args] = command
  const { url, header = [], env = [] } = flags
  // Somebody who writes `.` means where they are, and a server runs where the config is.
  const cwd = resolve(flags.cwd ?? '.')
  if ((program === undefined) === (url === undefined))
    throw invalid('--url', 'give either an address with --url, or a program behind --')
  const rest = { isSse: flags.type === 'sse', isDisabled: false, left: [] }
  const read =
    program === undefined
      ? { url: piecesOf(url ?? ''), headers: pairs('--header', header, ':'), ...rest }
      : {
          command: piecesOf(program),
          args: args.map(piecesOf),
          env: pairs('--env', env, '='),
          ...(cwd !== resolve(folder) && { cwd: piecesOf(cwd) }),
          ...rest,
        }
  return { read, trust: readTrust(flags.trust) }
}

function readTrust(given = 'reviewed'): 'reviewed' | 'trusted' {
  if (given === 'reviewed' || given === 'trusted') return given
  throw invalid('--trust', 'expected reviewed or trusted')
}

function pairs(flag: string, given: readonly string[], sign: ':' | '='): Record<string, readonly Piece[]> {
  const entries = given.map((text): [string, readonly Piece[]] => {
    const at = text.indexOf(sign)
    const name = text.slice(0, at).trim()
    if (at < 1 || name === '')
      throw invalid(flag, sign === ':' ? "expected 'Name: value'" : 'expected NAME=value')
    const value = text.slice(at + 1)
    return [name, piecesOf(sign === ':' ? value.trim() : value)]
  })
  return Object.fromEntries(entries)
}

/** Who writes our own `${env:…}` and `${file:…}` here means them. */
const OURS = /(\$\{(?:env|file):[^}]*\})/

function piecesOf(text: string): readonly Piece[] {
  return text
    .split(OURS)
    .filter(part => part !== '')
    .map(part => (OURS.test(part) ? { kind: 'ours', text: part } : { kind: 'text', text: part }))
}

function invalid(flag: string, why: string): HintgateError {
  return new HintgateError('flag_invalid', { flag, why })
}
