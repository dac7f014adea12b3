import { maskSecrets } from '../../detect/secrets/mask-secrets.ts'
import { explainUnaskable } from '../../exchange/askable.ts'
import { type Caller, type Exchange, nextRequestId } from '../../exchange/exchange.ts'
import type { Id, Json, Notification, Request } from '../../protocol/messages.ts'
import { cleanCapabilities, cleanClientInfo, type Envelope } from '../../protocol/modern.ts'
import type { StreamEvent } from '../../upstream/channel/channel.ts'
import type { Ask, AskAnswer } from '../../upstream/connection/upstream-request.ts'
import { isSevereEnough } from '../wire/to-client.ts'

/** Sends a call's messages and questions to its legacy client. */
export interface CallOutput {
  /** Sends a notification about this call, such as progress or a log line. */
  send(message: Notification): void
  stream(event: StreamEvent): void
  /** Asks the client a question during this call. */
  ask(ask: Ask): Promise<AskAnswer>
}

/** A legacy client's call. The client can be asked questions while the call runs. */
export class LegacyCall implements Exchange {
  readonly requestId = nextRequestId()
  readonly caller: Caller
  readonly id: Id
  readonly method: string
  readonly params: Json | undefined
  readonly #output: CallOutput
  readonly #listeners: ((reason?: string) => void)[] = []
  #isCancelled = false

  constructor(request: Request, caller: Caller, output: CallOutput) {
    this.caller = caller
    this.id = request.id
    this.method = request.method
    this.params = request.params
    this.#output = output
  }

  notify(notification: Notification): void {
    // Several clients can share a server, so it might log more than this client wants.
    if (!this.#isCancelled && isSevereEnough(notification, this.caller.envelope.logLevel))
      this.#output.send(notification)
  }

  onStream(event: StreamEvent): void {
    this.#output.stream(event)
  }

  ask(ask: Ask): Promise<AskAnswer> {
    const error = explainUnaskable(ask, this.caller.envelope.capabilities)
    return error === undefined ? this.#output.ask(ask) : Promise.resolve({ error })
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
 * Returns the description that a legacy client sent when it connected. Modern servers receive it with every call and no
 * person reviews it, so free text and secrets are removed.
 */
export function legacyEnvelope({ capabilities, clientInfo }: Json): Envelope {
  const info = cleanClientInfo(clientInfo)
  return {
    capabilities: cleanCapabilities(capabilities),
    ...(info && { clientInfo: { name: maskSecrets(info.name), version: maskSecrets(info.version) } }),
  }
}
