import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts and authenticates texts that the gateway gives to clients or to the store to keep. They can neither read nor
 * change the texts. Each purpose has its own key.
 */
export class TextSealer {
  readonly #key: Buffer

  constructor(secret: Buffer, purpose: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', `hintgate ${purpose}`, 32))
  }

  seal(text: string): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, iv)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
  }

  /** Returns the original text, or undefined unless this key produced exactly this sealed text. */
  open(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    // The comparison rejects other spellings of the same bytes, because base64 decoding ignores invalid characters.
    // That matters where a sealed text can be used only once.
    if (bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return undefined
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    try {
      const opened = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]
      return Buffer.concat(opened).toString('utf8')
    } catch {
      return undefined
    }
  }
}
