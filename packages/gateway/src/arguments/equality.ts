import { isJsonObject } from '../protocol/messages.ts'
import { type Answer, NO, UNKNOWN, YES } from './answer.ts'
import { type Budget, COST, Spent } from './budget.ts'
import { readQuantity } from './kinds.ts'
import type { Run } from './run.ts'

const MAX_DEPTH = 250

export function isEqual(run: Run, a: unknown, b: unknown): Answer {
  if (a === b) return YES
  if (isCompound(a) && isCompound(b))
    return canonicalText(a, run.budget) === canonicalText(b, run.budget) ? YES : NO
  const [left, right] = [readQuantity(a, run.rules.digitsOf), readQuantity(b, run.rules.digitsOf)]
  // Two numbers that no double tells apart may still differ, or be one number in two spellings.
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
 * The same text for equal values, so that a set finds duplicates without comparing each with each.
 * The metadata package's canonical JSON would do, but for the budget.
 */
function canonicalText(value: unknown, budget: Budget, depth = 0): string {
  budget.spend(COST.comparison)
  if (depth > MAX_DEPTH) throw new Spent()
  if (Array.isArray(value)) {
    return `[${value.map(item => canonicalText(item, budget, depth + 1)).join(',')}]`
  }
  if (isJsonObject(value)) {
    const keys = Object.keys(value)
    budget.spend(keys.length * COST.field)
    const fields = keys
      .sort()
      .map(key => `${JSON.stringify(key)}:${canonicalText(value[key], budget, depth + 1)}`)
    return `{${fields.join(',')}}`
  }
  if (typeof value === 'string') budget.spend(value.length * COST.character)
  return JSON.stringify(value)
}
