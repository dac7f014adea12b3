import { loadUndici } from '../../base/load-undici.ts'
import { fetchPlain } from '../../base/plain-fetch.ts'
import { isAddress, isPublicAddress, lookUpPublic } from '../../base/public-address.ts'
import { DeliveryError } from './channel.ts'

/** The addresses to which a message can be sent. */
interface Reach {
  /** True if the address is in the config. Because the operator chose it, a literal address can be private. */
  readonly isConfigured: boolean
  /** True if a host name is also allowed to lead to a private address. */
  readonly mayBePrivate: boolean
}

interface Posting {
  readonly url: string
  readonly body: string | Buffer
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly reach: Reach
}

const CONNECT_MS = 10_000

let agents: { open: import('undici').Agent; guarded: import('undici').Agent } | undefined

function loadAgents() {
  const { Agent } = loadUndici()
  const timeout = CONNECT_MS
  agents ??= {
    open: new Agent({ connect: { timeout } }),
    guarded: new Agent({ connect: { timeout, lookup: lookUpPublic } }),
  }
  return agents
}

/** Sends one message. Redirects are not followed, because the operator did not choose the address they lead to. */
export async function post({ url, body, headers, signal, reach }: Posting): Promise<Response> {
  const target = new URL(url)
  const dispatcher = isOpen(target, reach) ? loadAgents().open : loadAgents().guarded
  try {
    const { fetch: fetchWith } = loadUndici()
    const answer = await fetchPlain(
      target,
      {
        method: 'POST',
        body: typeof body === 'string' ? body : new Uint8Array(body),
        headers,
        redirect: 'manual',
        signal,
      },
      (to, asked) => fetchWith(to, { ...(asked as Parameters<typeof fetchWith>[1]), dispatcher }),
    )
    if (answer.ok) return answer
    throw refusalOf(answer)
  } catch (error) {
    if (error instanceof DeliveryError) throw error
    throw new DeliveryError(codeOf(error))
  }
}

/**
 * Whether a connection needs no check of the address. No lookup happens for a literal address, so it is checked here.
 */
function isOpen({ hostname }: URL, { isConfigured, mayBePrivate }: Reach): boolean {
  if (mayBePrivate) return true
  if (!isAddress(hostname) && hostname !== 'localhost') return false
  if (isConfigured || isPublicAddress(hostname)) return true
  throw new DeliveryError('the address is not on the public internet', { isFinal: true })
}

/** HTTP statuses of temporary failures: request timeout, too early, too many requests. */
const PASSING = new Set([408, 425, 429])

function refusalOf({ status, headers }: Response): DeliveryError {
  const isFinal = status < 500 && !PASSING.has(status)
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const retryAfterMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
  return new DeliveryError(`HTTP ${status}`, { isFinal, retryAfterMs })
}

/**
 * Returns the code of a network failure. The failure's message is not used, because it can contain the address, which
 * can be a secret.
 */
function codeOf(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as NodeJS.ErrnoException
    if (code !== undefined && /^[A-Z_]+$/.test(code)) return code
    if (one.message.endsWith('is not on the public internet'))
      return 'the host name leads to a private address; if that is intended, set "private": true'
    if (one.name === 'TimeoutError') return 'no answer in time'
  }
  return 'the connection failed'
}
