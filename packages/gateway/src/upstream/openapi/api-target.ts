import type { TransportConfig } from '../../config/config.ts'

/** An HTTP API, as its config describes it. */
export type ApiTarget = Extract<TransportConfig, { kind: 'openapi' }>

/** How requests to an API authenticate. */
export type ApiAuth = NonNullable<ApiTarget['auth']>
