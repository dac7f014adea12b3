import { showUntrusted } from '@hintgate/metadata'
import { createApprovals } from '../../approvals/approvals.ts'
import { readShown, showMoment } from '../../approvals/shown-request.ts'
import { HintgateError } from '../../base/errors.ts'
import type { Remember } from '../../policy/rules.ts'
import type { StoredApproval } from '../../store/approval-store.ts'
import type { Store } from '../../store/store.ts'
import { endWith, readReviewer } from '../client/review-desk.ts'
import { showApproval, showWholeApproval } from '../show/show-approval.ts'
import { type PlaceFlags, withDecisions } from '../terminal/context.ts'
import { EXIT, write } from '../terminal/output.ts'

export interface ApprovalFlags extends PlaceFlags {
  readonly json?: boolean
}

export interface DecideFlags extends ApprovalFlags {
  readonly by?: string
  readonly note?: string
  readonly remember?: string
}

export function list(flags: ApprovalFlags): Promise<void> {
  return withDecisions(flags, async ({ store }) => {
    const waiting = await pending(store)
    if (flags.json) return write(`${JSON.stringify(waiting.map(describe), null, 2)}\n`)
    if (waiting.length === 0) return write('Nothing waits for approval.\n')
    await write(waiting.map(approval => showApproval(approval, Date.now())).join('\n'))
  })
}

/** Everything that would be executed, secrets aside, however long it is. */
export function show(id: string, { json, ...flags }: ApprovalFlags): Promise<void> {
  return withDecisions(flags, async ({ store }) => {
    const found = await store.approvals.find(id)
    if (found === undefined) throw new HintgateError('approval_unknown', { id })
    if (json) return write(`${JSON.stringify(describe(found), null, 2)}\n`)
    await write(showWholeApproval(found, Date.now()))
  })
}

export function decide(
  id: string,
  verdict: 'approved' | 'denied',
  { by: given, note, remember, json, ...flags }: DecideFlags,
): Promise<void> {
  return withDecisions(flags, async ({ store }) => {
    const by = readReviewer(given)
    if (typeof by !== 'string') {
      const { code, err } = endWith(by)
      process.stderr.write(err ?? '')
      return code
    }
    const answer = { verdict, by: `person:${by}`, via: 'cli', note, remember: readRemember(remember) }
    const decided = await createApprovals(store).decide(id, answer)
    if (json) await write(`${JSON.stringify(describe(decided), null, 2)}\n`)
    else await write(`${sayDecided(decided)}\n`)
    return EXIT.done
  })
}

function sayDecided({ id, tool, state, expiresAt }: StoredApproval): string {
  const what = `${id}: ${showUntrusted(tool, 200)}.`
  if (state === 'approved') return `Approved ${what}`
  return `Denied ${what} The same call is refused until ${showMoment(expiresAt)}.`
}

function readRemember(given: string | undefined): Remember | undefined {
  if (given === undefined || given === 'session' || given === 'arguments') return given
  throw new HintgateError('flag_invalid', { flag: '--remember', why: 'expected session or arguments' })
}

/** Questions that are there, then every new one, and how each ended, until the process is told to stop. */
export function watch({ json, ...flags }: ApprovalFlags): Promise<void> {
  return withDecisions(flags, async ({ store }) => {
    const seen = new Map<string, StoredApproval['state']>()
    const look = async (): Promise<void> => {
      const now = Date.now()
      const all = await store.approvals.list({ now, states: ['pending', 'approved', 'denied', 'spent'] })
      for (const approval of all.toReversed()) {
        const before = seen.get(approval.id)
        if (before === approval.state || (before === undefined && approval.state !== 'pending')) continue
        seen.set(approval.id, approval.state)
        if (json) await write(`${JSON.stringify(describe(approval))}\n`)
        else if (before === undefined) await write(`${showApproval(approval, now)}\n`)
        else await write(`${approval.id} is ${approval.state}\n`)
      }
    }
    let looking = look()
    const stopListening = store.onChange(() => {
      looking = looking.then(look)
    })
    await new Promise<void>(resolve => {
      // The store's own timer does not keep a process alive.
      const staying = setInterval(() => {}, 60_000)
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        process.once(signal, () => {
          clearInterval(staying)
          resolve()
        })
    })
    stopListening()
    await looking
  })
}

async function pending(store: Store): Promise<readonly StoredApproval[]> {
  return (await store.approvals.list({ now: Date.now(), states: ['pending'] })).toReversed()
}

function describe({ id, principal, session, tool, channel, state, ...rest }: StoredApproval) {
  const { standing: _, ...shown } = readShown(rest.shown)
  return {
    id,
    state,
    principal,
    session,
    tool,
    channel,
    created: new Date(rest.createdAt).toISOString(),
    expires: new Date(rest.expiresAt).toISOString(),
    ...(rest.decision === undefined ? {} : { decision: rest.decision }),
    request: shown,
  }
}
