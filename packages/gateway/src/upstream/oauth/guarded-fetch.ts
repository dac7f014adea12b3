import { loadUndici } from '../../base/load-undici.ts'
import { fetchPlain } from '../../base/plain-fetch.ts'
import { isAddress, isPublicAddress, lookUpPublic } from '../../base/public-address.ts'

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

const ANSWER_MS = 10_000

/**
 * A fetch for addresses that a server supplied. It connects only to the server's own host, which the operator chose,
 * and to the public internet. Redirects are not followed, because each leads to another address that the operator did
 * not choose.
 */
export function createGuardedFetch(serverUrl: string): Fetch {
  const own = new URL(serverUrl).host
  const { Agent, fetch: fetchWith } = loadUndici()
  const open = new Agent({ connect: { timeout: ANSWER_MS } })
  const guarded = new Agent({ connect: { timeout: ANSWER_MS, lookup: lookUpPublic } })
  return async (input, init) => {
    const url = new URL(input)
    const isOwn = url.host === own || (isLoopback(url) && isLoopback(new URL(serverUrl)))
    if (!isOwn) checkTarget(url)
    const dispatcher = isOwn ? open : guarded
    return fetchPlain(
      url,
      { ...init, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) },
      (to, asked) => fetchWith(to, { ...(asked as Parameters<typeof fetchWith>[1]), dispatcher }),
    )
  }
}

function checkTarget({ protocol, hostname, href }: URL): void {
  if (protocol !== 'https:') throw new Error(`${href} is not encrypted`)
  if (isAddress(hostname) && !isPublicAddress(hostname))
    throw new Error(`${href} is not on the public internet`)
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
