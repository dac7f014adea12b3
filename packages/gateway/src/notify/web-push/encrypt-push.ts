import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

export interface PushKeys {
  /** The browser's public key, uncompressed, as base64url. */
  readonly p256dh: string
  /** The secret that the browser shares with this gateway, as base64url. */
  readonly auth: string
}

interface Chance {
  /** The private key used for this message alone; random unless a test sets it. */
  readonly privateKey?: Buffer
  readonly salt?: Buffer
}

const RECORD_SIZE = 4096
const SALT_BYTES = 16

/**
 * Encrypts a message for a browser as one record (RFC 8291, with the content coding of RFC 8188). The library
 * `web-push` could do the same, but it needs 17 more packages and opens its own connections, which would bypass the
 * check of addresses.
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
  // A final byte of value 2 marks the last record.
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
