import { userInfo } from 'node:os'
import { attempt } from '../../base/attempt.ts'
import type { Path } from '../../base/errors/problem.ts'
import { isRule } from '../../catalog/judge-definition.ts'
import { isObjection, type Objection } from '../../catalog/review/find-definition.ts'
import { loadDesk, type Desk as ReviewDesk } from '../../catalog/review/review-item.ts'
import { revealLine } from '../show/review-text.ts'
import { type Context, type PlaceFlags, withStore } from '../terminal/context.ts'
import { type Ending, EXIT } from '../terminal/output.ts'

export interface Desk extends Context, ReviewDesk {
  readonly config: Context['config']
}

class Objected extends Error {
  readonly objections: readonly Objection[]

  constructor(objections: readonly Objection[]) {
    super('this cannot be done as it was asked for')
    this.objections = objections
  }
}

export function object(...objections: readonly Objection[]): never {
  throw new Objected(objections)
}

export function orObject<T>(found: T | Objection): T {
  return isObjection(found) ? object(found) : found
}

/** A running gateway notices by itself what the action does. */
export async function withDesk(flags: PlaceFlags, action: (desk: Desk) => Promise<Ending>): Promise<Ending> {
  try {
    return await withStore({ ...flags, skip: isOfNoInterest }, async context =>
      action({ ...context, ...(await loadDesk(context.store, context.config)) }),
    )
  } catch (error) {
    if (error instanceof Objected) return endWith(...error.objections)
    throw error
  }
}

const SECTIONS = new Set<string | number>(['store', 'quarantine', 'profile', 'overrides', 'mcpServers'])
const OF_SERVER = new Set<string | number>(['command', 'url', 'serverUrl', 'httpUrl', 'trust'])

/** What is reviewed is in the store; the secrets of servers need not be at hand. */
export function isOfNoInterest([section = '', , key]: Path): boolean {
  return !SECTIONS.has(section) || (section === 'mcpServers' && key !== undefined && !OF_SERVER.has(key))
}

/** Who signs: whoever sits at this machine, unless they say otherwise. Rules sign for themselves. */
export function readReviewer(given: string | undefined): string | Objection {
  // In some containers the user has no name.
  const user = () => attempt(() => userInfo().username) ?? `user ${process.getuid?.() ?? 'unknown'}`
  const by = (given ?? user()).trim()
  if (by !== '' && by.length <= 100 && !isRule(`${by} `)) return by
  return {
    isUsage: true,
    message: '--by is not a possible name of a reviewer',
    fix: 'give a name of 1 to 100 characters that does not begin with "rule:"',
  }
}

export function endWith(...objections: readonly Objection[]): Ending {
  const isUsage = objections.some(objection => objection.isUsage)
  const lines = objections.map(
    ({ message, fix }) => `hintgate: ${revealLine(message)}\n  fix: ${revealLine(fix)}\n`,
  )
  return { code: isUsage ? EXIT.usage : EXIT.failed, err: lines.join('') }
}
