import { showUntrusted } from '@hintgate/metadata'
import { maskSecrets } from '../detect/secrets/mask-secrets.ts'
import { isJsonObject } from '../protocol/messages.ts'

/** It is for the log of a server, so a sentence is enough. */
const LONGEST = 200

/** The reason in a `notifications/cancelled`, as a server may get it: one short line without secrets. */
export function cancelReason(params: unknown): string | undefined {
  const reason = isJsonObject(params) ? params.reason : undefined
  if (typeof reason !== 'string' || reason.trim() === '') return undefined
  return showUntrusted(maskSecrets(reason.slice(0, LONGEST * 4)), LONGEST)
}
