// The answers of the bench's own server. They are built in advance, so that the server's cost is minimal.
/** The modern server also answers legacy clients, because some proxies use the legacy era towards servers. */
export type Era = 'legacy' | 'modern'

/** Sizes of results in KB. */
export type Kilobytes = 0.1 | 10 | 100

interface Answer {
  /** For HTTP; stdio has no such header. */
  readonly status: number
  readonly text: string
}

/** Returns the answer to a message; notifications have none. */
export type Answerer = (message: string) => Answer | undefined

interface Message {
  readonly id?: number | string
  readonly method: string
  readonly params?: {
    readonly arguments?: { readonly kb?: Kilobytes; readonly nonce?: string }
  }
}

const MODERN = '2026-07-28'
const LEGACY = '2025-11-25'
const SERVER_INFO = { name: 'bench-server', version: '1.0.0' }
const FILLERS: ReadonlyMap<number, string> = new Map([
  [0.1, fill(100)],
  [10, fill(10_000)],
  [100, fill(100_000)],
])

/** The expected text of a call: what it sent, followed by as much text as it asked for. */
export function expectText(nonce: string, kb: Kilobytes): string {
  return `${nonce}:${FILLERS.get(kb) ?? ''}`
}

export function nameTool(index: number): string {
  return `read_record_${index}`
}

export function createAnswerer(era: Era, toolCount: number): Answerer {
  const list = JSON.stringify({
    tools: Array.from({ length: toolCount }, (_, index) => describeTool(index)),
    ...(era === 'modern' && { resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' }),
  })
  const discovery = JSON.stringify(discover())
  const greeting = JSON.stringify(initialize())
  const afterText = era === 'modern' ? '"}],"resultType":"complete"}' : '"}]}'

  function answerCall({ params }: Message): string {
    const { kb = 0.1, nonce = '' } = params?.arguments ?? {}
    return `{"content":[{"type":"text","text":"${expectText(nonce, kb)}${afterText}`
  }

  return text => {
    const message = JSON.parse(text) as Message
    if (message.id === undefined) return undefined
    const { method } = message
    if (method === 'tools/call') return succeed(message, answerCall(message))
    if (method === 'tools/list') return succeed(message, list)
    if (method === 'server/discover' && era === 'modern') return succeed(message, discovery)
    if (method === 'initialize') return succeed(message, greeting)
    if (method === 'ping') return succeed(message, '{}')
    return refuse(message, era)
  }
}

function succeed({ id }: Message, result: string): Answer {
  // The id is at a fixed position, so that the floor finds it without parsing.
  return { status: 200, text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}` }
}

/** A legacy server has no 404 for unknown methods. */
function refuse({ id }: Message, era: Era): Answer {
  const error = { code: -32601, message: 'Method not found' }
  return { status: era === 'legacy' ? 400 : 404, text: JSON.stringify({ jsonrpc: '2.0', id, error }) }
}

function discover(): object {
  return {
    supportedVersions: [MODERN],
    capabilities: { tools: { listChanged: true } },
    resultType: 'complete',
    ttlMs: 60_000,
    cacheScope: 'public',
    _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
  }
}

function initialize(): object {
  return { protocolVersion: LEGACY, capabilities: { tools: { listChanged: true } }, serverInfo: SERVER_INFO }
}

/** About as long as real tool definitions. */
function describeTool(index: number): object {
  return {
    name: nameTool(index),
    title: `Read record ${index}`,
    description: `Reads record number ${index} and returns its text, with as many kilobytes of it as wanted.`,
    inputSchema: {
      type: 'object',
      properties: {
        kb: { type: 'number', description: 'How much of the record to return, in kilobytes' },
        nonce: { type: 'string', description: 'Comes back at the beginning of the text' },
      },
      required: ['kb', 'nonce'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  }
}

function fill(length: number): string {
  return 'The quick brown fox jumps over the lazy dog. '.repeat(Math.ceil(length / 45)).slice(0, length)
}
