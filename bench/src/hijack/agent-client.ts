import { writeHeaders } from '../performance/requests.ts'

/** How a call of a replayed agent ended. */
export type Ending =
  | { readonly kind: 'answered' }
  | { readonly kind: 'asked'; readonly approval: string; readonly rules: readonly string[] }
  | { readonly kind: 'refused'; readonly code: string; readonly rules: readonly string[] }

interface Refusal {
  readonly code: string
  readonly reasons?: readonly { readonly rule: string }[]
  readonly approval?: { readonly id: string }
}

interface Reply {
  readonly result?: { readonly isError?: boolean; readonly structuredContent?: { readonly error?: Refusal } }
  readonly error?: { readonly message: string }
}

export interface AgentCall {
  readonly server: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly session: string
  /** What the user asked for, where the client states it. */
  readonly task?: string | undefined
}

/** The clients that a replay needs: an agent that calls tools, and a person who answers questions. */
export class ReplayClient {
  readonly #gateway: string
  readonly #adminToken: string
  #id = 0

  constructor(gateway: string, adminToken: string) {
    this.#gateway = gateway
    this.#adminToken = adminToken
  }

  async createAgent(name: string, statesTask: boolean): Promise<string> {
    const permissions = ['retrieve_tools', 'call_tool_read', 'call_tool_write', 'call_tool_destructive']
    const { token } = (await this.#admin('POST', '/agents', {
      name,
      permissions,
      servers: ['*'],
      statesTask,
    })) as {
      token: string
    }
    return token
  }

  approve(id: string): Promise<unknown> {
    return this.#admin('POST', `/approvals/${id}/decision`, { decision: 'approve' })
  }

  async call(token: string, { server, tool, args, session, task }: AgentCall): Promise<Ending> {
    const id = ++this.#id
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'replay', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.hintgate/session': session,
      ...(task !== undefined && { 'io.hintgate/task': { text: task } }),
    }
    const params = { name: tool, arguments: args, _meta: meta }
    const response = await fetch(new URL(`/mcp/servers/${server}`, this.#gateway), {
      method: 'POST',
      headers: { ...writeHeaders('modern', 'tools/call', tool), authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
    })
    return endingOf(readReply(await response.text(), response.status))
  }

  async #admin(method: string, path: string, body: unknown): Promise<unknown> {
    const response = await fetch(new URL(`/api/v1${path}`, this.#gateway), {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#adminToken}` },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}

function readReply(text: string, status: number): Reply {
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text
  try {
    return JSON.parse(data) as Reply
  } catch {
    throw new Error(`the gateway answered ${status}: ${text.slice(0, 300)}`)
  }
}

function endingOf({ result, error }: Reply): Ending {
  if (error !== undefined) return { kind: 'refused', code: error.message, rules: [] }
  const refusal = result?.structuredContent?.error
  if (result?.isError !== true || refusal === undefined) return { kind: 'answered' }
  const rules = (refusal.reasons ?? []).map(({ rule }) => rule)
  return refusal.code === 'confirmation_required' && refusal.approval !== undefined
    ? { kind: 'asked', approval: refusal.approval.id, rules }
    : { kind: 'refused', code: refusal.code, rules }
}
