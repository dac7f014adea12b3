import type { Site } from './gateway.ts'
import { type Finished, hintgate } from './hintgate.ts'
import type { Json, LegacyClient, Message, ModernClient, Reply } from './raw-mcp.ts'
import { refusal } from './search-client.ts'

/** Shared by the tests of confirmation. */

export const FORM = 'hintgate-confirm'
export const ASKABLE = { elicitation: {} }

export interface Waiting {
  readonly id: string
  readonly expires: string
  readonly approve: string
}

/** The approval that a refusal names; throws if the call does not wait for one. */
export function waitingFor(message: Message): Waiting {
  const found = refusal(message) as unknown as { code: string; verdict: string; approval?: Waiting }
  if (found.code !== 'confirmation_required' || found.approval === undefined)
    throw new Error(`nobody is asked: ${JSON.stringify(found)}`)
  return found.approval
}

export async function decide(
  site: Site,
  what: 'approve' | 'deny',
  id: string,
  ...flags: readonly string[]
): Promise<Finished> {
  return hintgate(['approvals', what, id, ...flags, ...site.flags])
}

export async function approve(site: Site, id: string, ...flags: readonly string[]): Promise<void> {
  const { code, stderr } = await decide(site, 'approve', id, ...flags)
  if (code !== 0) throw new Error(`not approved: ${stderr}`)
}

/** The question to a modern client, and the state that it must send back. */
export interface Question {
  readonly message: string
  readonly schema: Json
  readonly requestState: string
}

export function questionOf({ result }: Message): Question {
  const requests = (result?.inputRequests ?? {}) as Record<string, { params?: Json }>
  const params = requests[FORM]?.params
  if (result?.resultType !== 'input_required' || params === undefined)
    throw new Error(`this asks nothing: ${JSON.stringify(result).slice(0, 1000)}`)
  return {
    message: String(params.message),
    schema: params.requestedSchema as Json,
    requestState: String(result.requestState),
  }
}

export const YES = { action: 'accept', content: { decision: 'approve' } }
export const NO = { action: 'accept', content: { decision: 'refuse' } }

export interface Comeback {
  readonly name: string
  readonly args: Json
  readonly requestState: string
  readonly answer?: Json
}

/** Repeats the call with the state and an answer. */
export function comeBack(
  client: ModernClient,
  { name, args, requestState, answer }: Comeback,
): Promise<Message> {
  const inputResponses = answer === undefined ? {} : { [FORM]: answer }
  return client.request('tools/call', { name, arguments: args, requestState, inputResponses })
}

/** Waits for the question that a legacy client gets during a call, and answers it. */
export async function answerLegacy(client: LegacyClient, reply: Reply, answer: Json): Promise<Message> {
  const question = await reply.until('elicitation/create')
  await client.respond(question.id ?? 0, answer)
  return question
}
