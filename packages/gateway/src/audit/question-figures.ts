import type { AuditFilter, AuditStore } from '../store/audit-store.ts'
import { readCalls } from './read-calls.ts'
import { rulesOf } from './replay-calls.ts'
import { type AuditCall, viewCall } from './view-call.ts'

/** One question, put together from the rows of its calls. */
interface Asked {
  readonly agent: string
  rules: readonly string[]
  askedAt: number
  answer: 'approved' | 'denied' | 'open'
  answeredAt: number | undefined
}

interface RuleFigures {
  readonly rule: string
  readonly questions: number
  readonly approved: number
  readonly denied: number
}

export interface QuestionFigures {
  readonly questions: number
  readonly approved: number
  readonly denied: number
  /** Questions that nobody has answered. */
  readonly open: number
  /** The median time from question to answer, in milliseconds; undefined if nothing was answered. */
  readonly medianMs: number | undefined
  /** Questions by day, oldest first; `at` is the beginning of the day in UTC. */
  readonly days: readonly { readonly at: number; readonly questions: number }[]
  /** The agents whose calls caused the most questions. */
  readonly agents: readonly { readonly agent: string; readonly questions: number; readonly perDay: number }[]
  /** The rules that asked the most questions. A question that two rules asked counts for both. */
  readonly rules: readonly RuleFigures[]
  /** True if older questions may be missing. */
  readonly isCut: boolean
}

const DAY_MS = 86_400_000
const KEPT_DAYS = 7
/** A call can be recorded long after it arrived, so rows of this age are read again. They are counted once. */
const OVERLAP_MS = 60 * 60_000
const FRESH_MS = 10_000
const MOST_CALLS = 50_000
const MOST_KEPT = 20_000
const MOST_SHOWN = 10
/** Lasting approvals answer calls without a question. */
const GRANT = 'gr_'

/**
 * Counts the questions of the last week. The whole week is read from the log once, through an index of the calls that
 * asked. After that, only the newest of these calls are read, so that frequent polling costs little.
 */
export class QuestionStatistics {
  readonly #audit: Pick<AuditStore, 'query'>
  readonly #now: () => number
  readonly #asked = new Map<string, Asked>()
  #readUntil: number | undefined
  #readAt = 0
  #isCut = false
  #reading: Promise<void> = Promise.resolve()

  constructor(audit: Pick<AuditStore, 'query'>, now: () => number) {
    this.#audit = audit
    this.#now = now
  }

  async figures(): Promise<QuestionFigures> {
    this.#reading = this.#reading.catch(() => {}).then(() => this.#read())
    await this.#reading
    return sumUp([...this.#asked.values()], this.#now(), this.#isCut)
  }

  async #read(): Promise<void> {
    const now = this.#now()
    if (this.#readUntil !== undefined && now - this.#readAt < FRESH_MS) return
    const oldest = now - KEPT_DAYS * DAY_MS
    const since = Math.max(oldest, (this.#readUntil ?? 0) - OVERLAP_MS)
    await this.#readCalls({ verdict: 'confirm', since })
    await this.#readCalls({ code: 'confirmation_denied', since })
    this.#readUntil = now
    this.#readAt = now
    for (const [id, { askedAt }] of this.#asked) if (askedAt < oldest) this.#asked.delete(id)
  }

  async #readCalls(filter: AuditFilter): Promise<void> {
    let read = 0
    for await (const page of readCalls(this.#audit, filter)) {
      for (const stored of page) {
        const call = viewCall(stored)
        if (call !== undefined) this.#note(call)
      }
      read += page.length
      if (read < MOST_CALLS && this.#asked.size < MOST_KEPT) continue
      this.#isCut = true
      return
    }
  }

  #note(call: AuditCall): void {
    const { request, approval = request, approver, agent, code, reasons = [] } = call
    if (approval.startsWith(GRANT)) return
    const at = Date.parse(call.time)
    const isDenied = code === 'confirmation_denied'
    const known = this.#asked.get(approval)
    const asked: Asked = known ?? { agent, rules: [], askedAt: at, answer: 'open', answeredAt: undefined }
    asked.askedAt = Math.min(asked.askedAt, at)
    // A denied call is refused for the denial, so only the call before it names the rules.
    if (!isDenied) asked.rules = rulesOf(reasons)
    if (approver !== undefined) {
      asked.answer = isDenied ? 'denied' : 'approved'
      asked.answeredAt = Date.parse(approver.at)
    }
    this.#asked.set(approval, asked)
  }
}

function sumUp(asked: readonly Asked[], now: number, isCut: boolean): QuestionFigures {
  const times = asked
    .flatMap(({ answeredAt, askedAt }) =>
      answeredAt === undefined ? [] : [Math.max(0, answeredAt - askedAt)],
    )
    .toSorted((a, b) => a - b)
  const count = (answer: Asked['answer']): number => asked.filter(one => one.answer === answer).length
  return {
    questions: asked.length,
    approved: count('approved'),
    denied: count('denied'),
    open: count('open'),
    medianMs: times[Math.floor(times.length / 2)],
    days: countDays(asked, now),
    agents: countAgents(asked, now),
    rules: countRules(asked),
    isCut,
  }
}

function countDays(asked: readonly Asked[], now: number): QuestionFigures['days'] {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const days = Array.from({ length: KEPT_DAYS }, (_, back) => today - (KEPT_DAYS - 1 - back) * DAY_MS)
  return days.map(at => ({
    at,
    questions: asked.filter(({ askedAt }) => askedAt >= at && askedAt < at + DAY_MS).length,
  }))
}

function countAgents(asked: readonly Asked[], now: number): QuestionFigures['agents'] {
  const oldest = Math.min(now, ...asked.map(({ askedAt }) => askedAt))
  // Divided by the days since the first question, so that a new gateway does not look quieter than it is.
  const days = Math.max(1, Math.ceil((now - oldest) / DAY_MS))
  const counts = new Map<string, number>()
  for (const { agent } of asked) counts.set(agent, (counts.get(agent) ?? 0) + 1)
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST_SHOWN)
    .map(([agent, questions]) => ({ agent, questions, perDay: Math.round((questions / days) * 10) / 10 }))
}

function countRules(asked: readonly Asked[]): readonly RuleFigures[] {
  const rules = new Map<string, { questions: number; approved: number; denied: number }>()
  for (const { rules: names, answer } of asked)
    for (const rule of new Set(names)) {
      const sum = rules.get(rule) ?? { questions: 0, approved: 0, denied: 0 }
      sum.questions += 1
      if (answer !== 'open') sum[answer] += 1
      rules.set(rule, sum)
    }
  return [...rules]
    .map(([rule, sum]) => ({ rule, ...sum }))
    .toSorted((a, b) => b.questions - a.questions)
    .slice(0, MOST_SHOWN)
}
