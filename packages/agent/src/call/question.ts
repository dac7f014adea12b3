import { actionSentence, type CallVariant, type Reason } from '@hintgate/metadata'
import type { AgentTool } from '../catalog/agent-tool.ts'
import { isJsonObject, type Json } from '../json.ts'

/** What a person has to know to say yes or no to a call. */
export interface Question {
  readonly tool: AgentTool
  readonly variant: CallVariant
  /** The call in one line, such as `Delete note: 2`. Arguments are shown as untrusted text. */
  readonly action: string
  readonly args: Json
  readonly reasons: readonly Reason[]
  /** Who wants to know: the rules of this agent, or the gateway with its own. */
  readonly asker: 'agent' | 'gateway'
  /** With a gateway: what it wants a person to read. */
  readonly message?: string
  /** The call was called off; nobody needs the answer any more. */
  readonly signal?: AbortSignal
}

export type Answer = boolean | { readonly approve: boolean; readonly note?: string }

export interface ReadAnswer {
  readonly isYes: boolean
  readonly note: string | undefined
}

/** Only a clear yes is one. Callbacks are written in JavaScript, too, so that anything may come back. */
export function readAnswer(answer: unknown): ReadAnswer {
  if (!isJsonObject(answer)) return { isYes: answer === true, note: undefined }
  const { approve, note } = answer
  return { isYes: approve === true, note: typeof note === 'string' ? note : undefined }
}

/** What there is to be asked about a call, whoever asks. */
export function questionOf(
  tool: AgentTool,
  { args, reasons, signal }: { args: Json; reasons: readonly Reason[]; signal: AbortSignal | undefined },
): Omit<Question, 'asker'> {
  const action = actionSentence({ template: tool.action, title: tool.title, args })
  const called = signal === undefined ? {} : { signal }
  return { tool, variant: tool.variant, action, args, reasons, ...called }
}
