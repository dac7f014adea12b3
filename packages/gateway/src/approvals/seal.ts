import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { isJsonObject } from '../protocol/messages.ts'

/** Our own states of confirmations; others are a server's, or those of calls that are parked here. */
export const SEALED_PREFIX = 'hgc1.'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** What a client carries for us while somebody is asked. It can neither read nor change it. */
export interface CarriedState {
  /** The approval that this is about. */
  readonly approval: string
  /** The state of the server behind us, when it asked in turn. */
  readonly inner?: string
}

export class Sealer {
  readonly #key: Buffer

  constructor(secret: Buffer) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'hintgate confirmation state', 32))
  }

  seal(state: CarriedState): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, iv)
    const sealed = Buffer.concat([cipher.update(JSON.stringify(state), 'utf8'), cipher.final()])
    return `${SEALED_PREFIX}${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`
  }

  /** Undefined unless we sealed it, just like this. */
  open(text: string): CarriedState | undefined {
    const bytes = Buffer.from(text.slice(SEALED_PREFIX.length), 'base64url')
    if (bytes.length < IV_BYTES + TAG_BYTES) return undefined
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    try {
      const opened = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
      return readState(JSON.parse(opened.toString('utf8')))
    } catch {
      return undefined
    }
  }
}

function readState(value: unknown): CarriedState | undefined {
  if (!isJsonObject(value) || typeof value.approval !== 'string') return undefined
  const { approval, inner } = value
  return { approval, ...(typeof inner === 'string' ? { inner } : {}) }
}
