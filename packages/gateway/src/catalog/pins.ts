import { fingerprint, NotCanonicalError, type ToolDefinition } from '@hintgate/metadata'
import { writeJson } from '../protocol/parse-json.ts'
import type { DefinitionKind, DefinitionStore, SeenDefinition, StoredDefinition } from '../store/store.ts'
import {
  BY_RULE,
  judgeDefinition,
  NO_FINGERPRINT,
  type Standing,
  type TrustRules,
} from './judge-definition.ts'

/** Something a server says of itself, under the name by which it is pinned. */
export interface Named {
  readonly name: string
  readonly definition: unknown
}

/** A definition, and where it stands. */
export interface Pinned extends Named {
  readonly fingerprint: string
  readonly standing: Standing
}

interface PinsDeps {
  readonly store: DefinitionStore
  readonly now: () => number
  /** The store failed; whatever is not known to be approved waits meanwhile. */
  readonly onError: (error: unknown) => void
}

/** Holds what servers say against what operators approved, and writes down every version. */
export class Pins {
  readonly #deps: PinsDeps
  /** What was read last; what counts while the store cannot be read. */
  readonly #known = new Map<string, readonly StoredDefinition[]>()
  /** What was written last, so that a server that repeats itself causes no writing. */
  readonly #written = new Map<string, string>()

  constructor(deps: PinsDeps) {
    this.#deps = deps
  }

  async judge(
    server: string,
    { kind, definitions }: { readonly kind: DefinitionKind; readonly definitions: readonly Named[] },
    rules: Omit<TrustRules, 'isFirstSet'>,
  ): Promise<readonly Pinned[]> {
    const known = await this.#load(server)
    const ofKind = known.filter(stored => stored.kind === kind)
    const byName = new Map(ofKind.map(stored => [stored.name, stored]))
    const judged = definitions.map(({ name, definition }) => {
      const print = fingerprintOf(definition)
      const rest = { fingerprint: print, definition, stored: byName.get(name) }
      return {
        name,
        definition,
        fingerprint: print,
        standing: judgeDefinition(rest, { ...rules, isFirstSet: ofKind.length === 0 }),
      }
    })
    await this.#write(server, kind, judged)
    return judged
  }

  /** Whether operators said anything about a server since it was judged last. */
  async hasNews(server: string): Promise<boolean> {
    const before = digestOf(this.#known.get(server) ?? [])
    return digestOf(await this.#load(server)) !== before
  }

  async #load(server: string): Promise<readonly StoredDefinition[]> {
    try {
      const loaded = await this.#deps.store.load(server)
      this.#known.set(server, loaded)
      return loaded
    } catch (error) {
      this.#deps.onError(error)
      return this.#known.get(server) ?? []
    }
  }

  /** Every version before anything is made of it, and what rules approved: all of it or nothing. */
  async #write(server: string, kind: DefinitionKind, judged: readonly Pinned[]): Promise<void> {
    const { store, onError } = this.#deps
    const at = this.#deps.now()
    const digest = judged.map(one => `${one.name} ${one.fingerprint} ${one.standing.approvedBy}`).join('\n')
    const key = `${server} ${kind}`
    if (this.#written.get(key) === digest) return
    const definitions = judged.map(one => toSeen(kind, one, at))
    try {
      await store.see(server, { kinds: [kind], definitions }, at)
      this.#written.set(key, digest)
    } catch (error) {
      onError(error)
    }
  }
}

/** What operators said, and nothing of what the server said. */
function digestOf(known: readonly StoredDefinition[]): string {
  return JSON.stringify(
    known.map(({ kind, name, isDisabled, versions }) => [
      kind,
      name,
      isDisabled,
      versions.flatMap(({ fingerprint: print, review }) =>
        review === undefined ? [] : [print, review.verdict],
      ),
    ]),
  )
}

function toSeen(kind: DefinitionKind, { name, definition, ...judged }: Pinned, at: number): SeenDefinition {
  const { approvedBy } = judged.standing
  const review = { verdict: 'approved', by: `${BY_RULE}${approvedBy}`, at } as const
  return {
    kind,
    name,
    fingerprint: judged.fingerprint,
    definition: writeJson(definition),
    ...(approvedBy === undefined ? {} : { review }),
  }
}

/** Over what is sent, and not over how we keep long numbers in memory. (As doubles: RFC 8785 knows no others.) */
export function fingerprintOf(definition: unknown): string {
  const sent = JSON.parse(writeJson(definition)) as ToolDefinition
  try {
    return fingerprint(sent)
  } catch (error) {
    if (!(error instanceof NotCanonicalError)) throw error
    return `${NO_FINGERPRINT}${error.message}`
  }
}
