import { userInfo } from 'node:os'
import { attempt } from '../../base/attempt.ts'
import type { Path } from '../../base/errors/problem.ts'
import { isRule } from '../../catalog/judge-definition.ts'
import { isObjection, type Objection } from '../../catalog/review/find-definition.ts'
import { loadDesk, type Desk as ReviewDesk } from '../../catalog/review/review-item.ts'
import { revealLine } from '../show/review-text.ts'
import { type Context, type PlaceFlags, withStore } from '../terminal/context.ts'
import { type Ending, EXIT } from '../terminal/output.ts'

export interface ReviewCommandContext extends Context, ReviewDesk {
  readonly config: Context['config']
}

class ObjectionError extends Error {
  readonly objections: readonly Objection[]

  constructor(objections: readonly Objection[]) {
    super('the request could not be carried out')
    this.objections = objections
  }
}

export function throwObjection(...objections: readonly Objection[]): never {
  throw new ObjectionError(objections)
}

export function orThrowObjection<T>(found: T | Objection): T {
  return isObjection(found) ? throwObjection(found) : found
}

/** Runs an action on the store. A running gateway picks up the changes that the action makes in the store. */
export async function withReviewContext(
  flags: PlaceFlags,
  action: (context: ReviewCommandContext) => Promise<Ending>,
): Promise<Ending> {
  try {
    return await withStore({ ...flags, skip: isUnneeded }, async context =>
      action({ ...context, ...(await loadDesk(context.store, context.config)) }),
    )
  } catch (error) {
    if (error instanceof ObjectionError) return endWith(...error.objections)
    throw error
  }
}

const SECTIONS = new Set<string | number>(['store', 'quarantine', 'profile', 'overrides', 'mcpServers'])
const OF_SERVER = new Set<string | number>(['command', 'url', 'serverUrl', 'httpUrl', 'trust'])

/** True for parts of the config that a review does not need, such as the servers' secrets. */
export function isUnneeded([section = '', , key]: Path): boolean {
  return !SECTIONS.has(section) || (section === 'mcpServers' && key !== undefined && !OF_SERVER.has(key))
}

/** Reads the reviewer's name; the default is the current user's. Names that start like a rule's are reserved. */
export function readReviewer(given: string | undefined): string | Objection {
  // In some containers, the user has no name.
  const user = () => attempt(() => userInfo().username) ?? `user ${process.getuid?.() ?? 'unknown'}`
  const by = (given ?? user()).trim()
  if (by !== '' && by.length <= 100 && !isRule(`${by} `)) return by
  return {
    isUsage: true,
    message: '--by is not a valid name',
    fix: 'use 1 to 100 characters, and do not start with "rule:"',
  }
}

export function endWith(...objections: readonly Objection[]): Ending {
  const isUsage = objections.some(objection => objection.isUsage)
  const lines = objections.map(
    ({ message, fix }) => `hintgate: ${revealLine(message)}\n  fix: ${revealLine(fix)}\n`,
  )
  return { code: isUsage ? EXIT.usage : EXIT.failed, err: lines.join('') }
}
