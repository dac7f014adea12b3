import type { AgentClient } from '../agent-client.ts'
import type { CallResult } from '../call/call-runner.ts'
import type { AgentTool } from '../catalog/agent-tool.ts'
import { AgentError } from '../errors.ts'
import { isJsonObject, type Json } from '../json.ts'
import { contentParts, plainText } from './content-parts.ts'
import { FrameworkApprovals, type FrameworkCall } from './framework-approvals.ts'
import { nameTools } from './tool-names.ts'

// The types of the OpenAI Agents SDK that this adapter needs. Their shapes are copied, so nothing is imported from the
// SDK.

interface RunContext {
  isToolApproved(approval: { toolName: string; callId: string }): boolean | undefined
}

interface Details {
  readonly toolCall?: { readonly callId: string }
  readonly signal?: AbortSignal
}

interface Parameters {
  type: 'object'
  properties: Record<string, never>
  required: string[]
  additionalProperties: boolean
}

type OutputPart =
  | { type: 'text'; text: string }
  | { type: 'image'; image: { data: string; mediaType: string } }

export interface OpenAiTool {
  type: 'function'
  name: string
  description: string
  parameters: Parameters
  strict: false
  needsApproval(context: RunContext, input: unknown, callId?: string): Promise<boolean>
  invoke(context: RunContext, input: string, details?: Details): Promise<string | OutputPart[]>
  isEnabled(): Promise<boolean>
}

export interface OpenAiToolsOptions {
  /** Selects the tools to show to the model. Default: all tools. */
  readonly only?: (tool: AgentTool) => boolean
}

/**
 * Returns the agent's tools for `new Agent({ tools })` of `@openai/agents`. A tool that needs approval interrupts the
 * run; after approval, the agent does not ask again. The model is told about every refusal and what can be done about
 * it.
 */
export async function openAiTools(
  agent: AgentClient,
  { only = () => true }: OpenAiToolsOptions = {},
): Promise<OpenAiTool[]> {
  const approvals = new FrameworkApprovals(agent)
  const named = nameTools((await agent.tools()).filter(only))
  return [...named].map(([name, tool]) => toOpenAiTool(name, tool, { agent, approvals }))
}

interface ToolDeps {
  readonly agent: AgentClient
  readonly approvals: FrameworkApprovals
}

function toOpenAiTool(name: string, tool: AgentTool, { agent, approvals }: ToolDeps): OpenAiTool {
  const { id, description, inputSchema } = tool

  async function approvalOf(context: RunContext, call: FrameworkCall) {
    const asked = approvals.take(call)
    if (asked !== undefined) return asked
    // The approval did not follow a question in this process: either the run was saved and resumed, or the tool was
    // approved permanently.
    const isApproved = context.isToolApproved({ toolName: name, callId: call.callId }) === true
    return isApproved ? approvals.takeStanding(call) : undefined
  }

  return {
    type: 'function',
    name,
    description,
    parameters: toParameters(inputSchema),
    strict: false,
    isEnabled: async () => true,
    needsApproval: async (_context, input, callId = '') => {
      const args = readInput(input)
      // Arguments that are not JSON are never sent, so they need no approval. `invoke` tells the model about them.
      return args !== undefined && approvals.isNeeded({ tool: id, args, callId })
    },
    invoke: async (context, input, { toolCall, signal } = {}) => {
      const args = readInput(input)
      if (args === undefined) return `invalid_arguments: The arguments of ${name} are not a JSON object.`
      try {
        const approved = await approvalOf(context, { tool: id, args, callId: toolCall?.callId ?? '' })
        return toOutput(
          await agent.call(id, args, { ...(signal && { signal }), ...(approved && { approved }) }),
        )
      } catch (error) {
        if (error instanceof AgentError && error.code !== 'cancelled')
          return `${error.code}: ${error.message}${error.message.endsWith('.') ? '' : '.'} ${error.remedy}`
        throw error
      }
    },
  }
}

function readInput(input: unknown): Json | undefined {
  if (isJsonObject(input)) return input
  try {
    const value: unknown = input === '' ? {} : JSON.parse(String(input))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Adds the four fields that the SDK requires, and keeps all others. */
function toParameters(schema: Json): Parameters {
  const { properties, required } = schema
  return {
    ...schema,
    type: 'object',
    properties: isJsonObject(properties) ? (properties as Record<string, never>) : {},
    required: Array.isArray(required) ? required.filter(name => typeof name === 'string') : [],
    additionalProperties: schema.additionalProperties !== false,
  }
}

function toOutput(result: CallResult): string | OutputPart[] {
  const parts = contentParts(result)
  if (parts.every(({ kind }) => kind === 'text')) return plainText(parts)
  return parts.map((part): OutputPart => {
    if (part.kind === 'text') return { type: 'text', text: part.text }
    return { type: 'image', image: { data: part.data, mediaType: part.mediaType } }
  })
}
