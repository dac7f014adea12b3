import { HintgateError } from '../../base/errors.ts'
import { createGuardedFetch } from '../../upstream/oauth/guarded-fetch.ts'
import { type Entry, readEntries, readEntry } from './entry.ts'

/** The versions of the registry API, newest first. Registries that only have the older one answer 404 to the newer. */
const VERSIONS = ['v0.1', 'v0']

export interface Found {
  readonly entries: readonly Entry[]
  readonly unreadable: number
}

/** Reads from a registry that has the API of the official MCP registry. Sends no credentials. */
export class Registry {
  readonly #base: string
  readonly #fetch: ReturnType<typeof createGuardedFetch>

  constructor(base: string) {
    this.#base = base.replace(/\/+$/, '')
    this.#fetch = createGuardedFetch(base)
  }

  async search(word: string, limit: number): Promise<Found> {
    const query = new URLSearchParams({ search: word, version: 'latest', limit: String(limit) })
    const answer = await this.#get(`servers?${query.toString()}`)
    if (answer === undefined) throw this.#failed('it has no list of servers at this URL')
    return readEntries(answer)
  }

  async find(name: string, version: string): Promise<Entry> {
    const path = `servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`
    const answer = await this.#get(path)
    if (answer === undefined) throw new HintgateError('registry_unknown', { server: name, version })
    const entry = readEntry(answer)
    if (entry === undefined) throw this.#failed(`its entry for ${name} is not a valid server.json`)
    // An answer about a server other than the requested one must not be used.
    if (entry.name !== name) throw this.#failed(`it answered with ${entry.name} instead of ${name}`)
    return entry
  }

  /** Undefined if the registry answers 404. */
  async #get(path: string): Promise<unknown> {
    for (const version of VERSIONS) {
      const answer = await this.#ask(`${this.#base}/${version}/${path}`)
      if (answer.status === 404) continue
      if (!answer.ok) throw this.#failed(`it answered HTTP ${answer.status}`)
      return answer.json().catch(() => {
        throw this.#failed('its answer is not JSON')
      })
    }
    return undefined
  }

  async #ask(url: string): Promise<Response> {
    try {
      return await this.#fetch(url, { headers: { accept: 'application/json' } })
    } catch (error) {
      throw this.#failed(reasonOf(error), error)
    }
  }

  #failed(why: string, cause?: unknown): HintgateError<'registry_failed'> {
    return new HintgateError('registry_failed', { registry: this.#base, why }, { cause })
  }
}

/** The cause of a failed fetch, which says more than "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}
