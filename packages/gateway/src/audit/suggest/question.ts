import { setImmediate } from 'node:timers/promises'
import type { Facts } from '../../policy/facts/facts.ts'
import type { AuditFilter } from '../../store/audit-store.ts'
import type { Store } from '../../store/store.ts'
import { readCalls } from '../read-calls.ts'
import { type FindDefinition, factsOf, loadDefinitions, rulesOf } from '../replay-calls.ts'
import { type AuditCall, viewCall } from '../view-call.ts'

/** One question that the gateway asked a person, with its answer. A call that is repeated while it waits is one question. */
export interface Question {
  readonly id: string
  readonly at: number
  readonly session: string
  /** The names of the rules that asked. */
  readonly rules: readonly string[]
  readonly facts: Facts
  /** `open`: nobody answered, or the answer came through the client that made the call. */
  readonly answer: 'approved' | 'denied' | 'open'
  readonly by?: string
  /** The call in words, with its arguments. */
  readonly action: string
}

/** What the log says about questions. */
export interface Asked {
  readonly questions: readonly Question[]
  /** Calls that a person, a policy or a guardrail denied. */
  readonly denied: readonly Facts[]
  /** True if the log has more calls than were read. */
  readonly isCut: boolean
}

const MOST_CALLS = 100_000
/** Answers through the calling client are no evidence: an agent that was hijacked could have given them itself. */
const WAYS_OF_CLIENTS = new Set(['elicitation', 'input_required'])
const DENIALS = ['confirmation_denied', 'policy_denied', 'guardrail_blocked']
/** Lasting approvals answer calls without a question. */
const GRANT = 'gr_'

/** Reads from the audit log the questions that were asked since a given time, and the calls that were denied. */
export async function readQuestions(
  store: Pick<Store, 'audit' | 'definitions'>,
  since: number | undefined,
): Promise<Asked> {
  const find = await loadDefinitions(store)
  const questions = new Map<string, Question>()
  const denied: Facts[] = []
  let read = 0
  const eachCall = async (filter: AuditFilter, take: (call: AuditCall) => void): Promise<void> => {
    for await (const page of readCalls(store.audit, { ...filter, since })) {
      if (read >= MOST_CALLS) return
      read += page.length
      for (const stored of page) {
        const call = viewCall(stored)
        if (call !== undefined) take(call)
      }
      // Yields to other work, because a gateway can run this while it serves calls.
      await setImmediate()
    }
  }
  await eachCall({ verdict: 'confirm' }, call => note(questions, toQuestion(call, find)))
  for (const code of DENIALS)
    await eachCall({ code }, call => {
      const facts = factsOf(call, find)
      if (facts !== undefined) denied.push(facts)
    })
  return { questions: [...questions.values()], denied, isCut: read >= MOST_CALLS }
}

/** Keeps one question for each approval: an answered row says more than one that still waits. */
function note(questions: Map<string, Question>, question: Question | undefined): void {
  if (question === undefined) return
  const known = questions.get(question.id)
  if (known === undefined || known.answer === 'open') questions.set(question.id, question)
}

function toQuestion(call: AuditCall, find: FindDefinition): Question | undefined {
  const { approval, approver, request, session = '', reasons = [], action } = call
  const facts = factsOf(call, find)
  if (facts === undefined || facts.agent.kind !== 'agent' || approval?.startsWith(GRANT)) return undefined
  const isEvidence = approver !== undefined && !WAYS_OF_CLIENTS.has(approver.via)
  return {
    id: approval ?? request,
    at: facts.now,
    session,
    rules: rulesOf(reasons).toSorted(),
    facts,
    answer: isEvidence ? 'approved' : 'open',
    ...(approver === undefined ? {} : { by: approver.by }),
    action,
  }
}
