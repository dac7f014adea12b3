import { type Agent, type IncomingMessage, request } from 'node:http'
import type { Headers } from '../support/raw-mcp.ts'

interface Sending {
  readonly agent: Agent
  readonly method?: string
  readonly body?: string
  readonly headers: Headers
  readonly signal?: AbortSignal
  onHeaders?(response: IncomingMessage): void
}

/** Sends a request and reads the response until it ends in any way. */
export function post(url: string, sending: Sending): Promise<string> {
  const { method = 'POST', agent, body, headers, signal, onHeaders } = sending
  const all = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  }
  return new Promise(resolve => {
    const req = request(url, { method, headers: all, agent, ...(signal && { signal }) }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('error', () => {}).on('close', () => resolve(text))
      onHeaders?.(response)
    })
    req.on('error', error => resolve(`no answer: ${error.message}`))
    req.end(body)
  })
}
