import type { TextSealer } from '../base/text-sealer.ts'
import { WriteTogether } from '../base/write-together.ts'
import type { PassageStore, StoredPassages } from '../store/passage-store.ts'
import type { ReadSoFar } from './find-origin.ts'
import { type Content, packPassages, unpackPassages } from './pack-passages.ts'
import { type Passage, type PassageSource, sizeOfAll } from './passage.ts'
import { readTask, type Task } from './task.ts'
import type { TokenHasher } from './token-hashes.ts'
import { WordIndex } from './word-index.ts'

interface SessionOfCaller {
  readonly principal: string
  readonly session: string
}

/** Information about texts that a principal is about to read. */
interface NewTexts {
  readonly principal: string
  /** A digest of everything that determines which passages are found. */
  readonly digest: string
  readonly source: PassageSource
}

/** The passages of one result. */
interface Batch {
  /** The digest of the texts that contained the passages. */
  readonly digest: string
  readonly at: number
  readonly size: number
  readonly passages: readonly Passage[]
}

interface Remembered {
  /** The passages by result, oldest first. A result that was already read is not added a second time. */
  readonly batches: Batch[]
  /** For each digest, the time of the newest result with these texts. */
  readonly digests: Map<string, number>
  passages: readonly Passage[]
  /** The number of earlier passages that are no longer kept. */
  dropped: number
  readonly index: WordIndex
  size: number
  /** The id of the last row of the store that is included here. */
  last: number
  /**
   * The user's task in each session. Only the first task that is stated counts, and only if the session had not read a
   * passage before.
   */
  readonly tasks: Map<string, Task>
  /** The sessions that have read a passage. */
  readonly readers: Set<string>
  /** The value of `#age` at the time of loading. If `#age` has changed, the store is read again. */
  readonly age: number
}

interface NewRow extends StoredPassages {
  /** The unsealed text, and what was packed into it. */
  readonly packed: string
  readonly fresh: readonly Passage[]
}

interface KnownRow {
  readonly id: number
  readonly session: string
  /** Undefined if this gateway's key does not open the row. */
  readonly packed: string | undefined
  readonly fresh?: readonly Passage[]
}

interface MemoryOptions {
  readonly store: PassageStore
  readonly sealer: TextSealer
  readonly hasher: TokenHasher
  /** True if other gateways can add passages for the same principals. */
  readonly isShared: boolean
  /** True while the config says that nothing is to be remembered. */
  readonly isOff: () => boolean
}

/**
 * Maximum memory for each principal's passages, in bytes. This is enough for about a thousand sentences; an ordinary
 * session has only a few.
 */
const MOST_BYTES = 512 * 1024
/** Maximum size of one principal's passages in the store, in characters. */
const MOST_SEALED = 2 * MOST_BYTES
const MOST_PRINCIPALS = 1000
/**
 * Maximum number of tasks per principal. If the task of a session is dropped, more of that session's calls need
 * approval.
 */
const MOST_TASKS = 200
const KEEP_MS = 24 * 60 * 60_000
/** If passages are read again after this time, they are stored again, so that they are kept for another `KEEP_MS`. */
const RENEW_MS = KEEP_MS / 2
const MOST_CLEAN = 1000
const NOTHING: readonly Passage[] = []

/**
 * Remembers passages that each principal has read and that could influence an agent. They are stored before the result
 * that contains them is passed on; this class caches the recent ones. They belong to the principal rather than to the
 * session, because starting a new session is easy.
 */
export class PassageMemory {
  readonly hasher: TokenHasher
  /** The passages and tasks of each principal. The least recently used principal comes first. */
  readonly #principals = new Map<string, Remembered>()
  readonly #options: MemoryOptions
  /** Digests of texts that contain no passages. */
  readonly #clean = new Set<string>()
  readonly #writes = new WriteTogether<NewRow>(rows => this.#write(rows))
  #age = 0

  constructor(options: MemoryOptions) {
    this.#options = options
    this.hasher = options.hasher
  }

  isOff(): boolean {
    return this.#options.isOff()
  }

  /** Loads what the store has for a principal. Await this before calling `passagesOf` or `taskOf`. */
  ready(principal: string): undefined | Promise<void> {
    const found = this.#find(principal)
    return found === undefined || this.#options.isShared ? this.#load(principal, found) : undefined
  }

  /** Oldest first. */
  passagesOf(principal: string, now: number): readonly Passage[] {
    const found = this.#principals.get(principal)
    if (found === undefined || found.passages.length === 0) return NOTHING
    const oldest = found.passages[0]
    if (oldest !== undefined && now - oldest.source.at <= KEEP_MS) return found.passages
    return found.passages.filter(({ source }) => now - source.at <= KEEP_MS)
  }

  /** Everything that a call is compared with. */
  readSoFar({ principal, session }: SessionOfCaller, now: number): ReadSoFar {
    const { hasher } = this
    const task = this.taskOf({ principal, session })
    const passages = this.passagesOf(principal, now)
    const found = this.#principals.get(principal)
    // If some passages are too old, the others are searched without the index.
    if (found?.passages !== passages) return { passages, hasher, task }
    const { index, dropped } = found
    const search = (hashes: readonly number[]) => index.search(hashes, passages, dropped)
    return { passages, hasher, task, search }
  }

  /**
   * Stores the passages in texts that a principal is about to read. `read` finds the passages; it is not called if the
   * same texts were read before. Returns undefined if there is nothing to await.
   */
  note({ principal, digest, source }: NewTexts, read: () => readonly Passage[]): undefined | Promise<void> {
    if (this.#clean.has(digest)) return undefined
    const found = this.#find(principal)
    const readAt = found?.digests.get(digest)
    const isKnown = readAt !== undefined && source.at - readAt < RENEW_MS
    if (isKnown && found?.readers.has(source.session) === true) return undefined
    // Known passages are not stored again, but a new session that reads them is stored as a reader.
    const passages = isKnown ? [] : read()
    if (isKnown || passages.length > 0) return this.#add(principal, { passages, source, digest })
    this.#clean.add(digest)
    const [oldest] = this.#clean
    if (this.#clean.size > MOST_CLEAN && oldest !== undefined) this.#clean.delete(oldest)
    return undefined
  }

  /** Returns the task that the user gave in a session. */
  taskOf({ principal, session }: SessionOfCaller): Task | undefined {
    return this.#principals.get(principal)?.tasks.get(session)
  }

  /**
   * Stores the task that the user gave. It is accepted only once per session, and only before the session has read a
   * passage, so that a misled agent cannot state a task. Returns undefined if there is nothing to await.
   */
  stateTask(
    { principal, session }: SessionOfCaller,
    text: string,
    source: PassageSource,
  ): undefined | Promise<void> {
    const found = this.#find(principal)
    if (found?.tasks.has(session) === true || found?.readers.has(session) === true) return undefined
    return this.#add(principal, { passages: readTask(text, this.hasher, source), source, kind: 'task' })
  }

  /** Called when a session might have been reset. The store is then read again. */
  forget(): void {
    this.#age += 1
  }

  #find(principal: string): Remembered | undefined {
    const found = this.#principals.get(principal)
    return found?.age === this.#age ? found : undefined
  }

  async #add(principal: string, content: Content): Promise<void> {
    const packed = packPassages(content)
    const { session, at } = content.source
    const sealed = this.#options.sealer.seal(packed)
    await this.#writes.add({ principal, session, at, sealed, packed, fresh: content.passages })
    // Another gateway may have added passages, too.
    const found = this.#find(principal)
    if (found === undefined || this.#options.isShared) await this.#load(principal, found)
  }

  /** Stores rows with one commit, and adds them to the principals that are in memory. */
  async #write(rows: readonly NewRow[]): Promise<void> {
    const { store, isShared } = this.#options
    const ids = await store.add(
      rows.map(({ principal, session, at, sealed }) => ({ principal, session, at, sealed })),
      MOST_SEALED,
    )
    if (isShared) return
    for (const [index, { principal, session, packed, fresh }] of rows.entries()) {
      const found = this.#find(principal)
      if (found !== undefined) this.#take({ id: ids[index] ?? 0, session, packed, fresh }, found)
    }
  }

  async #load(principal: string, found: Remembered | undefined): Promise<void> {
    const age = this.#age
    const rows = await this.#options.store.find(principal, found?.last ?? 0)
    const remembered = this.#find(principal) ?? newcomer(age)
    for (const { id, session, sealed } of rows)
      this.#take({ id, session, packed: this.#options.sealer.open(sealed) }, remembered)
    this.#principals.delete(principal)
    this.#principals.set(principal, remembered)
    this.#forgetOldest()
  }

  #take({ id, session, packed, fresh }: KnownRow, remembered: Remembered): void {
    // Rows that are already known are skipped, because concurrent loads return the same rows.
    if (id <= remembered.last) return
    remembered.last = id
    // The row was sealed with an earlier key and cannot be read.
    if (packed === undefined) return
    const { kind, at, digest, passages } = unpackPassages(packed, this.hasher, fresh)
    if (kind === 'task') return takeTask(session, passages, remembered)
    remembered.readers.add(session)
    if (passages.length === 0) return
    const batch = { digest, at, size: sizeOfAll(passages), passages }
    remembered.batches.push(batch)
    remembered.digests.set(digest, at)
    remembered.size += batch.size
    let dropped = 0
    while (remembered.size > MOST_BYTES && remembered.batches.length > 1) {
      const oldest = remembered.batches.shift()
      remembered.size -= oldest?.size ?? 0
      dropped += oldest?.passages.length ?? 0
      if (oldest !== undefined && remembered.digests.get(oldest.digest) === oldest.at)
        remembered.digests.delete(oldest.digest)
    }
    remembered.passages = [...remembered.passages.slice(dropped), ...passages]
    remembered.dropped += dropped
  }

  #forgetOldest(): void {
    for (const principal of this.#principals.keys()) {
      if (this.#principals.size <= MOST_PRINCIPALS) return
      this.#principals.delete(principal)
    }
  }
}

function newcomer(age: number): Remembered {
  return {
    batches: [],
    digests: new Map(),
    passages: NOTHING,
    dropped: 0,
    index: new WordIndex(),
    size: 0,
    last: 0,
    tasks: new Map(),
    readers: new Set(),
    age,
  }
}

/**
 * Accepts the first task of a session, unless that session has already read a passage. All gateways see the rows in the
 * same order, so they all accept the same task.
 */
function takeTask(session: string, task: Task, { tasks, readers }: Remembered): void {
  if (tasks.has(session) || readers.has(session)) return
  tasks.set(session, task)
  const [oldest] = tasks.keys()
  if (tasks.size > MOST_TASKS && oldest !== undefined) tasks.delete(oldest)
}
