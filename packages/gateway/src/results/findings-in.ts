import { isJsonObject } from '../protocol/messages.ts'
import { META_TAINT } from './check-result.ts'
import type { Taint } from './search-texts.ts'

/**
 * The findings that the gateway wrote into the `_meta` of a checked result, or the `data` of an error. A server cannot
 * write them, because reserved names are removed from what it sends.
 */
export function findingsIn(meta: unknown): readonly Taint[] | undefined {
  const taint = isJsonObject(meta) ? meta[META_TAINT] : undefined
  return isJsonObject(taint) && Array.isArray(taint.findings) ? (taint.findings as Taint[]) : undefined
}
