import { HINT_NAMES, HINTS, type HintName, type HintValues, nearest } from '@hintgate/metadata'
import { isObjection, type Objection } from './objection.ts'

/** What an operator wants of the hints of a tool: some set, some left to others again. */
export interface HintEdit {
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

/** Hints after an edit. */
export function editHints(before: HintValues, { set, clear }: HintEdit): HintValues {
  const kept = Object.entries(before).filter(([hint]) => clear.every(cleared => cleared !== hint))
  return { ...Object.fromEntries(kept), ...set }
}

/** With the names that servers and the config use. */
export function onWire(hints: HintValues): Readonly<Record<string, boolean>> {
  const said = HINT_NAMES.flatMap(hint => {
    const value = hints[hint]
    return value === undefined ? [] : [[HINTS[hint].wire, value] as const]
  })
  return Object.fromEntries(said)
}

/** `readOnlyHint=false,destructiveHint=true`, as it may be typed. */
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
  return object(
    `${JSON.stringify(text)} sets ${name} to neither true nor false`,
    `write ${name}=true or ${name}=false; --clear ${name} leaves it to the server again`,
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
  return object(
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
      return object(`${HINTS[hint].wire} is given twice, and differently`, 'give each hint once')
    values.set(hint, value)
  }
  return undefined
}

function object(message: string, fix: string): Objection {
  return { isUsage: true, message, fix }
}
