import { type AgentClient, AgentError, type AgentOptions, connectAgent, type Question } from '@hintgate/agent'
import { later } from './clean-up.ts'
import type { Server } from './gateway.ts'

/** Shared by the tests of the agent package. */

type Servers = AgentOptions['servers']

/** The entries of `test/support` have the form of the gateway's config, which the agent understands as well. */
export function asServers(servers: Readonly<Record<string, Server>>): Servers {
  return servers as unknown as Servers
}

/** An agent that is closed after the tests. */
export async function connect(options: AgentOptions): Promise<AgentClient> {
  const agent = await connectAgent({ retry: { delayMs: 10, maxDelayMs: 50 }, ...options })
  later(() => agent.close())
  return agent
}

/** A person who always gives the same answer, and records the questions. */
export function person(answer: boolean) {
  const questions: Question[] = []
  const confirm = (question: Question): boolean => {
    questions.push(question)
    return answer
  }
  return { questions, confirm }
}

/** The error of a call; throws if the call was answered. */
export async function errorOf(call: Promise<unknown>): Promise<AgentError> {
  try {
    const answered = await call
    throw new Error(`this was answered: ${JSON.stringify(answered)}`)
  } catch (error) {
    if (error instanceof AgentError) return error
    throw error
  }
}

export function textOf(result: unknown): string {
  const { content } = result as { content?: readonly { text?: string }[] }
  return content?.[0]?.text ?? `no text: ${JSON.stringify(result)}`
}

export const NOTES = {
  command: process.execPath,
  args: ['examples/notes-server.mjs'],
  trust: 'trusted',
  stderr: 'ignore',
} as const
