import type { HintValues } from '../hint/hints.ts'
import type { Operation } from './operations.ts'

/** A coarse classification for people: the tool reads, changes or deletes. */
export type Category = 'read' | 'write' | 'delete'

export type RiskLevel = 1 | 2 | 3

/**
 * The hints that each category implies when an author gives only a category, with the category's risk level and label.
 */
export const CATEGORIES = {
  read: {
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
    riskLevel: 1,
    label: 'Reads data',
  },
  write: {
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    riskLevel: 2,
    label: 'Changes data',
  },
  delete: {
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    riskLevel: 3,
    label: 'Deletes data',
  },
} as const satisfies Record<Category, { hints: HintValues; riskLevel: RiskLevel; label: string }>

const CATEGORY_OF: Readonly<Record<Operation, Category>> = {
  read: 'read',
  create: 'write',
  update: 'write',
  delete: 'delete',
  opaque: 'delete',
}

/**
 * Returns the category of the strictest operation in a list. An empty list counts as a read.
 *
 * @example
 * import { categoryOf } from '@hintgate/metadata'
 * categoryOf(['read', 'create']) // => 'write'
 * categoryOf(['opaque']) // => 'delete'
 * categoryOf([]) // => 'read'
 */
export function categoryOf(operations: readonly Operation[]): Category {
  return operations.map(operation => CATEGORY_OF[operation]).reduce(worseCategory, 'read')
}

export function worseCategory(a: Category, b: Category): Category {
  return CATEGORIES[a].riskLevel >= CATEGORIES[b].riskLevel ? a : b
}
