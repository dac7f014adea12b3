import { META_SESSION } from '@hintgate/metadata'
import { maskSecrets } from '../detect/secrets/mask-secrets.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { ownerName, type Principal } from '../scope/scope.ts'

const MAX_LENGTH = 128
/** Nobody writes them; they would be shown to people, and some places cannot keep them. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * A session is what the caller names, else the legacy session, else the caller's credential itself. Nobody can name
 * another's: the first slash ends who it is. Names are stored and shown, so a secret in one is masked; names that differ in nothing else are one session.
 */
export function sessionOf(
  params: Json | undefined,
  principal: Principal,
  unnamed: string = ownerName(principal.id),
): string {
  const meta = params?._meta
  const named = isJsonObject(meta) ? meta[META_SESSION] : undefined
  const isNamed =
    typeof named === 'string' && named !== '' && named.length <= MAX_LENGTH && !CONTROL.test(named)
  return isNamed ? `${ownerName(principal.id)}/${maskSecrets(named)}` : unnamed
}
