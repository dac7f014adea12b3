export type Attributes = Readonly<Record<string, string | number | boolean>>

/** An operation that has ended. Times are milliseconds since the epoch, with fractions. */
export interface Span {
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client'
  readonly traceId: string
  readonly id: string
  readonly parent?: { readonly id: string; readonly isRemote: boolean } | undefined
  readonly state?: string | undefined
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  readonly events: readonly SpanEvent[]
  readonly isError: boolean
}

export interface SpanEvent {
  readonly name: string
  readonly atMs: number
  readonly attributes: Attributes
}
