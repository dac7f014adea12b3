const counts = new Uint32Array(128)

/**
 * Shannon entropy in bits per character. All non-ASCII characters count as the same character. Forty random base64
 * characters score about 4.8, English text about 3.5, and `xxxxxxxx` 0.
 */
export function entropyOf(text: string): number {
  counts.fill(0)
  for (let at = 0; at < text.length; at += 1) {
    const code = Math.min(text.charCodeAt(at), 127)
    counts[code] = (counts[code] ?? 0) + 1
  }
  let bits = 0
  for (let code = 0; code < counts.length; code += 1) {
    const share = (counts[code] ?? 0) / text.length
    if (share > 0) bits -= share * Math.log2(share)
  }
  return bits
}
