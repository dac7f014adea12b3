// Audit rows as the gateway writes them, in batches of a given size.
import { randomBytes } from 'node:crypto'
import type { AuditRow, openStore } from './store-parts.ts'

type Audit = Awaited<ReturnType<typeof openStore>>['audit']

/** Alternates an intent and its outcome, of realistic size. */
export async function appendBatches(audit: Audit, batches: number, size: number): Promise<void> {
  const mark = { place: 'bench', pid: 1, processStart: '1', keyId: 'bench' }
  const name = randomBytes(12).toString('base64url')
  const writer = await audit.register({ ...mark, name, startedAt: Date.now() }, () => ({
    seq: 0,
    hash: '',
    mac: HASH,
  }))
  let seq = 0
  for (let batch = 0; batch < batches; batch++) {
    const rows = Array.from({ length: size }, () => createRow(writer, ++seq))
    const head = { seq, hash: rows.at(-1)?.hash, mac: HASH }
    if (!(await audit.append({ writer, rows, head, openFrom: seq + 1, at: Date.now() })))
      throw new Error('A batch was not written.')
  }
}

const HASH = 'h'.repeat(43)
const INTENT = JSON.stringify({
  session: 'agent:bot',
  door: 'search',
  title: 'Update contact',
  fingerprint: 'f'.repeat(64),
  hints:
    'readOnly-declared destructive-declared idempotent-declared openWorld-declared egress+default sensitive+default',
  argsBytes: 160,
  args: { id: 12345, name: 'Ada Lovelace', note: 'x'.repeat(100) },
})
const OUTCOME = JSON.stringify({ attempts: 1, ms: 12.5, resultBytes: 300 })

function createRow(writer: number, seq: number): AuditRow {
  const isIntent = seq % 2 === 1
  return {
    writer,
    seq,
    at: 1_790_000_000_000 + seq * 50,
    kind: isIntent ? 'intent' : 'outcome',
    request: `bench-${writer}-${Math.ceil(seq / 2)}`,
    agent: `agent:bot${seq % 50}`,
    server: 'crm',
    tool: 'update_contact',
    variant: 'write',
    verdict: 'allow',
    outcome: isIntent ? '' : 'answered',
    code: '',
    body: isIntent ? INTENT : OUTCOME,
    prev: HASH,
    hash: randomBytes(32).toString('base64url'),
  }
}
