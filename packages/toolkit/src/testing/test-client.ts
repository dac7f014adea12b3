import { nearest, type ToolDefinition } from '@hintgate/metadata'
import type { LogLevel } from '../call/log.ts'
import type { Question } from '../call/question.ts'
import type { ReadyTool } from '../call/ready-tool.ts'
import type { ToolResult } from '../call/results.ts'
import { runTool } from '../call/run-tool.ts'
import type { ClientInfo, FormAnswer, Progress, Wire } from '../call/wire.ts'
import type { Environment } from '../start/read-env.ts'
import type { Ready } from '../start/ready.ts'

/** Maximum number of questions in one call. The SDK has the same limit. */
const MAX_QUESTIONS = 8

export interface TestClientOptions {
  /** The environment of the tools. Default: the environment of this process. */
  readonly env?: Environment
  readonly onProgress?: (progress: Progress) => void
  readonly onLog?: (level: LogLevel, message: string, data?: unknown) => void
  /** Answers forms. If it is absent, the client cannot ask a person. */
  readonly answer?: (question: Question) => FormAnswer | Promise<FormAnswer>
}

/** Anything that can be started as a toolkit can. */
export interface Startable {
  start(environment?: Environment): Ready
}

/** Calls tools in this process, without a transport. */
export interface TestClient {
  /** The tools in the answer to `tools/list`. */
  readonly tools: readonly ToolDefinition[]
  call(name: string, args?: unknown, options?: { readonly signal?: AbortSignal }): Promise<ToolResult>
  /** Returns the preview of a call. */
  preview(name: string, args?: unknown): Promise<ToolResult>
}

/**
 * Creates a client for tests. Calls behave as over a transport: arguments are checked, errors are returned as results,
 * and a tool that asks a question runs again with the answer.
 *
 * @example
 * const client = createTestClient(crm)
 * const result = await client.call('delete_contact', { id: '1' })
 * expect(result.structuredContent).toEqual({ deleted: true })
 */
export function createTestClient(toolkit: Startable, options: TestClientOptions = {}): TestClient {
  const ready = toolkit.start(options.env)
  const call: TestClient['call'] = (name, args, { signal = new AbortController().signal } = {}) =>
    callTool(findTool(ready, name), args, { ...options, signal })
  return {
    tools: ready.parts.tools.map(({ definition }) => definition),
    call,
    preview: (name, args) => call(`preview_${name}`, args),
  }
}

interface Circumstances extends TestClientOptions {
  readonly signal: AbortSignal
}

async function callTool(tool: ReadyTool, args: unknown, around: Circumstances): Promise<ToolResult> {
  const answers = new Map<string, FormAnswer>()
  const wire = createWire(around, answers)
  for (let asked = 0; asked <= MAX_QUESTIONS; asked++) {
    const ending = await runTool(tool, args, wire)
    if (ending.kind === 'answered') return ending.result
    if (around.answer === undefined) break
    answers.set(ending.question.key, await around.answer(ending.question))
  }
  throw new Error(`${tool.entry.name} asked more than ${MAX_QUESTIONS} questions in one call`)
}

function findTool({ tools }: Ready, name: string): ReadyTool {
  const tool = tools.get(name)
  if (tool !== undefined) return tool
  const meant = nearest(name, tools.keys())
  throw new Error(`Unknown tool ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`)
}

function createWire(options: Circumstances, answers: ReadonlyMap<string, FormAnswer>): Wire {
  const client: ClientInfo = {
    name: 'test',
    version: '0.0.0',
    capabilities: options.answer === undefined ? {} : { elicitation: {} },
  }
  return {
    signal: options.signal,
    client,
    answers,
    progress: async progress => options.onProgress?.(progress),
    log: (level, message, data) => options.onLog?.(level, message, data),
  }
}
