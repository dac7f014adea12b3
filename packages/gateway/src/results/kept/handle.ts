const HANDLE = /^res_[\w-]{22}$/

/** Cannot be guessed, though nobody but its owner could use it: 128 random bits. */
export function createHandle(randomBytes: (size: number) => Uint8Array): string {
  return `res_${Buffer.from(randomBytes(16)).toString('base64url')}`
}

export function isHandle(value: unknown): value is string {
  return typeof value === 'string' && HANDLE.test(value)
}
