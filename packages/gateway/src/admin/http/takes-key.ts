import type { Operation } from '../contract/operations.ts'

/** Whether a request may carry an Idempotency-Key. Who is not known yet has nothing that could be told them again. */
export function takesKey({ method, role, changesNothing }: Operation): boolean {
  return method === 'POST' && role !== 'public' && changesNothing !== true
}
