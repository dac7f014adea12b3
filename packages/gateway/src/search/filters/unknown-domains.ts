import { isServiceDomain, nearest, SERVICE_DOMAINS, showUntrusted } from '@hintgate/metadata'

/** How many are named; a caller that sends more has another problem. */
const MOST_NAMED = 5
const LONGEST = 64

/** The domains that neither the vocabulary nor any of the caller's tools has, as the answer names them. */
export function findUnknownDomains(
  asked: readonly string[] | undefined,
  isOfTool: (domain: string) => boolean,
): readonly string[] {
  const unknown = new Set(asked?.filter(domain => !isServiceDomain(domain) && !isOfTool(domain)))
  return [...unknown].slice(0, MOST_NAMED).map(domain => showUntrusted(domain, LONGEST))
}

/** For the caller; undefined if all are known. */
export function explainUnknownDomains(unknown: readonly string[]): string | undefined {
  if (unknown.length === 0) return undefined
  const names = unknown.map(domain => {
    const meant = nearest(domain, SERVICE_DOMAINS)
    return `${JSON.stringify(domain)}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
  })
  return `Unknown in domains, and without effect: ${names.join(', ')}.`
}
