import { showUntrusted } from '@hintgate/metadata'
import type { Classified } from '../exchange/classified.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import { SilentExchange } from '../exchange/silent-exchange.ts'
import type { Claim } from '../policy/facts/intent.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { dryRunArguments, previewWay } from './preview-way.ts'

/** The corridor itself, handed in so that a preview walks it like every other call. */
export type Run = (call: IncomingCall) => Promise<Outcome>

const MAX_LENGTH = 2000

/** Whatever is more than a read is refused, and nobody is asked about it. */
const READ: Claim = { variant: 'call_tool_read', isBinding: true }

/** Under which its preview is made and remembered. */
export function previewOf(request: string): string {
  return `${request}.preview`
}

/** What would change, in the words of the tool; undefined where it has none, or they did not come. */
export async function askPreview({ call, tool }: Classified, run: Run): Promise<string | undefined> {
  const way = previewWay(tool.definition)
  if (way === undefined || call.isPreview === true) return undefined
  const given = isJsonObject(call.params.arguments) ? call.params.arguments : {}
  const args = way.kind === 'tool' ? given : dryRunArguments(given, way)
  if (args === undefined) return undefined
  const name = way.kind === 'tool' ? way.name : tool.name
  const outcome = await run({
    exchange: new SilentExchange(previewOf(call.exchange.requestId), call.exchange.caller, call.exchange),
    server: tool.server,
    tool: name,
    typed: `${tool.server}:${name}`,
    params: { name, arguments: args },
    claim: READ,
    isPreview: true,
  })
  return outcome.kind === 'answered' && outcome.result.isError !== true ? textOf(outcome.result) : undefined
}

function textOf({ content }: Json): string | undefined {
  const parts = Array.isArray(content) ? content : []
  const texts = parts.flatMap(part =>
    isJsonObject(part) && typeof part.text === 'string' ? [part.text] : [],
  )
  return texts.length === 0 ? undefined : showUntrusted(texts.join(' '), MAX_LENGTH)
}
