import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

export interface PushKeys {
  /** The public key of the browser, uncompressed, as base64url. */
  readonly p256dh: string
  /** The secret that it shares with us, as base64url. */
  readonly auth: string
}

interface Chance {
  /** The private key of this message. */
  readonly privateKey?: Buffer
  readonly salt?: Buffer
}

const RECORD_SIZE = 4096
const SALT_BYTES = 16

/**
 * One encrypted record for a browser: RFC 8291 with the content coding of RFC 8188. The library `web-push` does the same
 * with 17 more packages, and opens its own connections, past the check of addresses.
 */
export function encryptPush(text: string, { p256dh, auth }: PushKeys, chance: Chance = {}): Buffer {
  const browserKey = Buffer.from(p256dh, 'base64url')
  const salt = chance.salt ?? randomBytes(SALT_BYTES)
  const own = createECDH('prime256v1')
  if (chance.privateKey === undefined) own.generateKeys()
  else own.setPrivateKey(chance.privateKey)
  const ownKey = own.getPublicKey()
  const shared = own.computeSecret(browserKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, ownKey])
  const material = derive(shared, Buffer.from(auth, 'base64url'), info, 32)
  const key = derive(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // The byte 2 marks the last record.
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.update(Buffer.of(2)), cipher.final()])
  return Buffer.concat([headerOf(salt, ownKey), body, cipher.getAuthTag()])
}

function headerOf(salt: Buffer, key: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_SIZE)
  return Buffer.concat([salt, size, Buffer.of(key.length), key])
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
}
