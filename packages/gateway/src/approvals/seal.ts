import { TextSealer } from '../base/text-sealer.ts'
import { isJsonObject } from '../protocol/messages.ts'

/** Our own states of confirmations; others are a server's, or those of calls that are parked here. */
export const SEALED_PREFIX = 'hgc1.'

/** What a client carries for us while somebody is asked. It can neither read nor change it. */
export interface CarriedState {
  readonly approval: string
  /** Who carries it, and for which tool (`server:tool`): what one server says is not for another. */
  readonly caller: string
  readonly tool: string
  /** The state of the server behind us, when it asked in turn. */
  readonly inner?: string
}

export class Sealer {
  readonly #sealer: TextSealer

  constructor(secret: Buffer) {
    this.#sealer = new TextSealer(secret, 'confirmation state')
  }

  seal(state: CarriedState): string {
    return `${SEALED_PREFIX}${this.#sealer.seal(JSON.stringify(state))}`
  }

  /** Undefined unless we sealed it, just like this. */
  open(text: string): CarriedState | undefined {
    const opened = this.#sealer.open(text.slice(SEALED_PREFIX.length))
    return opened === undefined ? undefined : readState(JSON.parse(opened))
  }
}

function readState(value: unknown): CarriedState | undefined {
  if (!isJsonObject(value)) return undefined
  const { approval, caller, tool, inner } = value
  if (typeof approval !== 'string' || typeof caller !== 'string' || typeof tool !== 'string') return undefined
  return { approval, caller, tool, ...(typeof inner === 'string' ? { inner } : {}) }
}
