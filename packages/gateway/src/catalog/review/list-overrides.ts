import {
  type Consequence,
  HINT_NAMES,
  HINTS,
  type HintName,
  type HintValues,
  nearest,
} from '@hintgate/metadata'
import type { Config } from '../../config/config.ts'
import type { StoredOverride } from '../../store/store.ts'
import { isObjection, misuse, type Objection } from './find-definition.ts'

export interface ListedOverride {
  readonly server: string
  readonly tool: string
  readonly hints: HintValues
  readonly consequence?: readonly Consequence[]
  readonly from: 'config' | 'command'
  /** The person who set the override. Like `at`, only present if the override was set by command. */
  readonly by?: string
  readonly at?: number
}

/** Lists overrides by server and tool. If both a command and the config set a hint, the command takes precedence. */
export function listOverrides(
  stored: readonly StoredOverride[],
  config: Config['overrides'],
): readonly ListedOverride[] {
  const written = Object.entries(config).flatMap(([server, tools]) =>
    Object.entries(tools).map(([tool, override]): ListedOverride => {
      return { server, tool, ...override, from: 'config' }
    }),
  )
  const set = stored.map((override): ListedOverride => ({ ...override, from: 'command' }))
  return [...written, ...set].toSorted((a, b) => compare(keyOf(a), keyOf(b)))
}

/** Returns a config block with the same effect. With it, the overrides set by command are no longer needed. */
export function exportOverrides(overrides: readonly ListedOverride[]): {
  readonly overrides: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
} {
  const servers = new Map<string, Map<string, Readonly<Record<string, unknown>>>>()
  for (const { server, tool, hints, consequence } of overrides) {
    const tools = servers.get(server) ?? new Map<string, Readonly<Record<string, unknown>>>()
    const own = consequence === undefined ? {} : { consequence }
    servers.set(server, tools.set(tool, { ...tools.get(tool), ...onWire(hints), ...own }))
  }
  const blocks = [...servers].map(([server, tools]) => [server, Object.fromEntries(tools)] as const)
  return { overrides: Object.fromEntries(blocks) }
}

function keyOf({ server, tool }: ListedOverride): string {
  return `${server}\u0000${tool}`
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

interface HintEdit {
  readonly set: HintValues
  readonly clear: readonly HintName[]
}

type Said = readonly [hint: HintName, value: boolean | undefined]

/**
 * Reads `readOnlyHint=true,destructiveHint=false` and the names of hints to clear.
 *
 * @example
 * parseHintEdit(['readOnlyHint=true'], ['egressHint']) // => { set: { readOnly: true }, clear: ['egress'] }
 */
export function parseHintEdit(set: readonly string[], clear: readonly string[]): HintEdit | Objection {
  const said = [...split(set).map(parseSetting), ...split(clear).map(parseClearing)]
  const objection = said.find(isObjection) ?? findContradiction(said)
  if (objection !== undefined) return objection
  const given = said.flatMap(one => (isObjection(one) ? [] : [one]))
  return {
    set: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    clear: given.filter(([, value]) => value === undefined).map(([hint]) => hint),
  }
}

export function editHints(before: HintValues, { set, clear }: HintEdit): HintValues {
  const kept = Object.entries(before).filter(([hint]) => clear.every(cleared => cleared !== hint))
  return { ...Object.fromEntries(kept), ...set }
}

/** Returns hints under the names that servers and the config use. */
export function onWire(hints: HintValues): Readonly<Record<string, boolean>> {
  const said = HINT_NAMES.flatMap(hint => {
    const value = hints[hint]
    return value === undefined ? [] : [[HINTS[hint].wire, value] as const]
  })
  return Object.fromEntries(said)
}

/** Shows hints as a user types them: `readOnlyHint=false,destructiveHint=true`. */
export function showHints(hints: HintValues): string {
  return Object.entries(onWire(hints))
    .map(([hint, value]) => `${hint}=${value}`)
    .join(',')
}

function split(lists: readonly string[]): string[] {
  return lists.flatMap(list => list.split(',').map(item => item.trim())).filter(item => item !== '')
}

function parseSetting(text: string): Said | Objection {
  const [name = '', value, more] = text.split('=').map(part => part.trim())
  const hint = parseName(name)
  if (typeof hint === 'object') return hint
  if ((value === 'true' || value === 'false') && more === undefined) return [hint, value === 'true']
  return misuse(
    `${JSON.stringify(text)} is not valid: a hint must be true or false`,
    `write ${name}=true or ${name}=false, or --clear ${name} to use the server's value`,
  )
}

function parseClearing(name: string): Said | Objection {
  const hint = parseName(name)
  return typeof hint === 'object' ? hint : [hint, undefined]
}

function parseName(name: string): HintName | Objection {
  const hint = HINT_NAMES.find(known => HINTS[known].wire === name)
  if (hint !== undefined) return hint
  const wires = HINT_NAMES.map(known => HINTS[known].wire)
  const like = nearest(name, wires) ?? nearest(`${name}Hint`, wires)
  return misuse(
    `there is no hint ${JSON.stringify(name)}`,
    like === undefined ? `the hints are ${wires.join(', ')}` : `did you mean ${like}?`,
  )
}

function findContradiction(said: readonly (Said | Objection)[]): Objection | undefined {
  const values = new Map<HintName, boolean | undefined>()
  for (const one of said) {
    if (isObjection(one)) continue
    const [hint, value] = one
    if (values.has(hint) && values.get(hint) !== value)
      return misuse(`${HINTS[hint].wire} is given twice with different values`, 'give each hint once')
    values.set(hint, value)
  }
  return undefined
}
