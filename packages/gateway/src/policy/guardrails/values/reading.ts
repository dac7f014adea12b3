import { foldLookAlikes } from '@hintgate/metadata'
import { toPlain } from '../../../detect/text/find-hidden-text.ts'
import type { FieldPath } from '../../../protocol/field-path.ts'
import { exactDigits } from '../../../protocol/parse-json.ts'
import { readAsLink } from '../../facts/escapes.ts'
import type { Facts } from '../../facts/facts.ts'
import { COST, countOf, effortToFold, effortToPlain, MOST_EFFORT } from './effort.ts'
import { type Budget, forEachChild, type Selected, selectValues } from './select-values.ts'
import { type Items, splitItems } from './split-items.ts'

/** A value that has nothing below it. */
export interface Leaf {
  readonly path: string
  readonly value: string | number | boolean
  /** The object below the field that it is a member of, or a key of. */
  readonly within?: object | undefined
}

export interface TextLeaf extends Leaf {
  readonly value: string
}

/** More values than this for one rule are not looked through: the rule objects instead. */
const MAX_VALUES = 20_000
/** Shorter texts are made anew faster than looked up. */
const WORTH_KEEPING = 1000
/** Keys that schemas have. Others are not shown: a secret can be put there too. */
const USUAL_KEY = /^[A-Za-z_-]{0,40}\d{0,3}(?:\[\d{1,6}\])*(?: ?\(a key\))?$/

const NO_LEAVES: readonly Leaf[] = []
const NO_TEXTS: readonly TextLeaf[] = []
const NO_ITEMS: Items = { distinct: new Set(), total: 0, repeated: 0 }

/**
 * The arguments of one call, as rules look at them. Rules share what was already looked up, and what may be spent on all
 * of them; when that is spent, nothing more is shown, and whoever asks has missed something.
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

  /** Says what a rule makes of the arguments, or `otherwise` if it could not see all: that cannot be called harmless. */
  ask<T>(rule: (reading: Reading) => T, otherwise: T): T {
    this.#hasMissed = false
    const answer = rule(this)
    return this.#hasMissed ? otherwise : answer
  }

  /** Whether there is so much left to spend. Asked before the work is done. */
  spend(effort: number): boolean {
    this.#left -= effort
    if (this.#left < 0) this.#hasMissed = true
    return this.#left >= 0
  }

  /** The values at the fields, as they are; `null` counts as missing. */
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

  /** Everything at and below the fields that is no list or object. */
  leaves(fields: readonly FieldPath[]): readonly Leaf[] {
    const found = isEverything(fields) ? this.#everything() : this.#gather(this.values(fields))
    return this.spend(effortOf(found)) ? found : NO_LEAVES
  }

  texts(fields: readonly FieldPath[]): readonly TextLeaf[] {
    if (!isEverything(fields)) return this.leaves(fields).filter(isText)
    this.#allTexts ??= this.#everything().filter(isText)
    return this.spend(effortOf(this.#allTexts)) ? this.#allTexts : NO_TEXTS
  }

  /** Some values, and what their texts are to whoever reads them as links, where that is something else. */
  withLinks<L extends Leaf>(leaves: readonly L[]): readonly (L | TextLeaf)[] {
    const links = this.#links.get(leaves) ?? this.#readLinks(leaves)
    this.#links.set(leaves, links)
    if (links.length === 0) return leaves
    return this.spend(effortOf(links)) ? [...leaves, ...links] : NO_TEXTS
  }

  /** A text as the eye reads it. */
  fold(text: string): string {
    return this.once({ name: 'folded', text, effortFor: effortToFold, make: foldLookAlikes }) ?? ''
  }

  /** A text without what shows nothing, and with wide letters as plain ones. */
  plain(text: string): string {
    return this.once({ name: 'plain', text, effortFor: effortToPlain, make: toPlain }) ?? ''
  }

  /** What a text lists. Four rules on recipients go through a text of megabytes once. */
  split(text: string): Items {
    const items = this.once({ name: 'split', text, effortFor: ({ length }) => length, make: splitItems })
    return items !== undefined && this.spend(COST.item * items.distinct.size) ? items : NO_ITEMS
  }

  /** What is made of a text: once of a long one, by whichever rule it is asked. Undefined: that would take more than is left. */
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
      // Whoever wants to smuggle can use what stands beside the arguments, too.
      if (others !== undefined) roots.push({ path: '', value: others })
      this.#all = this.#gather(roots)
    }
    return this.#all
  }

  /** Keys count as texts: whoever wants to smuggle can use them. */
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

  /** For a walk. One that found no end spends all there is: no other rule would find it either. */
  #pay({ left }: Budget): boolean {
    return this.spend(left < 0 ? Number.POSITIVE_INFINITY : COST.step * (MAX_VALUES - left))
  }
}

interface Making<T> {
  /** What is made under one name of one text is the same. */
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

/** A number that a double would round is two: as it is written, and as most servers will read it. */
function pushScalar(leaf: Leaf, leaves: Leaf[]): void {
  const digits = exactDigits(leaf.value)
  leaves.push(digits === undefined ? leaf : { ...leaf, value: digits })
  if (digits !== undefined) leaves.push({ ...leaf, value: Number(digits) })
}

/** Short names are what a schema gives; only a long one, or what is no name at all, can carry something. */
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

/** Nobody's fields are deeper. A name of a million dots would be as many characters of every reason. */
const LONGEST_SHOWN = 500

/** A place in the arguments for people to read, without what an agent may have hidden in its keys. */
export function showField(path: string): string {
  if (path.length > LONGEST_SHOWN) return '"…"'
  const shown = path
    .split('.')
    .map(key => (USUAL_KEY.test(key) ? key : '…'))
    .join('.')
  return shown === '' ? 'the arguments' : `"${shown}"`
}
