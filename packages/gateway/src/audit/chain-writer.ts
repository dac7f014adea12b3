import { randomBytes } from 'node:crypto'
import { isGone, type ProcessMark } from '../base/process-mark.ts'
import type { AuditContent } from '../store/audit-log/shape.ts'
import type { AuditRow, AuditStore, StoredWriter } from '../store/audit-store.ts'
import { type Link, linkRows, START } from './chain.ts'
import type { Sealer } from './sealer.ts'
import { writeUnknown } from './write-row.ts'

interface ChainWriterDeps {
  readonly store: AuditStore
  readonly sealer: Sealer
  readonly mark: ProcessMark
  readonly now: () => number
}

interface Registered {
  readonly id: number
  readonly name: string
}

interface Uncertain {
  readonly contents: readonly AuditContent[]
  readonly rows: readonly AuditRow[]
}

/** Writes this process's chain and gives each row its position in it. Callers must write one batch at a time. */
export class ChainWriter {
  readonly #deps: ChainWriterDeps
  readonly #name = randomBytes(12).toString('base64url')
  /** The numbers of intents without an outcome, oldest first. */
  readonly #open = new Map<string, number>()
  #registered: Registered | undefined
  #end: Link = START
  /** A batch whose commit reported a failure. It might have been stored nevertheless. */
  #uncertain: Uncertain | undefined
  /**
   * Rows that were stored although their commit reported a failure. Callers can pass them in again, and they are then
   * skipped.
   */
  readonly #stored = new Set<AuditContent>()

  constructor(deps: ChainWriterDeps) {
    this.#deps = deps
  }

  /** The writer's number; undefined until the first row is written. */
  get id(): number | undefined {
    return this.#registered?.id
  }

  /** Appends rows. Returns false and writes nothing if `closes` names a writer that is already closed. */
  async append(contents: readonly AuditContent[], closes?: number): Promise<boolean> {
    const writer = await this.#register()
    await this.#findOut(writer)
    const left = this.#stored.size === 0 ? contents : contents.filter(content => !this.#stored.has(content))
    const rows = linkRows(writer, this.#end, left)
    const last = rows.at(-1)
    this.#uncertain = { contents: left, rows }
    const isAppended = await this.#deps.store.append({
      writer: writer.id,
      rows,
      ...(last === undefined ? {} : { head: this.#deps.sealer.seal('head', writer, last) }),
      openFrom: this.#findOpenFrom(rows),
      at: this.#deps.now(),
      ...(closes === undefined ? {} : { closes }),
    })
    this.#uncertain = undefined
    this.#stored.clear()
    if (isAppended) this.#advance(rows)
    return isAppended
  }

  /** Closes the chain, unless a call is still open. Another process then ends that call later. */
  async close(): Promise<void> {
    if (this.#registered === undefined) return
    await this.#findOut(this.#registered)
    if (this.#open.size === 0) await this.#deps.store.closeWriter(this.#registered.id, this.#deps.now())
  }

  /**
   * Registers the writer. This happens at its first row, because a process that records nothing must leave no writer
   * behind.
   */
  async #register(): Promise<Registered> {
    if (this.#registered !== undefined) return this.#registered
    const { store, sealer, mark, now } = this.#deps
    const name = this.#name
    const id = await store.register({ ...mark, name, startedAt: now(), keyId: sealer.keyId }, own =>
      sealer.seal('head', { id: own, name }, START),
    )
    this.#registered = { id, name }
    return this.#registered
  }

  /** Finds out whether a failed commit was stored; if so, the chain continues after it. */
  async #findOut({ id }: Registered): Promise<void> {
    if (this.#uncertain === undefined) return
    const { contents, rows } = this.#uncertain
    const writer = (await this.#deps.store.writers()).find(known => known.id === id)
    const last = rows.at(-1)
    if (last !== undefined && writer?.head?.hash === last.hash) {
      this.#advance(rows)
      for (const content of contents) this.#stored.add(content)
    }
    this.#uncertain = undefined
  }

  /**
   * Finds the first row that could be an open intent. A call whose outcome is in `rows` still counts as open, because
   * it does no harm if the returned row is too early.
   */
  #findOpenFrom(rows: readonly AuditRow[]): number {
    const [oldest] = this.#open.values()
    const first = oldest ?? rows.find(({ kind }) => kind === 'intent')?.seq
    return first ?? this.#end.seq + rows.length + 1
  }

  #advance(rows: readonly AuditRow[]): void {
    for (const { kind, request, seq } of rows) {
      if (kind === 'intent') this.#open.set(request, seq)
      else this.#open.delete(request)
    }
    this.#end = rows.at(-1) ?? this.#end
  }
}

interface CloseOpenDeps {
  readonly store: AuditStore
  readonly here: ProcessMark
  readonly now: number
  readonly isOwn: (writer: number) => boolean
  /**
   * Appends rows to this process's chain. Returns false if another process has closed the writer `closes` in the
   * meantime.
   */
  readonly append: (rows: readonly AuditContent[], closes: number) => Promise<boolean>
}

const NOTE = 'The gateway ended before the outcome was recorded. The call might have been executed.'

/** Ends the open calls of dead writers. If several processes try this at the same time, only one succeeds. */
export async function closeWhatIsOpen(deps: CloseOpenDeps): Promise<number> {
  let ended = 0
  for (const writer of await deps.store.writers('open')) {
    if (deps.isOwn(writer.id)) continue
    if (isGone(writer, deps.here, deps.now)) ended += await closeWriter(writer, deps)
  }
  return ended
}

async function closeWriter({ id }: StoredWriter, { store, append, now }: CloseOpenDeps): Promise<number> {
  const open = await store.open(id)
  if (open.length === 0) {
    await store.closeWriter(id, now)
    return 0
  }
  const rows = open.map(intent => writeUnknown(intent, intent, NOTE))
  return (await append(rows, id)) ? rows.length : 0
}
