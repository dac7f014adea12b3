import { pathToFileURL } from 'node:url'
import { peerFile } from './peers.ts'
import type { Json } from './raw-mcp.ts'

/** The parts of agent frameworks that the tests use; the packages are in test/peers, not in our own lockfile. */

const load = async <T>(path: string): Promise<T> => (await import(pathToFileURL(peerFile(path)).href)) as T

/** What a scripted model returns in one turn: text, or tool calls. */
export type Turn = string | readonly { readonly name: string; readonly args: Json; readonly id: string }[]

// The Vercel AI SDK

interface AiPart extends Json {
  readonly type: string
  readonly toolName?: string
  readonly approvalId?: string
  readonly output?: unknown
  readonly error?: unknown
}

export interface AiGeneration {
  readonly text: string
  readonly content: readonly AiPart[]
  readonly steps: readonly { readonly content: readonly AiPart[] }[]
  readonly response: { readonly messages: readonly Json[] }
}

interface AiModel {
  readonly doGenerateCalls: readonly { readonly tools?: readonly Json[]; readonly prompt: readonly Json[] }[]
}

export interface AiSdk {
  generateText(options: Json): Promise<AiGeneration>
  stepCountIs(count: number): unknown
  model(turns: readonly Turn[]): AiModel
}

const TOKENS = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 }

function toAiTurn(turn: Turn): Json {
  const content =
    typeof turn === 'string'
      ? [{ type: 'text', text: turn }]
      : turn.map(({ name, args, id }) => ({
          type: 'tool-call',
          toolCallId: id,
          toolName: name,
          input: JSON.stringify(args),
        }))
  const unified = typeof turn === 'string' ? 'stop' : 'tool-calls'
  const usage = { inputTokens: TOKENS, outputTokens: TOKENS }
  return { content, finishReason: { unified, raw: unified }, usage, warnings: [] }
}

export async function loadAiSdk(): Promise<AiSdk> {
  const ai = await load<Omit<AiSdk, 'model'>>('ai/dist/index.mjs')
  const { MockLanguageModelV3 } = await load<{ MockLanguageModelV3: new (options: Json) => AiModel }>(
    'ai/dist/test/index.mjs',
  )
  return {
    generateText: options => ai.generateText(options),
    stepCountIs: count => ai.stepCountIs(count),
    model: turns => new MockLanguageModelV3({ doGenerate: turns.map(toAiTurn) }),
  }
}

// The OpenAI Agents SDK

interface Interruption extends Json {
  readonly rawItem: Json
}

interface OpenAiState {
  approve(item: Interruption, options?: Json): void
  reject(item: Interruption): void
  toString(): string
}

interface OpenAiRun {
  readonly finalOutput?: string
  readonly interruptions: readonly Interruption[]
  readonly state: OpenAiState
  readonly newItems: readonly Json[]
}

export interface OpenAiAgents {
  run(turns: readonly Turn[], tools: readonly unknown[]): OpenAiLoop
}

/** An agent with a scripted model that can be resumed after every interruption. */
interface OpenAiLoop {
  start(input: string): Promise<OpenAiRun>
  resume(state: OpenAiState): Promise<OpenAiRun>
  /** The state as it would be saved and restored later. */
  restore(text: string): Promise<OpenAiState>
  /** The input of the model, turn by turn. */
  readonly requests: readonly Json[]
}

interface OpenAiModule {
  readonly Agent: new (options: Json) => unknown
  readonly Runner: new (options: Json) => { run(agent: unknown, input: unknown): Promise<OpenAiRun> }
  readonly Usage: new () => unknown
  readonly RunState: { fromString(agent: unknown, text: string): Promise<OpenAiState> }
  setTracingDisabled(disabled: boolean): void
}

function toOpenAiOutput(turn: Turn): readonly Json[] {
  if (typeof turn === 'string') {
    const content = [{ type: 'output_text', text: turn }]
    return [{ type: 'message', role: 'assistant', status: 'completed', content }]
  }
  return turn.map(({ name, args, id }) => ({
    type: 'function_call',
    callId: id,
    name,
    status: 'completed',
    arguments: JSON.stringify(args),
  }))
}

export async function loadOpenAiAgents(): Promise<OpenAiAgents> {
  const { Agent, Runner, Usage, RunState, setTracingDisabled } = await load<OpenAiModule>(
    '@openai/agents/dist/index.mjs',
  )
  setTracingDisabled(true)
  return {
    run(turns, tools) {
      const requests: Json[] = []
      const left = [...turns]
      const model = {
        getResponse: async (request: Json) => {
          requests.push(request)
          const turn = left.shift() ?? 'the script is over'
          return { usage: new Usage(), output: toOpenAiOutput(turn) }
        },
      }
      const agent = new Agent({ name: 'scripted', instructions: 'Play the script.', model, tools })
      const runner = new Runner({ tracingDisabled: true })
      return {
        start: input => runner.run(agent, input),
        resume: state => runner.run(agent, state),
        restore: text => RunState.fromString(agent, text),
        requests,
      }
    },
  }
}
