import { HintgateError } from '../base/errors.ts'
import type { Classified } from '../exchange/classified.ts'
import type { Refusal } from '../exchange/outcome.ts'
import type { CallDeps } from './call-deps.ts'
import { unrecorded } from './record.ts'

/**
 * Waits for something of the store. When the store is away, a read goes on with what is remembered if the config says
 * so, and everything else ends here: it would be judged by what may be old.
 */
export async function orRefuse(
  work: Promise<unknown>,
  classified: Classified,
  { failOpenReads }: CallDeps,
): Promise<Refusal | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (!isStoreFault(error)) throw error
    const goesOn = classified.variant === 'call_tool_read' && failOpenReads()
    return goesOn ? undefined : unrecorded(classified.call, classified)
  }
}

function isStoreFault(error: unknown): boolean {
  return error instanceof HintgateError && error.code.startsWith('store_')
}
