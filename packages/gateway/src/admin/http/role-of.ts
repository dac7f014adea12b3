import type { Role } from '../../scope/role.ts'
import type { Principal } from '../../scope/scope.ts'
import { isForeign } from '../../tokens/oauth/issuers.ts'

/**
 * What a person may do here. Our own tokens that are older than roles may do everything, as they always could; whom an
 * issuer vouches for may look, unless the config says more.
 */
export function roleOf({ scope, credential }: Principal): Role {
  return scope.role ?? (isForeign(credential) ? 'viewer' : 'admin')
}
