import { actionSentence, type CallVariant, type Reason } from '@hintgate/metadata'
import type { AgentTool } from '../catalog/agent-tool.ts'
import { isJsonObject, type Json } from '../json.ts'

/** A question to a person about a call, with everything needed to approve or deny it. */
export interface Question {
  readonly tool: AgentTool
  readonly variant: CallVariant
  /** The call in one line, such as `Delete note: 2`. Arguments are shown as untrusted text. */
  readonly action: string
  readonly args: Json
  readonly reasons: readonly Reason[]
  /** Says whether this agent's rules or the gateway's require the question. */
  readonly asker: 'agent' | 'gateway'
  /** The gateway's message to the person, present if the gateway asks. */
  readonly message?: string
  /** Aborted when the call is cancelled, because the answer is then no longer needed. */
  readonly signal?: AbortSignal
}

export type Answer = boolean | { readonly approve: boolean; readonly note?: string }

export interface ReadAnswer {
  readonly isYes: boolean
  readonly note: string | undefined
}

/** Reads what a callback answered. Only an explicit yes counts, because a JavaScript callback can return anything. */
export function readAnswer(answer: unknown): ReadAnswer {
  if (!isJsonObject(answer)) return { isYes: answer === true, note: undefined }
  const { approve, note } = answer
  return { isYes: approve === true, note: typeof note === 'string' ? note : undefined }
}

/** Creates the question to ask about a call. */
export function questionOf(
  tool: AgentTool,
  { args, reasons, signal }: { args: Json; reasons: readonly Reason[]; signal: AbortSignal | undefined },
): Omit<Question, 'asker'> {
  const action = actionSentence({ template: tool.action, title: tool.title, args })
  const called = signal === undefined ? {} : { signal }
  return { tool, variant: tool.variant, action, args, reasons, ...called }
}
