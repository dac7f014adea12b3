import { maskSecrets } from '../../detect/secrets/mask-secrets.ts'
import { type Caller, type Exchange, nextRequestId } from '../../exchange/exchange.ts'
import type { Id, Json, Notification, Request } from '../../protocol/messages.ts'
import { cleanCapabilities, cleanClientInfo, type Envelope } from '../../protocol/modern.ts'
import type { StreamEvent } from '../../upstream/channel/channel.ts'
import type { Ask, AskAnswer } from '../../upstream/connection/upstream-request.ts'
import { cannotBeAsked, isGraveEnough } from '../wire/to-client.ts'

/** What a call of an older client needs of the session it belongs to. */
export interface CallOutlet {
  /** Sends something that belongs to this call: progress, logs. */
  send(message: Notification): void
  stream(event: StreamEvent): void
  /** Asks the client something in the course of this call. */
  ask(ask: Ask): Promise<AskAnswer>
}

/** A call of a client of the older era, which can be asked in the middle of it. */
export class LegacyCall implements Exchange {
  readonly requestId = nextRequestId()
  readonly caller: Caller
  readonly id: Id
  readonly method: string
  readonly params: Json | undefined
  readonly #outlet: CallOutlet
  readonly #listeners: ((reason?: string) => void)[] = []
  #isCancelled = false

  constructor(request: Request, caller: Caller, outlet: CallOutlet) {
    this.caller = caller
    this.id = request.id
    this.method = request.method
    this.params = request.params
    this.#outlet = outlet
  }

  notify(notification: Notification): void {
    // A server that others share may say more than this one wants to hear.
    if (!this.#isCancelled && isGraveEnough(notification, this.caller.envelope.logLevel))
      this.#outlet.send(notification)
  }

  onStream(event: StreamEvent): void {
    this.#outlet.stream(event)
  }

  ask(ask: Ask): Promise<AskAnswer> {
    const error = cannotBeAsked(ask, this.caller.envelope.capabilities)
    return error === undefined ? this.#outlet.ask(ask) : Promise.resolve({ error })
  }

  onCancel(listener: (reason?: string) => void): void {
    if (this.#isCancelled) listener()
    else this.#listeners.push(listener)
  }

  get isCancelled(): boolean {
    return this.#isCancelled
  }

  cancel(reason?: string): void {
    if (this.#isCancelled) return
    this.#isCancelled = true
    for (const listener of this.#listeners) listener(reason)
  }
}

/**
 * What a legacy client says of itself when it connects. Modern servers are told of it with every call, and nobody who
 * allows a call is shown it: so it is told without free words, and without secrets.
 */
export function legacyEnvelope({ capabilities, clientInfo }: Json): Envelope {
  const info = cleanClientInfo(clientInfo)
  return {
    capabilities: cleanCapabilities(capabilities),
    ...(info && { clientInfo: { name: maskSecrets(info.name), version: maskSecrets(info.version) } }),
  }
}
