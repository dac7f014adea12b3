import { CONFIRM_FORM } from '@hintgate/metadata'
import type { AgentOptions } from '../agent-options.ts'
import type { WireTool } from '../catalog/tool-list.ts'
import type { AnswerInput } from '../connection/raw-client.ts'
import { AgentError } from '../errors.ts'
import { isJsonObject, type Json } from '../json.ts'
import type { Judgement } from './judge-call.ts'
import { type Question, readAnswer } from './question.ts'

export interface InputCase {
  readonly wire: WireTool
  readonly judgement: Judgement
  /** True if a person approved the judgement before the call was sent. */
  readonly isApproved: boolean
  /** The question to ask a person. The gateway's message is added to it. */
  readonly question: Omit<Question, 'asker' | 'message'>
  /** Called when a server asks a question. The attempt can then no longer be repeated. */
  readonly onAsked: () => void
  readonly onConfirmed: () => void
}

/** Answers the questions that a server asks during a call, one after the other. */
export function inputAnswerer(
  { confirm, elicit }: Pick<AgentOptions, 'confirm' | 'elicit'>,
  about: InputCase,
): AnswerInput {
  const { wire, judgement } = about

  async function answerGateway(message: string): Promise<Json> {
    const rules = askedRules(message)
    const isCovered =
      rules.length > 0 && rules.every(rule => judgement.reasons.some(reason => reason.rule === rule))
    if (about.isApproved && isCovered) return decide(true)
    if (confirm === undefined)
      throw new AgentError('confirmation_required', `The gateway requires approval by a person: ${message}`)
    const answer = readAnswer(await confirm({ ...about.question, asker: 'gateway', message }))
    if (answer.isYes) about.onConfirmed()
    return decide(answer.isYes)
  }

  async function answerOne(key: string, params: Json): Promise<Json> {
    if (key === CONFIRM_FORM && wire.tool.trust === 'gateway') return answerGateway(String(params.message))
    if (elicit !== undefined)
      return { action: 'cancel', ...(await elicit({ server: wire.tool.server, params })) }
    throw new AgentError(
      'confirmation_required',
      'The server asked a question during the call, and there is no `elicit` callback to answer it',
    )
  }

  return async requests => {
    about.onAsked()
    const answers: Record<string, unknown> = {}
    for (const [key, request] of Object.entries(requests)) {
      if (!isJsonObject(request) || request.method !== 'elicitation/create')
        throw new AgentError(
          'upstream_protocol',
          'The server sent a request for a capability that this client did not declare',
        )
      answers[key] = await answerOne(key, isJsonObject(request.params) ? request.params : {})
    }
    return answers
  }
}

function decide(isYes: boolean): Json {
  return { action: 'accept', content: { decision: isYes ? 'approve' : 'refuse' } }
}

/** A line with a reason in a gateway's question. Older gateways use the second form. */
const REASON = /^(?:Reason for asking|Why you are asked): /

/**
 * Returns the rules that a gateway's question names, one per line with a reason. If one of the reasons names no rule,
 * returns an empty list.
 */
function askedRules(message: string): readonly string[] {
  const lines = message.split('\n').filter(line => REASON.test(line))
  const rules = lines.map(line => /\[([^[\]]+)\]$/.exec(line)?.[1])
  return rules.every(rule => rule !== undefined) ? rules : []
}
