import {
  type CallToolResult,
  type Icon,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
  type ToolAnnotations,
} from '@modelcontextprotocol/server'
import { explainError } from '../call/explain-error.ts'
import type { Question } from '../call/question.ts'
import type { ReadyTool } from '../call/ready-tool.ts'
import { errorResult } from '../call/results.ts'
import { runTool } from '../call/run-tool.ts'
import type { FormAnswer } from '../call/wire.ts'
import type { ToolEntry } from '../start/entries.ts'
import type { Ready } from '../start/ready.ts'
import { collectAnswers, identifyCall, type Round } from './round.ts'
import { SdkWire } from './sdk-wire.ts'
import { announceOnly } from './wire-schema.ts'

type Result = CallToolResult | InputRequiredResult

export function registerTools(server: McpServer, ready: Ready): void {
  for (const tool of ready.tools.values()) {
    server.registerTool(tool.entry.name, configOf(tool.entry), (args, ctx) =>
      answer({ tool, args, ctx, server, ready }),
    )
  }
}

interface Call {
  readonly tool: ReadyTool
  readonly args: unknown
  readonly ctx: ServerContext
  readonly server: McpServer
  readonly ready: Ready
}

async function answer({ tool, args, ctx, server, ready }: Call): Promise<Result> {
  const { name } = tool.entry
  const round = ctx.mcpReq.requestState<Round>()
  const call = round === undefined ? undefined : identifyCall(name, args)
  const answers = call === undefined ? undefined : collectAnswers(round, call, responseTo(round?.asked, ctx))
  const wire = new SdkWire(ctx, server, { logger: name, ...(answers === undefined ? {} : { answers }) })
  const ending = await runTool(tool, args, wire)
  const unsent = wire.flush()
  if (unsent !== undefined) await unsent
  if (ending.kind === 'answered') return ending.result
  const next: Round = {
    call: call ?? identifyCall(name, args),
    asked: ending.question.key,
    answers: [...wire.answers],
  }
  try {
    return ask(ending.question, await ready.codec.mint(next, ctx))
  } catch (error) {
    return errorResult(explainError(error, tool))
  }
}

function responseTo(asked: string | undefined, ctx: ServerContext): FormAnswer | undefined {
  if (asked === undefined) return undefined
  const response = inputResponse(ctx.mcpReq.inputResponses, asked)
  if (response.kind !== 'elicit') return undefined
  const { action, content } = response
  return { action, ...(content === undefined ? {} : { content }) }
}

/** Asks a person with a form. `additionalProperties` is removed, because forms in MCP are flat and do not allow it. */
function ask({ key, message, schema }: Question, requestState: string): InputRequiredResult {
  const { additionalProperties: _, ...plain } = schema
  const form = inputRequired.elicit({ message, requestedSchema: announceOnly(plain) })
  return inputRequired({ inputRequests: { [key]: form }, requestState })
}

type Announced = ReturnType<typeof announceOnly>

interface Config {
  title?: string
  description?: string
  inputSchema: Announced
  outputSchema?: Announced
  annotations?: ToolAnnotations
  icons?: Icon[]
  _meta?: Record<string, unknown>
}

const configs = new WeakMap<ToolEntry, Config>()

/** Creates a tool's config once and keeps it, because over HTTP every request gets its own server. */
function configOf(entry: ToolEntry): Config {
  const known = configs.get(entry)
  if (known !== undefined) return known
  const config = createConfig(entry)
  configs.set(entry, config)
  return config
}

function createConfig({ definition, input, output }: ToolEntry): Config {
  const { title, description, annotations, icons, _meta } = definition
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    inputSchema: announceOnly(input.jsonSchema),
    ...(output === undefined ? {} : { outputSchema: announceOnly(output.jsonSchema) }),
    ...(isRecord(annotations) ? { annotations } : {}),
    ...(Array.isArray(icons) ? { icons } : {}),
    ...(isRecord(_meta) ? { _meta } : {}),
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
