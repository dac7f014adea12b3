import { isJsonObject } from '../protocol/messages.ts'
import { type Budget, BudgetExceeded, COST } from './budget.ts'
import { type Answer, NO, readQuantity, UNKNOWN, YES } from './kinds.ts'
import type { Run } from './run.ts'

const MAX_DEPTH = 250

export function isEqual(run: Run, a: unknown, b: unknown): Answer {
  if (a === b) return YES
  if (isCompound(a) && isCompound(b))
    return canonicalText(a, run.budget) === canonicalText(b, run.budget) ? YES : NO
  const [left, right] = [readQuantity(a), readQuantity(b)]
  // Two numbers that round to the same double can be different numbers, or two spellings of the same number.
  const isClose = left !== undefined && right !== undefined && left.value === right.value
  return isClose ? UNKNOWN : NO
}

export function areDifferent(run: Run, items: readonly unknown[]): Answer {
  const texts = new Set<string>()
  for (const item of items) texts.add(canonicalText(item, run.budget))
  return texts.size === items.length ? YES : NO
}

function isCompound(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/**
 * Returns a canonical text for a value, so that a set can find duplicates. Unlike the metadata package's canonical
 * JSON, this spends from the budget.
 */
function canonicalText(value: unknown, budget: Budget): string {
  const pieces: string[] = []
  writeCanonical(value, { pieces, budget }, 0)
  return pieces.join('')
}

interface Writing {
  /** The pieces are joined once at the end, because joining at every level would copy the text again each time. */
  readonly pieces: string[]
  readonly budget: Budget
}

function writeCanonical(value: unknown, writing: Writing, depth: number): void {
  const { pieces, budget } = writing
  budget.spend(COST.comparison)
  if (depth > MAX_DEPTH) throw new BudgetExceeded()
  if (Array.isArray(value)) {
    pieces.push('[')
    for (const item of value) {
      writeCanonical(item, writing, depth + 1)
      pieces.push(',')
    }
    pieces.push(']')
  } else if (isJsonObject(value)) {
    const keys = Object.keys(value)
    budget.spend(keys.length * COST.field)
    // The cost is charged before sorting, because sorting compares the keys character by character.
    for (const key of keys) budget.spend(key.length * COST.character)
    pieces.push('{')
    for (const key of keys.sort()) {
      pieces.push(JSON.stringify(key), ':')
      writeCanonical(value[key], writing, depth + 1)
      pieces.push(',')
    }
    pieces.push('}')
  } else {
    if (typeof value === 'string') budget.spend(value.length * COST.character)
    pieces.push(JSON.stringify(value))
  }
}
