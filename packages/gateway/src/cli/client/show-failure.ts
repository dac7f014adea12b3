import { showUntrusted } from '@hintgate/metadata'
import { RPC, type RpcError } from '../../protocol/messages.ts'
import type { Refused } from './ask-gateway.ts'

const MAX = 1000

/** A refusal in the manner of every other error: what, why, and what to do. */
export function showRefusal({ code, message, reasons, remedy }: Refused): string {
  const lines = [
    `hintgate: ${showUntrusted(message, MAX)}`,
    // Some reasons only repeat the message.
    ...reasons
      .filter(reason => !message.includes(reason))
      .map(reason => `  why: ${showUntrusted(reason, MAX)}`),
    `  fix: ${showUntrusted(remedy, MAX)}`,
    `  more: hintgate explain ${code}`,
  ]
  return `${lines.join('\n')}\n`
}

export function showError({ code, message }: RpcError): string {
  if (code === RPC.missingCapability) return showQuestion(message)
  return `hintgate: the call ended with error ${code}: ${showUntrusted(message, MAX)}\n`
}

/** A server wants to ask somebody in the middle of a call. */
export function showQuestion(why: string): string {
  return (
    `hintgate: the server asks for input, and this command cannot be asked: ${showUntrusted(why, MAX)}\n` +
    '  fix: Call the tool from an MCP client that can answer questions.\n'
  )
}
