import type { Json } from '../../protocol/messages.ts'
import type { Failure, RequestStream } from '../channel/channel.ts'
import { statusFailure } from '../http/http-failures.ts'
import { refusedToken } from '../http/refused-token.ts'
import { ApiCall, type CallSetting } from './api-call.ts'
import { type ApiTarget, CREDENTIAL_PREFIX } from './api-target.ts'
import type { ClientCredentials } from './client-credentials.ts'
import type { Operation } from './document/operation.ts'
import { hideSecrets } from './hide-secrets.ts'
import { type ApiRequest, buildRequest } from './request/build-request.ts'
import { type ApiResponse, describeAnswer } from './request/describe-answer.ts'
import { describeFailure } from './request/describe-failure.ts'
import { UnusableArgument } from './request/serialise.ts'

interface ToolCallOptions {
  readonly server: string
  readonly target: ApiTarget
  readonly credentials: ClientCredentials | undefined
  readonly base: URL
  readonly setting: CallSetting
  readonly onResult: (result: Json) => void
  readonly onFailure: (failure: Failure) => void
}

interface Asked {
  readonly operation: Operation
  readonly args: Json
  readonly credential: string | undefined
  /** The token that was sent, if it can be renewed. */
  readonly authorization: string | undefined
}

/** Maximum number of redirects that are followed for a read. All must stay at the same origin. */
const MOST_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** A proxy answers with one of these when the API behind it is down. A call that can be repeated is sent again. */
const DOWN = new Set([502, 503, 504])

/** One call of a tool, from its arguments to its result. */
export class ToolCall implements RequestStream {
  readonly #options: ToolCallOptions
  #call: ApiCall | undefined
  #isAbandoned = false
  #redirects = 0

  constructor(options: ToolCallOptions) {
    this.#options = options
  }

  settle(): void {}

  abandon(): void {
    this.#isAbandoned = true
    this.#call?.abandon()
  }

  async start(operation: Operation, args: Json, credential: string | undefined): Promise<void> {
    const { target, base, credentials, onFailure } = this.#options
    if (target.auth?.kind === 'caller' && credential === undefined)
      return this.#fail(missingCredential(this.#options.server))
    try {
      const request = buildRequest(operation, base, args)
      await credentials?.prepare()
      const asked = { operation, args, credential, authorization: credentials?.authorization }
      if (!this.#isAbandoned) this.#send(request, asked)
    } catch (error) {
      if (error instanceof UnusableArgument) return this.#fail(`The call was not sent: ${error.message}.`)
      onFailure({ kind: 'unauthorized', detail: (error as Error).message, notSent: true })
    }
  }

  #fail(said: string): void {
    this.#options.onResult({ isError: true, content: [{ type: 'text', text: said }] })
  }

  #send(request: ApiRequest, asked: Asked): void {
    const { setting, base, onFailure } = this.#options
    this.#call = new ApiCall(setting, ended => {
      if ('failure' in ended) onFailure(ended.failure)
      else this.#tryConclude(ended.response, request, asked)
    })
    try {
      this.#call.start(request, { host: base.host, ...request.headers, ...this.#ownHeaders(asked) })
    } catch (error) {
      onFailure({ kind: 'protocol', detail: (error as Error).message, notSent: true })
    }
  }

  /** Returns the headers from the config and the credential. They replace other headers of the same name. */
  #ownHeaders({ authorization, credential }: Asked): Readonly<Record<string, string>> {
    const { headers, auth } = this.#options.target
    const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
    const allowed = own.filter(([name]) => !OF_CONNECTION.has(name))
    return {
      'user-agent': 'hintgate',
      ...Object.fromEntries(allowed),
      ...(authorization === undefined ? {} : { authorization }),
      ...(auth?.kind === 'header' ? { [auth.header.toLowerCase()]: auth.value } : {}),
      ...(auth?.kind === 'caller' && credential !== undefined
        ? { [auth.header.toLowerCase()]: credential }
        : {}),
      connection: 'keep-alive',
    }
  }

  /** Answers the call whatever the API sent, because nothing else would before its timeout. */
  #tryConclude(response: ApiResponse, request: ApiRequest, asked: Asked): void {
    try {
      this.#conclude(response, request, asked)
    } catch (error) {
      const detail = `the answer cannot be read: ${(error as Error).message}`
      this.#options.onFailure({ kind: 'protocol', detail, notSent: false })
    }
  }

  #conclude(response: ApiResponse, request: ApiRequest, asked: Asked): void {
    const { status, headers } = response
    const { credentials, onResult, onFailure, server, target, base } = this.#options
    const coding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
    if (coding !== 'identity' && response.bytes.length > 0) return onFailure(COMPRESSED)
    const next = this.#redirectOf(response, request)
    if (next !== undefined) return this.#send(next, asked)
    if (status === 401 && credentials !== undefined) {
      const challenge = headers.get('www-authenticate')
      return onFailure(
        refusedToken(credentials, asked.authorization, { kind: 'text', status, text: '', challenge }),
      )
    }
    const { operation, args } = asked
    const hide = hideSecrets(target, [asked.authorization, asked.credential])
    if (DOWN.has(status)) return onFailure({ ...statusFailure(status, ''), kind: 'unavailable' })
    if (status >= 200 && status < 300)
      return onResult(
        describeAnswer(response, { operation, args, url: new URL(`${base.origin}${request.target}`), hide }),
      )
    const credential = target.auth?.kind === 'caller' ? 'caller' : 'config'
    onResult(
      describeFailure(response, {
        operation: `${operation.method} ${operation.path}`,
        server,
        hide,
        credential,
      }),
    )
  }

  /** Returns the request for a redirect that is followed: only of a read, and only within the same origin. */
  #redirectOf({ status, headers }: ApiResponse, request: ApiRequest): ApiRequest | undefined {
    const { base } = this.#options
    const location = headers.get('location')
    const from = new URL(`${base.origin}${request.target}`)
    if (!REDIRECTS.has(status) || request.method !== 'GET' || location === undefined) return undefined
    if (!URL.canParse(location, from.href) || this.#redirects >= MOST_REDIRECTS) return undefined
    const to = new URL(location, from)
    if (to.origin !== base.origin || to.username !== '' || to.password !== '') return undefined
    // Servers can read such a path as the address of another host.
    if (to.pathname.startsWith('//')) return undefined
    this.#redirects += 1
    return { ...request, target: `${to.pathname}${to.search}` }
  }
}

/** Headers that belong to the connection or to the body, which the gateway writes itself. */
const OF_CONNECTION = new Set([
  'connection',
  'content-length',
  'content-type',
  'transfer-encoding',
  'accept-encoding',
  'host',
])

const COMPRESSED: Failure = {
  kind: 'protocol',
  detail: 'the API sent a compressed body although none was requested',
  notSent: false,
}

function missingCredential(server: string): string {
  return `The call was not sent: ${server} needs the caller's own credential. Send it to the gateway in the header ${CREDENTIAL_PREFIX}${server.toLowerCase()}.`
}
