import type { IncomingHttpHeaders } from 'node:http'
import { type ParamHeader, writeParamHeaders } from '../../catalog/param-headers.ts'
import { decodeHeader } from '../../protocol/modern.ts'

/** Returns a description of the problem if a header that repeats an argument differs from that argument. */
export function checkParamHeaders(
  declared: readonly ParamHeader[],
  args: unknown,
  request: { readonly headers: IncomingHttpHeaders },
): string | undefined {
  if (declared.length === 0) return undefined
  const expected = writeParamHeaders(declared, args) ?? {}
  for (const { name } of declared) {
    const key = `mcp-param-${name.toLowerCase()}`
    const [wanted, given] = [expected[key], request.headers[key]]
    if (wanted === undefined && given === undefined) continue
    const isSame = wanted !== undefined && typeof given === 'string' && isSameValue(wanted, given)
    if (!isSame) return `the Mcp-Param-${name} header and the arguments have different values`
  }
  return undefined
}

function isSameValue(wanted: string, given: string): boolean {
  const [a, b] = [decodeHeader(wanted), decodeHeader(given)]
  if (a === undefined || b === undefined) return false
  // Numbers are compared by value: 42 and 42.0 are equal.
  return a === b || (a !== '' && b !== '' && Number.isFinite(Number(a)) && Number(a) === Number(b))
}
