/** Returns a value, followed by its decoded forms, because a value can be hidden in an encoding. */
export function splitIdentifier(value: string): string[] {
  const values = [value]
  if (/%[0-9a-f]{2}/i.test(value)) push(values, decodeUri(value))
  if (/^[A-Za-z0-9+/_-]{12,}={0,2}$/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value))
    push(values, readable(Buffer.from(value, 'base64').toString('utf8')))
  if (/^(?:[0-9a-f]{2}){8,}$/i.test(value)) push(values, readable(Buffer.from(value, 'hex').toString('utf8')))
  return values
}

function push(values: string[], value: string | undefined): void {
  if (value !== undefined) values.push(value)
}

function decodeUri(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

/** Returns decoded text only if all of it is printable ASCII, because any bytes decode to something. */
function readable(text: string): string | undefined {
  return /^[\x20-\x7e]{6,}$/.test(text) ? text : undefined
}
