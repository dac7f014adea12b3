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
  /** Somebody said yes to the judgement, before this was sent. */
  readonly isApproved: boolean
  /** What a person is shown; the gateway's words are added. */
  readonly question: Omit<Question, 'asker' | 'message'>
  /** Somebody was asked: this attempt cannot be repeated. */
  readonly onAsked: () => void
  readonly onConfirmed: () => void
}

/** Answers what a server asks in the middle of one call, question by question. */
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
      throw new AgentError('confirmation_required', `The gateway wants a person to say yes: ${message}`)
    const answer = readAnswer(await confirm({ ...about.question, asker: 'gateway', message }))
    if (answer.isYes) about.onConfirmed()
    return decide(answer.isYes)
  }

  async function answerOne(key: string, params: Json): Promise<Json> {
    if (key === CONFIRM_FORM && wire.tool.trust === 'gateway') return answerGateway(String(params.message))
    if (elicit !== undefined)
      return { action: 'cancel', ...(await elicit({ server: wire.tool.server, params })) }
    throw new AgentError('confirmation_required', 'The server asks its user something, and nobody answers')
  }

  return async requests => {
    about.onAsked()
    const answers: Record<string, unknown> = {}
    for (const [key, request] of Object.entries(requests)) {
      if (!isJsonObject(request) || request.method !== 'elicitation/create')
        throw new AgentError('upstream_protocol', 'The server asks for what this client did not offer')
      answers[key] = await answerOne(key, isJsonObject(request.params) ? request.params : {})
    }
    return answers
  }
}

function decide(isYes: boolean): Json {
  return { action: 'accept', content: { decision: isYes ? 'approve' : 'refuse' } }
}

/** The rules that a gateway's question names, one on each line that says why; none where a line says something else. */
function askedRules(message: string): readonly string[] {
  const lines = message.split('\n').filter(line => line.startsWith('Why you are asked: '))
  const rules = lines.map(line => /\[([^[\]]+)\]$/.exec(line)?.[1])
  return rules.every(rule => rule !== undefined) ? rules : []
}
