import type { Input, Output, Problem } from './contract/contract.ts'
import { OPERATIONS, type Operation, type OperationName } from './contract/operations.ts'

export interface ClientOptions {
  /** The gateway's address, such as `http://127.0.0.1:4428`; in a browser, empty for the page's own origin. */
  readonly base?: string
  /** A person's token; a browser sends the session cookie instead. */
  readonly token?: string
  readonly fetch?: typeof fetch
}

interface Options {
  /** The `etag` of the state that the caller has seen; the change fails if there is a newer state. */
  readonly ifMatch?: string
  /** Repeating a request with the same key and body has no further effect. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

type MayBeLeftOut<T> = Partial<T> extends T ? true : false

type Needed<N extends OperationName> = {
  readonly [K in keyof Input<N> as Input<N>[K] extends undefined
    ? never
    : K extends 'query'
      ? MayBeLeftOut<Input<N>[K]> extends true
        ? never
        : K
      : K]: Input<N>[K]
}

type Given<N extends OperationName> = Options &
  Needed<N> &
  (Input<N>['query'] extends undefined ? unknown : { readonly query?: Input<N>['query'] })

type Arguments<N extends OperationName> =
  MayBeLeftOut<Needed<N>> extends true ? [given?: Given<N>] : [given: Given<N>]

/** A streamed answer is returned as the raw response. */
type Answer<N extends OperationName> = (typeof OPERATIONS)[N] extends { readonly streams: string }
  ? Response
  : Output<N>

export type AdminClient = {
  readonly [N in OperationName]: (...args: Arguments<N>) => Promise<Answer<N>>
}

/** A response other than a success. `problem` describes it, and is undefined if the response could not be parsed. */
export class AdminError extends Error {
  readonly status: number
  readonly code: string
  readonly problem: Problem | undefined

  constructor(status: number, problem: Problem | undefined) {
    super(problem?.detail ?? `the gateway answered ${status}`)
    this.name = 'AdminError'
    this.status = status
    this.code = problem?.code ?? 'unknown'
    this.problem = problem
  }
}

const PREFIX = '/api/v1'

interface Parts extends Options {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
}

/**
 * Creates a client for the admin API, with one function per operation. It runs in browsers and in Node.
 *
 * @example
 * const api = createAdminClient({ base: 'http://127.0.0.1:4428', token })
 * const { items } = await api.listApprovals({ query: { state: 'pending' } })
 * await api.decideApproval({ params: { id: items[0].id }, body: { decision: 'approve' } })
 */
export function createAdminClient(options: ClientOptions = {}): AdminClient {
  const names = Object.keys(OPERATIONS) as OperationName[]
  const functions = names.map(name => [name, (parts?: Parts) => send(name, parts ?? {}, options)])
  return Object.fromEntries(functions) as AdminClient
}

/** Returns an operation's URL, for links, downloads and event streams. */
export function addressOf(
  name: OperationName,
  parts: Pick<Parts, 'params' | 'query'> = {},
  base = '',
): string {
  const { path }: Operation = OPERATIONS[name]
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(parts.params?.[key] ?? ''),
  )
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(parts.query ?? {}))
    if (value !== undefined && value !== '') query.set(key, `${value}`)
  return `${base}${PREFIX}${filled}${query.size === 0 ? '' : `?${query.toString()}`}`
}

async function send(name: OperationName, parts: Parts, options: ClientOptions): Promise<unknown> {
  const { base, token, fetch: ask = globalThis.fetch } = options
  const operation: Operation = OPERATIONS[name]
  const response = await ask(addressOf(name, parts, base), {
    method: operation.method,
    headers: headersFor(operation, parts, token),
    credentials: 'same-origin',
    ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
    ...(parts.signal === undefined ? {} : { signal: parts.signal }),
  })
  if (!response.ok) throw new AdminError(response.status, await readProblem(response))
  return operation.streams === undefined ? response.json() : response
}

function headersFor({ method }: Operation, parts: Parts, token: string | undefined): Record<string, string> {
  return {
    accept: 'application/json',
    // Other sites cannot make a browser send this header, so it proves that the request comes from the console.
    ...(method === 'GET' ? {} : { 'x-hintgate-csrf': '1' }),
    ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(parts.ifMatch === undefined ? {} : { 'if-match': parts.ifMatch }),
    ...(parts.idempotencyKey === undefined ? {} : { 'idempotency-key': parts.idempotencyKey }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
}

async function readProblem(response: Response): Promise<Problem | undefined> {
  try {
    return (await response.json()) as Problem
  } catch {
    return undefined
  }
}
