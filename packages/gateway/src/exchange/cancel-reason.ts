import { showUntrusted } from '@hintgate/metadata'
import { maskSecrets } from '../detect/secrets/mask-secrets.ts'
import { isJsonObject } from '../protocol/messages.ts'

/** Maximum length of a reason in characters. Servers only log reasons, so one sentence is enough. */
const LONGEST = 200

/**
 * Returns the reason that a client gave in `notifications/cancelled`, made safe to send to a server: one short line
 * without secrets.
 */
export function cancelReason(params: unknown): string | undefined {
  const reason = isJsonObject(params) ? params.reason : undefined
  if (typeof reason !== 'string' || reason.trim() === '') return undefined
  return showUntrusted(maskSecrets(reason.slice(0, LONGEST * 4)), LONGEST)
}
