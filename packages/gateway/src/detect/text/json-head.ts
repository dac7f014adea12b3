/** As much as tells JSON from letters that happen to start like it. */
const MAX_READ = 1600

/** Whether a part of a web token decodes to a JSON object, judged by its beginning when it is long. */
export function isJsonHead(part: string): boolean {
  const text = Buffer.from(part.slice(0, MAX_READ), 'base64url').toString('utf8')
  if (part.length > MAX_READ) return text.startsWith('{"') && !text.includes('\uFFFD')
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}
