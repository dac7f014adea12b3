import type { Approvals } from '../approvals/approvals.ts'
import { type FormAnswer, readForm } from '../approvals/form.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { StoredApproval } from '../store/approval-store.ts'

export type Waited =
  | { readonly kind: 'decided'; readonly approval: StoredApproval }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'cancelled' }

interface Waiting {
  readonly approvals: Approvals
  /** The question for the client's user; absent where only others may answer. */
  readonly form: Json | undefined
  readonly waitMs: number
  readonly record: (answer: FormAnswer) => Promise<StoredApproval>
}

/** Shorter than any client's patience that we know of. */
const PROGRESS_MS = 5000

/** Waits for the client's user, or for anybody else who may decide: whoever is first. */
export async function waitForAnswer(
  asked: StoredApproval,
  exchange: Exchange,
  { approvals, form, waitMs, record }: Waiting,
): Promise<Waited> {
  const others = approvals.waitFor(asked.id)
  const stopProgress = keepAlive(exchange)
  let timer: NodeJS.Timeout | undefined
  const ways: Promise<Waited>[] = [
    others.decided.then(found =>
      found === undefined ? { kind: 'nobody' } : { kind: 'decided', approval: found },
    ),
    new Promise(resolve => {
      timer = setTimeout(() => resolve({ kind: 'nobody' }), waitMs).unref()
    }),
    new Promise(resolve => exchange.onCancel(() => resolve({ kind: 'cancelled' }))),
  ]
  if (form !== undefined) ways.push(askClient(exchange, form, record))
  try {
    return await Promise.race(ways)
  } finally {
    others.stop()
    stopProgress()
    clearTimeout(timer)
  }
}

async function askClient(exchange: Exchange, form: Json, record: Waiting['record']): Promise<Waited> {
  const asked = await exchange.ask({ method: 'elicitation/create', params: form })
  const answer = 'result' in asked ? readForm(asked.result) : undefined
  return answer === undefined ? { kind: 'nobody' } : { kind: 'decided', approval: await record(answer) }
}

/** Steps too small to be mistaken for the server's, which start when it is let. */
const STEP = 1e-6

function keepAlive(exchange: Exchange): () => void {
  const meta = exchange.params?._meta
  const progressToken = isJsonObject(meta) ? meta.progressToken : undefined
  if (progressToken === undefined) return () => {}
  let steps = 0
  const tell = (): void => {
    const params = { progressToken, progress: ++steps * STEP, message: 'waiting for a person to decide' }
    exchange.notify({ jsonrpc: '2.0', method: 'notifications/progress', params })
  }
  tell()
  const timer = setInterval(tell, PROGRESS_MS).unref()
  return () => clearInterval(timer)
}
