import { isGone, type ProcessMark } from '../base/process-mark.ts'
import type { AuditContent } from '../store/audit-log/shape.ts'
import type { AuditStore, StoredWriter } from '../store/audit-store.ts'
import { writeUnknown } from './write-row.ts'

interface CloseOpenDeps {
  readonly store: AuditStore
  readonly here: ProcessMark
  readonly now: number
  readonly isOwn: (writer: number) => boolean
  /** Adds rows to the own chain; false if the writer was closed by somebody else meanwhile. */
  readonly append: (rows: readonly AuditContent[], closes: number) => Promise<boolean>
}

const NOTE = 'The gateway ended before the outcome was recorded. The call may or may not have been executed.'

/** Ends what writers that are gone left open. Of several who try this at once, one succeeds. */
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
