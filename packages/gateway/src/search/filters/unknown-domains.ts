import { isServiceDomain, nearest, SERVICE_DOMAINS, showUntrusted } from '@hintgate/metadata'

/** Maximum number of unknown domains that the answer lists. */
const MOST_NAMED = 5
const LONGEST = 64

/**
 * Returns the requested domains that are neither in the vocabulary nor declared by any of the caller's tools, in the
 * form in which the answer shows them.
 */
export function findUnknownDomains(
  asked: readonly string[] | undefined,
  isOfTool: (domain: string) => boolean,
): readonly string[] {
  const unknown = new Set(asked?.filter(domain => !isServiceDomain(domain) && !isOfTool(domain)))
  return [...unknown].slice(0, MOST_NAMED).map(domain => showUntrusted(domain, LONGEST))
}

/** Explains the unknown domains to the caller. Returns undefined if there are none. */
export function explainUnknownDomains(unknown: readonly string[]): string | undefined {
  if (unknown.length === 0) return undefined
  const names = unknown.map(domain => {
    const meant = nearest(domain, SERVICE_DOMAINS)
    return `${JSON.stringify(domain)}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
  })
  return `Unknown values in "domains", which had no effect: ${names.join(', ')}.`
}
