import { type ErrorCode, HintgateError } from '../../base/errors.ts'

type StoreCode = Extract<ErrorCode, `store_${string}`> & Exclude<ErrorCode, 'store_newer'>

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const CODES: Readonly<Record<string, StoreCode>> = {
  // Who we are, or what we may
  '28000': 'store_forbidden',
  '28P01': 'store_forbidden',
  '3D000': 'store_forbidden',
  '42501': 'store_forbidden',
  // Somebody else is in the way
  '55P03': 'store_locked',
  '57014': 'store_locked',
  '40P01': 'store_locked',
  '40001': 'store_locked',
  '25006': 'store_read_only',
  // The server goes, comes, or has nothing left
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

/** pg has no codes for what goes wrong on its own side of the line. */
const LINE_IS_CUT =
  /^(?:Connection terminated|Connection ended|Query read timeout|timeout e|Client (?:was closed|has encountered)|The server does not support SSL)/i

/** Nor for a password that it asks for and nobody has given. */
const LACKS_PASSWORD = /^SASL:|password must be a string/

/** What PostgreSQL or the network complains of, as one of our codes; anything else stays the bug that it is. */
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
  if (code === undefined) return LINE_IS_CUT.test(error.message) ? 'store_unreachable' : undefined
  if (CODES[code] !== undefined) return CODES[code]
  // Class 08: connection exceptions. A system call: the network, or the name of the host.
  const isOfTheLine = code.startsWith('08') || syscall !== undefined || isCertificate(code)
  return isOfTheLine || error instanceof AggregateError ? 'store_unreachable' : undefined
}

function isCertificate(code: string): boolean {
  return code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL') || /CERT|SELF_SIGNED|ISSUER/.test(code)
}
