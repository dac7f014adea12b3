import type { StoredApproval } from '../store/approval-store.ts'
import { type Distribution, Durations, type Measure } from './measure.ts'

type Asked = Pick<StoredApproval, 'id' | 'principal' | 'shown' | 'createdAt' | 'expiresAt'>
type Answered = Pick<StoredApproval, 'id' | 'state' | 'createdAt' | 'decision'>

/** Agents and rules have names that operators choose. More series than this are counted together. */
const MOST_SERIES = 500
const MOST_OPEN = 10_000
const OTHER = 'other'

/** Counts the questions that this gateway asks, and people's answers to them. */
export class QuestionTally {
  readonly #questions = new Map<string, { readonly agent: string; readonly rule: string; count: number }>()
  readonly #answers = { approved: 0, denied: 0, expired: 0 }
  readonly #durations = new Durations()
  /** The end of each open question, by id. */
  readonly #open = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  asked({ id, principal, shown, expiresAt }: Asked): void {
    if (this.#open.has(id)) return
    for (const rule of rulesIn(shown)) this.#find(principal, rule).count += 1
    if (this.#open.size < MOST_OPEN) this.#open.set(id, expiresAt)
  }

  answered({ id, state, createdAt, decision }: Answered): void {
    if (!this.#open.delete(id) || decision === undefined) return
    this.#answers[state === 'denied' ? 'denied' : 'approved'] += 1
    this.#durations.add(Math.max(0, decision.at - createdAt) / 1000)
  }

  measures(): (Measure | Distribution)[] {
    this.#countExpired()
    return [
      {
        name: 'hintgate_questions_total',
        otel: 'hintgate.questions',
        help: `Questions that people were asked, by agent and rule; a question that two rules asked counts for both; series after the first ${MOST_SERIES} are counted together`,
        kind: 'counter',
        points: [...this.#questions.values()].map(({ agent, rule, count }) => ({
          labels: { agent, rule },
          value: count,
        })),
      },
      {
        name: 'hintgate_answers_total',
        otel: 'hintgate.answers',
        help: 'Questions that ended, by result: approved, denied, or expired without an answer',
        kind: 'counter',
        points: Object.entries(this.#answers).map(([result, value]) => ({ labels: { result }, value })),
      },
      {
        name: 'hintgate_answer_duration_seconds',
        otel: 'hintgate.answer.duration',
        help: "Time from a question to a person's answer, in seconds",
        unit: 's',
        kind: 'histogram',
        points: [{ labels: {}, value: this.#durations }],
      },
    ]
  }

  /** An unanswered question causes no event, so it is counted when the metrics are read. */
  #countExpired(): void {
    const now = this.#now()
    for (const [id, expiresAt] of this.#open) {
      if (expiresAt > now) continue
      this.#open.delete(id)
      this.#answers.expired += 1
    }
  }

  #find(agent: string, rule: string): { count: number } {
    const key = `${agent} ${rule}`
    const found = this.#questions.get(key)
    if (found !== undefined) return found
    if (this.#questions.size >= MOST_SERIES && agent !== OTHER) return this.#find(OTHER, OTHER)
    const fresh = { agent, rule, count: 0 }
    this.#questions.set(key, fresh)
    return fresh
  }
}

/** Returns the names of the rules that asked, from what the approver sees. */
function rulesIn(shown: string): ReadonlySet<string> {
  const { reasons } = JSON.parse(shown) as { readonly reasons?: readonly { readonly rule: string }[] }
  return new Set((reasons ?? []).map(({ rule }) => rule))
}
