import { isServiceDomain, nearest, SERVICE_DOMAINS, showUntrusted } from '@hintgate/metadata'

/** The maximum number of unknown domains that the answer names. */
const MOST_NAMED = 5
const LONGEST = 64

/**
 * Returns the requested domains that neither the vocabulary nor any of the caller's tools has, in the form in which the
 * answer shows them.
 */
export function findUnknownDomains(
  asked: readonly string[] | undefined,
  isOfTool: (domain: string) => boolean,
): readonly string[] {
  const unknown = new Set(asked?.filter(domain => !isServiceDomain(domain) && !isOfTool(domain)))
  return [...unknown].slice(0, MOST_NAMED).map(domain => showUntrusted(domain, LONGEST))
}

/** Explains the unknown domains to the caller. Undefined if there are none. */
export function explainUnknownDomains(unknown: readonly string[]): string | undefined {
  if (unknown.length === 0) return undefined
  const names = unknown.map(domain => {
    const meant = nearest(domain, SERVICE_DOMAINS)
    return `${JSON.stringify(domain)}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
  })
  return `Unknown in domains, and without effect: ${names.join(', ')}.`
}
