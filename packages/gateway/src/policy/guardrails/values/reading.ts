import { foldLookAlikes } from '@hintgate/metadata'
import { toPlain } from '../../../detect/text/find-hidden-text.ts'
import type { FieldPath } from '../../../protocol/field-path.ts'
import { exactDigits } from '../../../protocol/parse-json.ts'
import { readAsLink } from '../../facts/escapes.ts'
import type { Facts } from '../../facts/facts.ts'
import { COST, countOf, effortToFold, effortToPlain, MOST_EFFORT } from './effort.ts'
import { type Budget, forEachChild, type Selected, selectValues } from './select-values.ts'
import { type Items, splitItems } from './split-items.ts'

/** A string, number or boolean in the arguments. */
export interface Leaf {
  readonly path: string
  readonly value: string | number | boolean
  /** The object (at or below the rule's field) that has this leaf as a member or key. */
  readonly within?: object | undefined
}

export interface TextLeaf extends Leaf {
  readonly value: string
}

/** Maximum number of values that one rule reads. If there are more, the rule reports a violation. */
const MAX_VALUES = 20_000
/**
 * Minimum length of a text whose conversions are cached. For a shorter text, another conversion is faster than a
 * lookup.
 */
const WORTH_KEEPING = 1000
/** Matches keys that look like those in schemas. Other keys are not shown, because a key can contain a secret. */
const USUAL_KEY = /^[A-Za-z_-]{0,40}\d{0,3}(?:\[\d{1,6}\])*(?: ?\(a key\))?$/

const NO_LEAVES: readonly Leaf[] = []
const NO_TEXTS: readonly TextLeaf[] = []
const NO_ITEMS: Items = { distinct: new Set(), total: 0, repeated: 0 }

/**
 * Reads the arguments of one call for the rules. All rules share one cache and one budget. Once the budget is spent,
 * reads return nothing, and the reading records that the rule missed something.
 */
export class Reading {
  readonly facts: Facts
  #left = MOST_EFFORT
  #hasMissed = false
  readonly #made = new Map<string, Map<string, unknown>>()
  readonly #links = new Map<readonly Leaf[], readonly TextLeaf[]>()
  #all: readonly Leaf[] | undefined
  #allTexts: readonly TextLeaf[] | undefined

  constructor(facts: Facts) {
    this.facts = facts
  }

  /** Runs a rule. Returns `otherwise` if the rule could not see everything. */
  ask<T>(rule: (reading: Reading) => T, otherwise: T): T {
    this.#hasMissed = false
    const answer = rule(this)
    return this.#hasMissed ? otherwise : answer
  }

  /** Spends effort before the work is done. Returns false if the budget is exceeded. */
  spend(effort: number): boolean {
    this.#left -= effort
    if (this.#left < 0) this.#hasMissed = true
    return this.#left >= 0
  }

  /** Returns the values at the fields, unchanged. `null` counts as missing. */
  values(fields: readonly FieldPath[]): readonly Selected[] {
    const budget = { left: MAX_VALUES }
    const [first] = fields
    if (!this.spend(0)) return []
    const found =
      fields.length === 1 && first !== undefined
        ? selectValues(this.facts.args, first, budget)
        : fields.flatMap(field => selectValues(this.facts.args, field, budget))
    return this.#pay(budget) ? found : []
  }

  /** Returns every string, number and boolean at and below the fields. */
  leaves(fields: readonly FieldPath[]): readonly Leaf[] {
    const found = isEverything(fields) ? this.#everything() : this.#gather(this.values(fields))
    return this.spend(effortOf(found)) ? found : NO_LEAVES
  }

  texts(fields: readonly FieldPath[]): readonly TextLeaf[] {
    if (!isEverything(fields)) return this.leaves(fields).filter(isText)
    this.#allTexts ??= this.#everything().filter(isText)
    return this.spend(effortOf(this.#allTexts)) ? this.#allTexts : NO_TEXTS
  }

  /** Returns the values. Where a URL parser would read a text differently, that reading is added. */
  withLinks<L extends Leaf>(leaves: readonly L[]): readonly (L | TextLeaf)[] {
    const links = this.#links.get(leaves) ?? this.#readLinks(leaves)
    this.#links.set(leaves, links)
    if (links.length === 0) return leaves
    return this.spend(effortOf(links)) ? [...leaves, ...links] : NO_TEXTS
  }

  /** Returns a text with its look-alike characters folded. */
  fold(text: string): string {
    return this.once({ name: 'folded', text, effortFor: effortToFold, make: foldLookAlikes }) ?? ''
  }

  /** Returns a text without invisible characters and with plain letters instead of full-width ones. */
  plain(text: string): string {
    return this.once({ name: 'plain', text, effortFor: effortToPlain, make: toPlain }) ?? ''
  }

  /**
   * Splits a text that is a list into its items. The result is cached, because several rules about recipients read the
   * same text.
   */
  split(text: string): Items {
    const items = this.once({ name: 'split', text, effortFor: ({ length }) => length, make: splitItems })
    return items !== undefined && this.spend(COST.item * items.distinct.size) ? items : NO_ITEMS
  }

  /**
   * Converts a text. For a long text, the result is cached for all rules. Returns undefined if the conversion would
   * exceed the budget.
   */
  once<T>({ name, text, effortFor, make }: Making<T>): T | undefined {
    const isLong = text.length >= WORTH_KEEPING
    const kept = isLong ? this.#made.get(name) : undefined
    if (kept?.has(text)) return kept.get(text) as T
    if (!this.spend(effortFor(text))) return undefined
    const made = make(text)
    if (isLong) this.#made.set(name, (kept ?? new Map()).set(text, made))
    return made
  }

  #readLinks(leaves: readonly Leaf[]): readonly TextLeaf[] {
    const links: TextLeaf[] = []
    for (const { path, value } of leaves) {
      if (typeof value !== 'string' || !this.spend(COST.escape * countOf('%', value))) continue
      const link = readAsLink(value)
      if (link !== undefined) links.push({ path, value: link })
    }
    return links
  }

  #everything(): readonly Leaf[] {
    if (this.#all === undefined) {
      const { args, others } = this.facts
      const roots: Selected[] = [{ path: '', value: args }]
      // Data outside the arguments is read as well, because an agent could hide something there.
      if (others !== undefined) roots.push({ path: '', value: others })
      this.#all = this.#gather(roots)
    }
    return this.#all
  }

  /** Collects the leaves at and below some values. Keys count as texts, because an agent could hide data in them. */
  #gather(roots: readonly Selected[]): readonly Leaf[] {
    const leaves: Leaf[] = []
    const waiting = roots.toReversed()
    const budget = { left: MAX_VALUES - roots.length }
    for (let one = waiting.pop(); one !== undefined && budget.left >= 0; one = waiting.pop()) {
      const { path, value, within } = one
      if (isScalar(value)) pushScalar({ path, value, within }, leaves)
      else forEachChild(one, budget, child => waiting.push(child))
      if (isRecord(value) && budget.left >= 0) pushKeys(one.path, value, leaves)
    }
    return this.#pay(budget) ? leaves : NO_LEAVES
  }

  /**
   * Spends the effort of walking through the arguments. If that could not be finished, it spends the whole budget,
   * because no other rule could finish it either.
   */
  #pay({ left }: Budget): boolean {
    return this.spend(left < 0 ? Number.POSITIVE_INFINITY : COST.step * (MAX_VALUES - left))
  }
}

interface Making<T> {
  /** The name of the conversion. The same name and text must always give the same result. */
  readonly name: string
  readonly text: string
  readonly effortFor: (text: string) => number
  readonly make: (text: string) => T
}

function effortOf(leaves: readonly Leaf[]): number {
  let effort = COST.text * leaves.length
  for (const { value } of leaves) if (typeof value === 'string') effort += value.length
  return effort
}

/**
 * Adds a leaf. A number that a double would round is added twice: as written, and rounded as most servers would read
 * it.
 */
function pushScalar(leaf: Leaf, leaves: Leaf[]): void {
  const digits = exactDigits(leaf.value)
  leaves.push(digits === undefined ? leaf : { ...leaf, value: digits })
  if (digits !== undefined) leaves.push({ ...leaf, value: Number(digits) })
}

/**
 * Keys that look like identifiers are read as text from this length on. Shorter ones usually come from the schema and
 * carry no data.
 */
const MIN_KEY_READ = 16
const NAME = /^[A-Za-z_][\w-]*$/

function pushKeys(path: string, value: object, leaves: Leaf[]): void {
  for (const key in value) {
    if (key.length >= MIN_KEY_READ || !NAME.test(key))
      leaves.push({ path: `${path === '' ? '' : `${path} `}(a key)`, value: key, within: value })
  }
}

function isEverything([field, ...more]: readonly FieldPath[]): boolean {
  return more.length === 0 && field?.source === '**'
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function isText(leaf: Leaf): leaf is TextLeaf {
  return typeof leaf.value === 'string'
}

/**
 * Maximum length of a path that is shown. Real paths are shorter, but a key with a million dots would fill every
 * reason.
 */
const LONGEST_SHOWN = 500

/**
 * Returns a path in the arguments in the form that is shown to people, without keys in which an agent could have hidden
 * data.
 */
export function showField(path: string): string {
  if (path.length > LONGEST_SHOWN) return '"…"'
  const shown = path
    .split('.')
    .map(key => (USUAL_KEY.test(key) ? key : '…'))
    .join('.')
  return shown === '' ? 'the arguments' : `"${shown}"`
}
