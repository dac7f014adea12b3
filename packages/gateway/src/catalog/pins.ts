import { createHash } from 'node:crypto'
import { canonicalJson, fingerprint, NotCanonicalError, type ToolDefinition } from '@hintgate/metadata'
import { isJsonObject } from '../protocol/messages.ts'
import { holdsExactNumbers, spellNumbers, writeJson } from '../protocol/parse-json.ts'
import type { DefinitionKind, DefinitionStore, SeenDefinition, StoredDefinition } from '../store/store.ts'
import {
  BY_RULE,
  judgeDefinition,
  NO_FINGERPRINT,
  type ReviewStatus,
  type TrustRules,
} from './judge-definition.ts'
import { mapInSlices } from './map-in-slices.ts'

/** A server's definition, with the name by which it is pinned. */
export interface Named {
  readonly name: string
  readonly definition: unknown
}

export interface Pinned extends Named {
  readonly fingerprint: string
  readonly standing: ReviewStatus
}

interface ListedOfKind {
  readonly kind: DefinitionKind
  readonly definitions: readonly Named[]
}

type Rules = Omit<TrustRules, 'isFirstSet'>

interface PinsDeps {
  readonly store: DefinitionStore
  readonly now: () => number
  /**
   * Called when the store fails. Until the store works again, every definition that is not known to be approved waits.
   */
  readonly onError: (error: unknown) => void
}

/** Compares what servers declare with what operators approved, and stores every version. */
export class Pins {
  readonly #deps: PinsDeps
  /** The definitions that were last read, by server. They are used while the store cannot be read. */
  readonly #known = new Map<string, readonly StoredDefinition[]>()
  /** The digest of the operators' decisions under which a server's tools were last judged. */
  readonly #judgedBy = new Map<string, string>()
  /** The digest of the list that was last written, so that an unchanged list is not written again. */
  readonly #written = new Map<string, string>()
  /** The fingerprints in the server's last lists of prompts, templates and instructions, by kind and name. */
  readonly #said = new Map<string, ReadonlyMap<string, string>>()
  /**
   * For each server, true if a definition other than a tool is approved. Cached until the next read, because it is
   * needed often.
   */
  readonly #beside = new Map<string, boolean>()
  /** Servers for which the last read or write failed. */
  readonly #unsure = new Set<string>()

  constructor(deps: PinsDeps) {
    this.#deps = deps
  }

  /** Returns the review states of definitions, and stores every version. */
  async judge(server: string, listed: ListedOfKind, rules: Rules): Promise<readonly Pinned[]> {
    const judged = await this.weigh(server, listed, rules)
    this.#said.set(keyOf(server, listed.kind), new Map(judged.map(one => [one.name, one.fingerprint])))
    this.#beside.delete(server)
    await this.#write(server, listed.kind, judged)
    return judged
  }

  /** Returns the review states of definitions without storing anything. */
  async weigh(server: string, { kind, definitions }: ListedOfKind, rules: Rules): Promise<readonly Pinned[]> {
    const known = await this.#load(server)
    const ofKind = known.filter(stored => stored.kind === kind)
    const byName = new Map(ofKind.map(stored => [stored.name, stored]))
    const judged = await mapInSlices(definitions, ({ name, definition }) => {
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

  /**
   * True if an operator has rejected any definition other than a tool, on any server, or if the store cannot be read.
   */
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

  /** Returns the fingerprints of a tool's rejected versions, as of the last read. */
  rejectedOf(server: string, tool: string): ReadonlySet<string> {
    const stored = this.#known.get(server)?.find(({ kind, name }) => kind === 'tool' && name === tool)
    const rejected = stored?.versions.filter(({ review }) => review?.verdict === 'rejected') ?? []
    return new Set(rejected.map(version => version.fingerprint))
  }

  /** True if a prompt, a template or the instructions of a server are approved, as of the last read. */
  approvesBeside(server: string): boolean {
    const found =
      this.#beside.get(server) ??
      this.#known.get(server)?.some(stored => stored.kind !== 'tool' && this.#isApprovedNow(stored)) ??
      false
    this.#beside.set(server, found)
    return found
  }

  /**
   * True if the listed version is approved. If the server has not been asked for this kind of definition since the
   * start, the definition counts as unchanged.
   */
  #isApprovedNow({ server, kind, name, isDisabled, current, versions }: StoredDefinition): boolean {
    const said = this.#said.get(keyOf(server, kind))
    const print = said === undefined ? current : said.get(name)
    return (
      !isDisabled && versions.some(one => one.fingerprint === print && one.review?.verdict === 'approved')
    )
  }

  /** False if the store failed when the server was last judged; judging it again may give a different result. */
  isSure(server: string): boolean {
    return !this.#unsure.has(server)
  }

  /** True if there are new decisions about a server since its tools were last judged. */
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

  /** Stores every version before it is used, together with approvals by rules. Stores all of them or none. */
  async #write(server: string, kind: DefinitionKind, judged: readonly Pinned[]): Promise<void> {
    const { store, onError } = this.#deps
    const at = this.#deps.now()
    const digest = judged.map(one => `${one.name} ${one.fingerprint} ${one.standing.approvedBy}`).join('\n')
    const key = keyOf(server, kind)
    if (this.#written.get(key) === digest) return
    const definitions = await mapInSlices(judged, one => toSeen(kind, one, at))
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

/** Returns a digest of the operators' decisions, which does not depend on what the server declares. */
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

/** Fingerprints by object, because definitions are judged repeatedly and never changed in place. */
const known = new WeakMap<object, string>()

export function knownFingerprintOf(definition: unknown): string {
  if (!isJsonObject(definition)) return fingerprintOf(definition)
  const print = known.get(definition) ?? fingerprintOf(definition)
  known.set(definition, print)
  return print
}

/**
 * Returns the fingerprint of a definition as it was sent. RFC 8785 treats numbers as doubles, but a program that reads
 * the definition might use every digit, so if a double would round a number, all its digits are hashed too. (The hashed
 * text is then not JSON, so no other definition can have the same text.)
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
