import { actionSentence, type CallVariant, type Reason } from '@hintgate/metadata'
import type { AgentTool } from '../catalog/agent-tool.ts'
import { isJsonObject, type Json } from '../json.ts'

/** Everything that a person needs to know to approve or deny a call. */
export interface Question {
  readonly tool: AgentTool
  readonly variant: CallVariant
  /** The call in one line, such as `Delete note: 2`. Arguments are shown as untrusted text. */
  readonly action: string
  readonly args: Json
  readonly reasons: readonly Reason[]
  /** Whose rules require the question: this agent's or the gateway's. */
  readonly asker: 'agent' | 'gateway'
  /** The gateway's message for the person, if the gateway asks. */
  readonly message?: string
  /** Aborts when the call is cancelled and the answer is no longer needed. */
  readonly signal?: AbortSignal
}

export type Answer = boolean | { readonly approve: boolean; readonly note?: string }

export interface ReadAnswer {
  readonly isYes: boolean
  readonly note: string | undefined
}

/** Reads a callback's answer. Only an explicit yes counts, because a callback in JavaScript can return any value. */
export function readAnswer(answer: unknown): ReadAnswer {
  if (!isJsonObject(answer)) return { isYes: answer === true, note: undefined }
  const { approve, note } = answer
  return { isYes: approve === true, note: typeof note === 'string' ? note : undefined }
}

/** Creates the question about a call. */
export function questionOf(
  tool: AgentTool,
  { args, reasons, signal }: { args: Json; reasons: readonly Reason[]; signal: AbortSignal | undefined },
): Omit<Question, 'asker'> {
  const action = actionSentence({ template: tool.action, title: tool.title, args })
  const called = signal === undefined ? {} : { signal }
  return { tool, variant: tool.variant, action, args, reasons, ...called }
}
