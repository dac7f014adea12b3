export interface ErrorKind<P> {
  readonly http: number
  readonly exit: number
  readonly message: (payload: P) => string
  readonly remedy: string
  /** Builds a more specific remedy from the payload. */
  readonly remedyFor?: (payload: P) => string
}

export const kind = <P = object>(entry: ErrorKind<P>): ErrorKind<P> => entry

export type ToolPayload = { readonly tool: string; readonly why?: string }
export type ServerPayload = { readonly server: string; readonly why?: string }
export type StorePayload = { readonly store: string; readonly why?: string }
export type NamePayload = { readonly name: string }
export type FilePayload = { readonly file: string; readonly why?: string }

export const FAILED = 1
export const USAGE = 2
export const REFUSED = 10
export const WAITING = 11

export const because = (why: string | undefined): string => (why === undefined ? '' : `: ${why}`)
