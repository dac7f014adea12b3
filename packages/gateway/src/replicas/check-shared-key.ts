import { Sealer } from '../audit/sealer.ts'
import { HintgateError } from '../base/errors.ts'
import type { Store } from '../store/store.ts'

/** Who wrote that lately is still there. */
const LATELY_MS = 60_000

/** Replicas with different keys would refuse each other's tokens and approvals; better none starts at all. */
export async function checkSharedKey({ audit, isShared }: Store, secret: Buffer, now: number): Promise<void> {
  if (!isShared) return
  const { keyId } = new Sealer(secret)
  const others = await audit.writers('open')
  if (others.some(other => other.keyId !== keyId && now - other.seenAt < LATELY_MS))
    throw new HintgateError('secret_key_differs', { store: 'this database' })
}
