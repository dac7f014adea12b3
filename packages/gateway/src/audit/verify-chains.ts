import type { AuditRow, AuditSeal, AuditStore, Misfiled, StoredWriter } from '../store/audit-store.ts'
import { hashRow, type Link, START } from './chain.ts'
import type { Sealer } from './sealer.ts'

interface ChainProblem {
  /**
   * `edited`: a row's content was changed. `missing`, `reordered`, `unlinked`: a row does not follow the one before it.
   * `cut`: rows are missing at the end. `added`: there are rows that the head does not cover. `forged`: a seal was not
   * made with the gateway's key. `unsealed`: the end has no seal. `other-key`: the chain was sealed with another key,
   * so it cannot be verified. `no-writer`: a whole chain is missing. `misfiled`: rows exist, but their index was
   * changed.
   */
  readonly kind:
    | 'edited'
    | 'missing'
    | 'reordered'
    | 'unlinked'
    | 'cut'
    | 'added'
    | 'forged'
    | 'unsealed'
    | 'other-key'
    | 'no-writer'
    | 'misfiled'
  /** The number of the chain. */
  readonly writer: number
  readonly seq?: number
  readonly text: string
}

export interface Verification {
  readonly rows: number
  readonly writers: number
  /** The number of rows that were pruned and replaced by a seal. */
  readonly sealed: number
  /** The first problems; `problemCount` counts all of them. */
  readonly problems: readonly ChainProblem[]
  readonly problemCount: number
  /**
   * The ends of all chains. If they are stored elsewhere, they can prove later that no chain was reset to an earlier
   * state.
   */
  readonly heads: readonly Head[]
}

export interface Head {
  readonly writer: string
  readonly seq: number
  readonly hash: string
}

interface VerifyOptions {
  /** Heads from an earlier verification that were stored elsewhere. Each must still be part of its chain. */
  readonly expected?: readonly Head[]
  /** True to accept chains that were sealed with another key, because the key was changed on purpose. */
  readonly acceptsOtherKeys?: boolean
  readonly onProgress?: (rows: number) => void
}

/** Number of rows read at a time. It is small enough for the garbage collector to treat them as short-lived. */
const CHUNK = 500
const MAX_PROBLEMS = 100

/**
 * The text for an unsealed chain. A chain is sealed before its first row is written, so there are only two possible
 * causes.
 */
const UNSEALED =
  "the seal of the chain's end is missing: either the chain was emptied, or an older version of the gateway ended before it wrote its first row"

const OF_NO_CHAIN = 'the row does not belong to a known chain'

/** Reads every row and checks it against its chain, and every chain against its seals. */
export async function verifyChains(
  store: AuditStore,
  sealer: Sealer,
  options: VerifyOptions = {},
): Promise<Verification> {
  for (let round = 1; ; round += 1) {
    const { found, isPruned } = await verifyOnce(store, sealer, options)
    if (!isPruned || round === MOST_ROUNDS) return found
  }
}

/** Maximum number of rounds of reading. Another round is needed if pruning deletes rows that were still to be read. */
const MOST_ROUNDS = 3

async function verifyOnce(store: AuditStore, sealer: Sealer, options: VerifyOptions) {
  const writers = await store.writers()
  const check = new Check(writers, sealer, options)
  let rows = 0
  for (let cursor: string | undefined; ; ) {
    const slice = await store.check(cursor, CHUNK)
    if (slice.isOver) break
    for (const row of slice.rows) check.row(row)
    for (const rows of slice.misfiled) check.misfiled(rows)
    rows += slice.rows.length
    cursor = slice.cursor
    options.onProgress?.(rows)
  }
  // Other processes might have written in the meantime, so the chains' ends are read only now.
  const now = await store.writers()
  check.ends(now)
  const found: Verification = { rows, writers: writers.length, ...check.result() }
  const sealedBefore = new Map(writers.map(({ id, sealed }) => [id, sealed?.seq]))
  const isPruned = now.some(({ id, sealed }) => sealedBefore.has(id) && sealedBefore.get(id) !== sealed?.seq)
  return { found, isPruned }
}

interface State {
  readonly writer: StoredWriter
  /** The hashes that certain rows must have, by the row's number. */
  readonly fixed: Map<number, string>
  end: Link
}

type Place = Pick<ChainProblem, 'writer' | 'seq'>

class Check {
  readonly #states = new Map<number, State>()
  readonly #sealer: Sealer
  readonly #options: VerifyOptions
  readonly #problems: ChainProblem[] = []
  readonly #lastWriter: number
  /** Chains that did not exist at the start, with the number of the first row that was read. */
  readonly #later = new Map<number, number>()
  /** The positions of intents for which no outcome has been read yet, by the call's id. */
  readonly #begun = new Map<string, Pick<AuditRow, 'writer' | 'seq'>>()
  #problemCount = 0

  constructor(writers: readonly StoredWriter[], sealer: Sealer, options: VerifyOptions) {
    this.#sealer = sealer
    this.#options = options
    this.#lastWriter = writers.at(-1)?.id ?? 0
    for (const writer of writers) {
      this.#states.set(writer.id, { writer, fixed: new Map(), end: writer.sealed ?? START })
      this.#seals(writer)
    }
    this.#gaps(writers)
    for (const head of options.expected ?? []) this.#expect(head)
  }

  row(row: AuditRow): void {
    const state = this.#states.get(row.writer)
    if (state === undefined) {
      // A chain that started after verification began is ignored, if its number is plausible.
      if (row.writer <= this.#lastWriter || row.writer < 1) this.#note('added', row, OF_NO_CHAIN)
      else if (!this.#later.has(row.writer)) this.#later.set(row.writer, row.seq)
      return
    }
    this.#follows(row, state)
    if (hashRow(state.writer.name, row) !== row.hash)
      this.#note('edited', row, 'the row does not match its hash')
    if (state.fixed.size > 0) this.#fixed(row, state)
    if (row.kind === 'intent') this.#begun.set(row.request, { writer: row.writer, seq: row.seq })
    else this.#begun.delete(row.request)
    state.end = row
  }

  /** Notes misfiled rows, even in chains that started after verification began, because no writer writes such rows. */
  misfiled({ writer, firstSeq: seq, lastSeq }: Misfiled): void {
    const text =
      lastSeq > seq
        ? `the index entries of rows ${seq} to ${lastSeq} are wrong: query, tail and export can miss these rows`
        : `the index entry of row ${seq} is wrong: query, tail and export can miss this row`
    this.#note('misfiled', { writer, seq }, text)
  }

  ends(now: readonly StoredWriter[]): void {
    const heads = new Map(now.map(({ id, head }) => [id, head]))
    for (const [writer, seq] of this.#later)
      if (!heads.has(writer)) this.#note('added', { writer, seq }, OF_NO_CHAIN)
    for (const { writer, end, fixed } of this.#states.values()) {
      const { id, head } = writer
      this.#reaches(writer, end)
      const latest = heads.get(id) ?? head
      const last = { writer: id, seq: end.seq }
      if (end.seq > (latest?.seq ?? 0)) this.#note('added', last, 'there are rows after the sealed end')
      else if (end.seq === latest?.seq && end.hash !== latest.hash)
        this.#note('edited', last, 'the last row is not the one that was sealed')
      for (const seq of fixed.keys())
        if (seq > end.seq)
          this.#note(
            'cut',
            { writer: id, seq },
            'this row is missing, although a chain head that was stored elsewhere names it',
          )
    }
    // Missing outcomes are reported only if there are no other problems, because changed rows would explain them.
    if (this.#problemCount === 0) this.#unended()
  }

  /**
   * Notes calls without an outcome that no process would end, because processes search only from a writer's first open
   * call.
   */
  #unended(): void {
    // If a chain was pruned, an outcome might have been in the pruned part.
    if ([...this.#states.values()].some(({ writer }) => writer.sealed !== undefined)) return
    for (const { writer: id, seq } of this.#begun.values()) {
      const writer = this.#states.get(id)?.writer
      // A silent writer counts as closed, but might have written since.
      if (writer === undefined || seq > (writer.head?.seq ?? 0)) continue
      if (writer.closedAt === undefined && seq >= writer.openFrom) continue
      const text =
        'the call that starts with this row has no outcome, and the search for open calls does not find it'
      this.#note('misfiled', { writer: id, seq }, text)
    }
  }

  result() {
    const states = [...this.#states.values()]
    return {
      sealed: states.reduce((sum, { writer }) => sum + (writer.sealed?.seq ?? 0), 0),
      problems: this.#problems,
      problemCount: this.#problemCount,
      heads: states.map(({ writer, end }) => ({ writer: writer.name, seq: end.seq, hash: end.hash })),
    }
  }

  /** Notes gaps in the numbers of chains. A gap counts as one problem, however wide it is. */
  #gaps(writers: readonly StoredWriter[]): void {
    let next = 1
    for (const { id } of writers) {
      const text =
        id - next > 1 ? `the chains ${next} to ${id - 1} are missing` : 'the whole chain is missing'
      if (id > next) this.#note('no-writer', { writer: next }, text)
      next = Math.max(next, id + 1)
    }
  }

  #seals(writer: StoredWriter): void {
    const { id, keyId, head, sealed } = writer
    if (keyId !== this.#sealer.keyId) {
      if (this.#options.acceptsOtherKeys !== true)
        this.#note('other-key', { writer: id }, `the chain was sealed with a different key, ${keyId}`)
      return
    }
    if (head === undefined) this.#note('unsealed', { writer: id }, UNSEALED)
    this.#genuine('head', writer, head)
    this.#genuine('segment', writer, sealed)
  }

  #genuine(kind: 'head' | 'segment', writer: StoredWriter, seal: AuditSeal | undefined): void {
    if (seal === undefined || this.#sealer.isGenuine(kind, writer, seal)) return
    const what = kind === 'head' ? 'the end' : 'the pruned part'
    this.#note(
      'forged',
      { writer: writer.id, seq: seal.seq },
      `the seal of ${what} was not made with this key`,
    )
  }

  #follows(row: AuditRow, { end }: State): void {
    const expected = end.seq + 1
    if (row.seq > expected) {
      const text =
        row.seq - expected === 1
          ? `row ${expected} is missing`
          : `rows ${expected} to ${row.seq - 1} are missing`
      this.#note('missing', row, text)
    } else if (row.seq < expected) this.#note('reordered', row, `row ${expected} was expected here`)
    else if (row.prev !== end.hash) this.#note('unlinked', row, 'the row does not follow the one before it')
  }

  #fixed(row: AuditRow, { fixed }: State): void {
    const hash = fixed.get(row.seq)
    if (hash === undefined) return
    fixed.delete(row.seq)
    if (hash !== row.hash)
      this.#note('edited', row, 'this row is not the one that a chain head stored elsewhere names')
  }

  /** Notes rows that are missing at the end. Only the seal reveals them. */
  #reaches({ id, head }: StoredWriter, end: Link): void {
    const missing = (head?.seq ?? 0) - end.seq
    if (missing <= 0) return
    const text = missing === 1 ? 'the last row is missing' : `the last ${missing} rows are missing`
    this.#note('cut', { writer: id, seq: end.seq + 1 }, text)
  }

  #expect({ writer: name, seq, hash }: Head): void {
    const state = [...this.#states.values()].find(({ writer }) => writer.name === name)
    if (state === undefined) this.#note('no-writer', { writer: 0 }, `the chain ${name} is missing`)
    else if (seq > (state.writer.sealed?.seq ?? 0)) state.fixed.set(seq, hash)
  }

  #note(kind: ChainProblem['kind'], { writer, seq }: Place, text: string): void {
    this.#problemCount += 1
    if (this.#problems.length === MAX_PROBLEMS) return
    this.#problems.push({ kind, writer, ...(seq === undefined ? {} : { seq }), text })
  }
}
