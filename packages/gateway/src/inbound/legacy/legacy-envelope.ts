import { maskSecrets } from '../../detect/secrets/mask-secrets.ts'
import type { Json } from '../../protocol/messages.ts'
import { type Envelope, seenCapabilities, seenClientInfo } from '../../protocol/modern.ts'

/**
 * What a legacy client says of itself when it connects. Modern servers are told of it with every call, and nobody who
 * allows a call is shown it: so it is told without free words, and without secrets.
 */
export function legacyEnvelope({ capabilities, clientInfo }: Json): Envelope {
  const info = seenClientInfo(clientInfo)
  return {
    capabilities: seenCapabilities(capabilities),
    ...(info && { clientInfo: { name: maskSecrets(info.name), version: maskSecrets(info.version) } }),
  }
}
