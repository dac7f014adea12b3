import type { AgentClient } from '../agent-client.ts'
import type { CallResult } from '../call/call-runner.ts'
import type { AgentTool } from '../catalog/agent-tool.ts'
import { isJsonObject, type Json } from '../json.ts'
import { contentParts, plainText } from './content-parts.ts'
import { FrameworkApprovals } from './framework-approvals.ts'
import { nameTools } from './tool-names.ts'

// The types of the Vercel AI SDK, version 6, that this adapter needs. Their shapes are copied, so nothing is imported
// from the SDK.

/** Marks a schema as JSON Schema. Without this mark, the SDK would try to convert the schema. */
const SCHEMA = Symbol.for('vercel.ai.schema')

type Validated = { readonly value: unknown } | { readonly issues: readonly { readonly message: string }[] }

interface AiSchema {
  readonly jsonSchema: Json
  readonly validate: undefined
  /** The same schema as a Standard Schema, which the SDK's types require. */
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => Validated
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>
      readonly output: () => Record<string, unknown>
    }
  }
}

interface Execution {
  readonly toolCallId: string
  readonly abortSignal?: AbortSignal
}

type ModelPart = { type: 'text'; text: string } | { type: 'image-data'; data: string; mediaType: string }

type ModelOutput =
  | { type: 'text'; value: string }
  | { type: 'error-text'; value: string }
  | { type: 'content'; value: ModelPart[] }

export interface AiTool {
  readonly type: 'dynamic'
  readonly title: string
  readonly description: string
  readonly inputSchema: AiSchema
  needsApproval(input: unknown, options: { readonly toolCallId: string }): Promise<boolean>
  execute(input: unknown, options: Execution): Promise<CallResult>
  toModelOutput(options: { readonly output: unknown }): ModelOutput
}

export interface AiToolsOptions {
  /** Selects the tools to show to the model. Default: all tools. */
  readonly only?: (tool: AgentTool) => boolean
}

/**
 * Returns the agent's tools for `generateText` and `streamText`. If a tool needs approval, the SDK's own
 * tool-approval-request asks for it, and the agent does not ask again when the tool runs.
 */
export async function aiTools(
  agent: AgentClient,
  { only = () => true }: AiToolsOptions = {},
): Promise<Record<string, AiTool>> {
  const approvals = new FrameworkApprovals(agent)
  const named = nameTools((await agent.tools()).filter(only))
  return Object.fromEntries([...named].map(([name, tool]) => [name, toAiTool(tool, agent, approvals)]))
}

function toAiTool(
  { id, title, description, inputSchema }: AgentTool,
  agent: AgentClient,
  approvals: FrameworkApprovals,
): AiTool {
  return {
    type: 'dynamic',
    title,
    description,
    inputSchema: toSchema(inputSchema),
    needsApproval: (args, { toolCallId }) => approvals.isNeeded({ tool: id, args, callId: toolCallId }),
    execute: (args, { toolCallId, abortSignal }) => {
      const approved = approvals.take({ tool: id, args, callId: toolCallId })
      return agent.call(id, args, {
        ...(abortSignal && { signal: abortSignal }),
        ...(approved && { approved }),
      })
    },
    toModelOutput: ({ output }) => toModelOutput(output),
  }
}

/**
 * Wraps a JSON Schema for the SDK. It accepts all values here, because the agent and the server check the arguments.
 */
function toSchema(jsonSchema: Json): AiSchema {
  const convert = (): Record<string, unknown> => ({ ...jsonSchema })
  const schema: AiSchema = {
    jsonSchema,
    validate: undefined,
    '~standard': {
      version: 1,
      vendor: 'hintgate',
      validate: value => ({ value }),
      jsonSchema: { input: convert, output: convert },
    },
  }
  return Object.assign(schema, { [SCHEMA]: true })
}

function toModelOutput(output: unknown): ModelOutput {
  const result = isJsonObject(output) ? output : {}
  const parts = contentParts(result)
  if (result.isError === true) return { type: 'error-text', value: plainText(parts) }
  if (parts.every(({ kind }) => kind === 'text')) return { type: 'text', value: plainText(parts) }
  const value = parts.map((part): ModelPart => {
    if (part.kind === 'text') return { type: 'text', text: part.text }
    return { type: 'image-data', data: part.data, mediaType: part.mediaType }
  })
  return { type: 'content', value }
}
