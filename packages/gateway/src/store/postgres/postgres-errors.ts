import { type ErrorCode, HintgateError } from '../../base/errors.ts'

type StoreCode = Extract<ErrorCode, `store_${string}`> & Exclude<ErrorCode, 'store_newer'>

/** The codes are listed at https://www.postgresql.org/docs/current/errcodes-appendix.html */
const CODES: Readonly<Record<string, StoreCode>> = {
  // Authentication or permissions failed.
  '28000': 'store_forbidden',
  '28P01': 'store_forbidden',
  '3D000': 'store_forbidden',
  '42501': 'store_forbidden',
  // Another transaction holds a lock or causes a conflict.
  '55P03': 'store_locked',
  '57014': 'store_locked',
  '40P01': 'store_locked',
  '40001': 'store_locked',
  '25006': 'store_read_only',
  // The server is stopping, starting, or out of resources.
  '53100': 'store_unreachable',
  '53200': 'store_unreachable',
  '53300': 'store_unreachable',
  '57P01': 'store_unreachable',
  '57P02': 'store_unreachable',
  '57P03': 'store_unreachable',
  '58030': 'store_unreachable',
  XX001: 'store_corrupt',
  XX002: 'store_corrupt',
}

/** Errors of lost connections are recognised by their text, because pg gives client-side errors no code. */
const CONNECTION_LOST =
  /^(?:Connection terminated|Connection ended|Query read timeout|timeout e|Client (?:was closed|has encountered)|The server does not support SSL)/i

/** Errors about a missing password are recognised by their text too. */
const LACKS_PASSWORD = /^SASL:|password must be a string/

/**
 * Translates a PostgreSQL or network error to one of Hintgate's codes. Any other error is a bug and is returned
 * unchanged.
 */
export function translateError(error: unknown, store: string): unknown {
  if (!(error instanceof Error) || error instanceof HintgateError) return error
  const code = codeOf(error)
  if (code === undefined) return error
  const why = error.message || (error as NodeJS.ErrnoException).code || 'no answer'
  return new HintgateError(code, { store, why }, { cause: error })
}

function codeOf(error: Error): StoreCode | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined && LACKS_PASSWORD.test(error.message)) return 'store_forbidden'
  if (code === undefined) return CONNECTION_LOST.test(error.message) ? 'store_unreachable' : undefined
  if (CODES[code] !== undefined) return CODES[code]
  // SQL state class 08 is a connection exception. An error with a `syscall` comes from the network or from resolving
  // the host name.
  const isConnectionError = code.startsWith('08') || syscall !== undefined || isCertificate(code)
  return isConnectionError || error instanceof AggregateError ? 'store_unreachable' : undefined
}

function isCertificate(code: string): boolean {
  return code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL') || /CERT|SELF_SIGNED|ISSUER/.test(code)
}
