import { createHash } from 'node:crypto'
import { canonicalJson, fingerprint, NotCanonicalError, type ToolDefinition } from '@hintgate/metadata'
import { isJsonObject } from '../protocol/messages.ts'
import { holdsExactNumbers, spellNumbers, writeJson } from '../protocol/parse-json.ts'
import type { DefinitionKind, DefinitionStore, SeenDefinition, StoredDefinition } from '../store/store.ts'
import {
  BY_RULE,
  judgeDefinition,
  NO_FINGERPRINT,
  type Standing,
  type TrustRules,
} from './judge-definition.ts'
import { mapPolitely } from './map-politely.ts'

/** Something a server says of itself, under the name by which it is pinned. */
export interface Named {
  readonly name: string
  readonly definition: unknown
}

export interface Pinned extends Named {
  readonly fingerprint: string
  readonly standing: Standing
}

interface ListedOfKind {
  readonly kind: DefinitionKind
  readonly definitions: readonly Named[]
}

type Rules = Omit<TrustRules, 'isFirstSet'>

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
  /** What operators had said when a server's tools were judged last; others may have read more since. */
  readonly #judgedBy = new Map<string, string>()
  /** What was written last, so that a server that repeats itself causes no writing. */
  readonly #written = new Map<string, string>()
  /** The fingerprints of what servers list beside their tools, by kind and name, since they were asked here. */
  readonly #said = new Map<string, ReadonlyMap<string, string>>()
  /** Whether anything of that is approved; until the next look, of which there are many. */
  readonly #beside = new Map<string, boolean>()
  /** Servers of which something could not be read or written. */
  readonly #unsure = new Set<string>()

  constructor(deps: PinsDeps) {
    this.#deps = deps
  }

  /** Where definitions stand; every version of them is written down. */
  async judge(server: string, listed: ListedOfKind, rules: Rules): Promise<readonly Pinned[]> {
    const judged = await this.weigh(server, listed, rules)
    this.#said.set(keyOf(server, listed.kind), new Map(judged.map(one => [one.name, one.fingerprint])))
    this.#beside.delete(server)
    await this.#write(server, listed.kind, judged)
    return judged
  }

  /** The same, and nothing is written down. */
  async weigh(server: string, { kind, definitions }: ListedOfKind, rules: Rules): Promise<readonly Pinned[]> {
    const known = await this.#load(server)
    const ofKind = known.filter(stored => stored.kind === kind)
    const byName = new Map(ofKind.map(stored => [stored.name, stored]))
    const judged = await mapPolitely(definitions, ({ name, definition }) => {
      const print = knownFingerprintOf(definition)
      const rest = { fingerprint: print, definition, stored: byName.get(name) }
      return {
        name,
        definition,
        fingerprint: print,
        standing: judgeDefinition(rest, { ...rules, isFirstSet: ofKind.length === 0 }),
      }
    })
    if (kind === 'tool') this.#judgedBy.set(server, digestOf(known))
    return judged
  }

  /** Whether an operator said no to anything but tools, of whichever server; also when nobody can tell. */
  async hasRefusals(): Promise<boolean> {
    try {
      for (const server of await this.#deps.store.servers())
        if ((await this.#deps.store.loadReviewed(server)).some(isRefused)) return true
      return false
    } catch (error) {
      this.#deps.onError(error)
      return true
    }
  }

  /** The versions of a tool that an operator said no to, as of the last look into the store. */
  rejectedOf(server: string, tool: string): ReadonlySet<string> {
    const stored = this.#known.get(server)?.find(({ kind, name }) => kind === 'tool' && name === tool)
    const rejected = stored?.versions.filter(({ review }) => review?.verdict === 'rejected') ?? []
    return new Set(rejected.map(version => version.fingerprint))
  }

  /** Whether an operator approved a prompt, a template or the instructions that a server has, as of the last look into the store. */
  approvesBeside(server: string): boolean {
    const found =
      this.#beside.get(server) ??
      this.#known.get(server)?.some(stored => stored.kind !== 'tool' && this.#isApprovedNow(stored)) ??
      false
    this.#beside.set(server, found)
    return found
  }

  /** What a server was not asked for since the start is what it was before. */
  #isApprovedNow({ server, kind, name, isDisabled, current, versions }: StoredDefinition): boolean {
    const said = this.#said.get(keyOf(server, kind))
    const print = said === undefined ? current : said.get(name)
    return (
      !isDisabled && versions.some(one => one.fingerprint === print && one.review?.verdict === 'approved')
    )
  }

  /** Whether the store was there when a server was judged last; else judging anew may come to something else. */
  isSure(server: string): boolean {
    return !this.#unsure.has(server)
  }

  /** Whether operators said anything about a server since its tools were judged last. */
  async hasNews(server: string): Promise<boolean> {
    return digestOf(await this.#load(server)) !== this.#judgedBy.get(server)
  }

  async #load(server: string): Promise<readonly StoredDefinition[]> {
    try {
      const loaded = await this.#deps.store.loadReviewed(server)
      this.#known.set(server, loaded)
      this.#beside.delete(server)
      this.#unsure.delete(server)
      return loaded
    } catch (error) {
      this.#unsure.add(server)
      this.#deps.onError(error)
      return this.#known.get(server) ?? []
    }
  }

  /** Every version before anything is made of it, and what rules approved: all of it or nothing. */
  async #write(server: string, kind: DefinitionKind, judged: readonly Pinned[]): Promise<void> {
    const { store, onError } = this.#deps
    const at = this.#deps.now()
    const digest = judged.map(one => `${one.name} ${one.fingerprint} ${one.standing.approvedBy}`).join('\n')
    const key = keyOf(server, kind)
    if (this.#written.get(key) === digest) return
    const definitions = await mapPolitely(judged, one => toSeen(kind, one, at))
    try {
      await store.see(server, { kinds: [kind], definitions }, at)
      this.#written.set(key, digest)
    } catch (error) {
      this.#unsure.add(server)
      onError(error)
    }
  }
}

function keyOf(server: string, kind: DefinitionKind): string {
  return `${server} ${kind}`
}

function isRefused({ kind, isDisabled, versions }: StoredDefinition): boolean {
  return kind !== 'tool' && (isDisabled || versions.some(({ review }) => review?.verdict === 'rejected'))
}

/** What operators said, and nothing of what the server said. */
function digestOf(known: readonly StoredDefinition[]): string {
  return JSON.stringify(
    known.flatMap(({ kind, name, isDisabled, versions }) =>
      isDisabled || versions.length > 0
        ? [[kind, name, isDisabled, versions.map(one => [one.fingerprint, one.review?.verdict])]]
        : [],
    ),
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

/** Of what stays the same object, however often it is judged; nobody changes a definition in place. */
const known = new WeakMap<object, string>()

function knownFingerprintOf(definition: unknown): string {
  if (!isJsonObject(definition)) return fingerprintOf(definition)
  const print = known.get(definition) ?? fingerprintOf(definition)
  known.set(definition, print)
  return print
}

/**
 * Over what is sent, and not over how we keep long numbers in memory. RFC 8785 knows them as doubles only; whoever reads the
 * definition may read every digit, so where a double would round, the digits count as well. (The text that they are
 * hashed in is no JSON: no other definition can be made to have the same.)
 */
export function fingerprintOf(definition: unknown): string {
  const sent = JSON.parse(writeJson(definition)) as ToolDefinition
  try {
    const print = fingerprint(sent)
    if (!isJsonObject(definition) || !holdsExactNumbers(definition)) return print
    const digits = canonicalJson(spellNumbers(definition))
    return createHash('sha256').update(`${print} ${digits}`).digest('hex')
  } catch (error) {
    if (!(error instanceof NotCanonicalError)) throw error
    return `${NO_FINGERPRINT}${error.message}`
  }
}
