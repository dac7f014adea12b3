import { APPROVAL_ERRORS } from './errors/approvals.ts'
import { CLIENT_ERRORS } from './errors/clients.ts'
import { CONFIG_ERRORS } from './errors/config.ts'
import type { ErrorKind } from './errors/kind.ts'
import { REFUSALS } from './errors/refusals.ts'
import { STORE_ERRORS } from './errors/store.ts'
import { TOKEN_ERRORS } from './errors/tokens.ts'

/** Codes are stable, because agents, scripts and people depend on them. docs/errors lists them in this order. */
export const ERRORS = {
  ...REFUSALS,
  ...APPROVAL_ERRORS,
  ...TOKEN_ERRORS,
  ...CONFIG_ERRORS,
  ...STORE_ERRORS,
  ...CLIENT_ERRORS,
} as const

export type ErrorCode = keyof typeof ERRORS

export type PayloadOf<C extends ErrorCode> = (typeof ERRORS)[C] extends ErrorKind<infer P> ? P : never

/** Returns the path of the page that explains a code. `hintgate explain CODE` prints that page. */
export function pageOf(code: string): string {
  return `docs/errors/${code}.md`
}

/** The only error class for expected errors. Each of them has a code in the table above. */
export class HintgateError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C
  readonly payload: PayloadOf<C>

  constructor(code: C, payload: PayloadOf<C>, options?: ErrorOptions) {
    super((ERRORS[code] as ErrorKind<PayloadOf<C>>).message(payload), options)
    this.name = 'HintgateError'
    this.code = code
    this.payload = payload
  }

  get http(): number {
    return ERRORS[this.code].http
  }

  get exit(): number {
    return ERRORS[this.code].exit
  }

  get remedy(): string {
    const { remedy, remedyFor } = ERRORS[this.code] as ErrorKind<PayloadOf<C>>
    return remedyFor?.(this.payload) ?? remedy
  }
}

export function hasCode<C extends ErrorCode>(error: unknown, code: C): error is HintgateError<C> {
  return error instanceof HintgateError && (error.code as ErrorCode) === code
}
