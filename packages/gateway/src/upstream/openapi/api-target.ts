import type { TransportConfig } from '../../config/config.ts'

/** An HTTP API, as its config describes it. */
export type ApiTarget = Extract<TransportConfig, { kind: 'openapi' }>

/** How requests to an API authenticate. */
export type ApiAuth = NonNullable<ApiTarget['auth']>

/** The beginning of the header in which a caller sends its own credential for an API; the server's name follows. */
export const CREDENTIAL_PREFIX = 'x-hintgate-credential-'
