import { foldLookAlikes } from '@hintgate/metadata'
import { exactDigits } from '../../protocol/parse-json.ts'
import type { Facts } from '../facts.ts'
import type { FieldPath } from './field-path.ts'
import { type Budget, forEachChild, type Selected, selectValues } from './select-values.ts'
import { type Items, splitItems } from './split-items.ts'

/** A value that has nothing below it. */
export interface Leaf {
  readonly path: string
  readonly value: string | number | boolean
}

interface TextLeaf extends Leaf {
  readonly value: string
}

/** More values than this for one rule are not looked through: the rule objects instead. */
const MAX_VALUES = 20_000
/** Shorter texts are split faster than looked up. */
const WORTH_KEEPING = 1000
/** Keys that schemas have. Others are not shown: a secret can be put there too. */
const USUAL_KEY = /^[A-Za-z_-]{0,40}\d{0,3}(?:\[\d{1,6}\])*(?: ?\(a key\))?$/

/** The arguments of one call, as rules look at them. Rules share what was already looked up. */
export class Reading {
  readonly facts: Facts
  #hasMore = false
  readonly #folded = new Map<string, string>()
  readonly #split = new Map<string, Items>()
  #all: readonly Leaf[] | undefined
  #allTexts: readonly TextLeaf[] | undefined

  constructor(facts: Facts) {
    this.facts = facts
  }

  /** Whether there was more than could be looked at. What was not looked at cannot be called harmless. */
  get isExhausted(): boolean {
    return this.#hasMore
  }

  /** The values at the fields, as they are; `null` counts as missing. */
  values(fields: readonly FieldPath[]): readonly Selected[] {
    const budget = { left: MAX_VALUES }
    const [first] = fields
    const found =
      fields.length === 1 && first !== undefined
        ? selectValues(this.facts.args, first, budget)
        : fields.flatMap(field => selectValues(this.facts.args, field, budget))
    this.#note(budget)
    return found
  }

  /** Everything at and below the fields that is no list or object. */
  leaves(fields: readonly FieldPath[]): readonly Leaf[] {
    if (isEverything(fields)) return this.#everything()
    return this.#gather(this.values(fields))
  }

  /** The texts at and below the fields. */
  texts(fields: readonly FieldPath[]): readonly TextLeaf[] {
    if (!isEverything(fields)) return this.leaves(fields).filter(isText)
    this.#allTexts ??= this.#everything().filter(isText)
    return this.#allTexts
  }

  /** A text as the eye reads it. */
  fold(text: string): string {
    const known = this.#folded.get(text)
    if (known !== undefined) return known
    const folded = foldLookAlikes(text)
    this.#folded.set(text, folded)
    return folded
  }

  /** What a text lists. Four rules on recipients go through a text of megabytes once. */
  split(text: string): Items {
    if (text.length < WORTH_KEEPING) return splitItems(text)
    const known = this.#split.get(text)
    if (known !== undefined) return known
    const items = splitItems(text)
    this.#split.set(text, items)
    return items
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
    const budget = { left: MAX_VALUES }
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      if (--budget.left < 0) break
      const { path, value } = one
      if (isScalar(value)) pushScalar(path, value, leaves)
      else forEachChild(one, child => waiting.push(child))
      if (isRecord(value)) pushKeys(one.path, value, leaves)
    }
    this.#note(budget)
    return leaves
  }

  #note({ left }: Budget): void {
    if (left < 0) this.#hasMore = true
  }
}

/** A number that a double would round is two: as it is written, and as most servers will read it. */
function pushScalar(path: string, value: Leaf['value'], leaves: Leaf[]): void {
  const digits = exactDigits(value)
  leaves.push({ path, value: digits ?? value })
  if (digits !== undefined) leaves.push({ path, value: Number(digits) })
}

/** Short names are what a schema gives; only a long one, or what is no name at all, can carry something. */
const MIN_KEY_READ = 16
const NAME = /^[A-Za-z_][\w-]*$/

function pushKeys(path: string, value: object, leaves: Leaf[]): void {
  for (const key in value) {
    if (key.length >= MIN_KEY_READ || !NAME.test(key))
      leaves.push({ path: `${path === '' ? '' : `${path} `}(a key)`, value: key })
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

/** A place in the arguments for people to read, without what an agent may have hidden in its keys. */
export function showField(path: string): string {
  const shown = path
    .split('.')
    .map(key => (USUAL_KEY.test(key) ? key : '…'))
    .join('.')
  return shown === '' ? 'the arguments' : `"${shown}"`
}
