import { TextSealer } from '../base/text-sealer.ts'
import { isJsonObject } from '../protocol/messages.ts'

/** Prefix of the gateway's own confirmation states. Other states belong to a server or to a parked call. */
export const SEALED_PREFIX = 'hgc1.'

/** The state that a client holds while a person is asked. It is sealed: the client can neither read nor change it. */
export interface SealedState {
  readonly approval: string
  /** The caller. Together with the tool (`server:tool`), it makes the state invalid for other callers and servers. */
  readonly caller: string
  readonly tool: string
  /** The upstream server's own state, if it asked a question. */
  readonly inner?: string
}

export class Sealer {
  readonly #sealer: TextSealer

  constructor(secret: Buffer) {
    this.#sealer = new TextSealer(secret, 'confirmation state')
  }

  seal(state: SealedState): string {
    return `${SEALED_PREFIX}${this.#sealer.seal(JSON.stringify(state))}`
  }

  /** Opens a sealed state. Undefined unless the gateway sealed exactly this text. */
  open(text: string): SealedState | undefined {
    const opened = this.#sealer.open(text.slice(SEALED_PREFIX.length))
    return opened === undefined ? undefined : readState(JSON.parse(opened))
  }
}

function readState(value: unknown): SealedState | undefined {
  if (!isJsonObject(value)) return undefined
  const { approval, caller, tool, inner } = value
  if (typeof approval !== 'string' || typeof caller !== 'string' || typeof tool !== 'string') return undefined
  return { approval, caller, tool, ...(typeof inner === 'string' ? { inner } : {}) }
}
