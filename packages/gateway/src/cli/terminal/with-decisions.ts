import { type Context, type PlaceFlags, reportError, withStore } from './context.ts'
import { EXIT } from './exit-codes.ts'

/** For commands that need nothing but what the store holds: the secrets of servers and agents need not be at hand. */
export async function withDecisions(
  flags: PlaceFlags,
  action: (context: Context) => Promise<unknown>,
): Promise<void> {
  try {
    const code: unknown = await withStore({ ...flags, skip: ([section]) => section !== 'store' }, action)
    process.exitCode = typeof code === 'number' ? code : EXIT.done
  } catch (error) {
    process.exitCode = reportError(error)
  }
}
