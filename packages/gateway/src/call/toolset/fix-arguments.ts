import type { IncomingCall } from '../../exchange/incoming-call.ts'
import type { Refusal } from '../../exchange/outcome.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { findResembling } from '../../protocol/resembling-key.ts'
import type { SetTool } from '../../sets/present-tool.ts'

export type Fixed = { readonly call: IncomingCall } | { readonly refusal: Refusal }

/**
 * Adds the arguments that a toolset fixes, before anything judges the call: policies, guardrails, approvals and the
 * audit log see what is sent. The fixed values come last, because a server that treats two keys as equal usually takes
 * the last one.
 */
export function fixArguments(call: IncomingCall, offered: SetTool | undefined): Fixed {
  const { arguments: args = {} } = call.params
  if (offered === undefined || offered.closed.length === 0 || !isJsonObject(args)) return { call }
  const fixed = offered.override?.arguments ?? {}
  // The gateway itself makes previews and the calls of tasks, from a call whose arguments it has already fixed.
  const given = call.isPreview === true || call.task !== undefined ? without(args, offered.closed) : args
  const set = findClosed(given, offered)
  if (set !== undefined) return { refusal: refuseClosed(call, set, offered) }
  return { call: { ...call, params: { ...call.params, arguments: { ...given, ...fixed } } } }
}

function without(args: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)))
}

/**
 * Returns a key with which the agent sets a closed argument, or a key that a server could confuse with one. A declared
 * argument of the tool does not count, however similar its name is.
 */
function findClosed(args: Json, { closed, shown }: SetTool): string | undefined {
  const { inputSchema } = shown.definition
  const { properties } = isJsonObject(inputSchema) ? inputSchema : {}
  const declared = isJsonObject(properties) ? properties : {}
  const others = Object.fromEntries(
    Object.keys(args).flatMap(key => (Object.hasOwn(declared, key) ? [] : [[key, 0]])),
  )
  for (const name of closed) {
    const found = Object.hasOwn(args, name) ? name : findResembling(others, name)
    if (found !== undefined) return found
  }
  return undefined
}

const MAX_SHOWN = 64

function refuseClosed({ typed }: IncomingCall, key: string, { tool }: SetTool): Refusal {
  const field = key.slice(0, MAX_SHOWN)
  const text = 'this toolset sets it, and agents cannot'
  return {
    code: 'invalid_arguments',
    message: `The argument ${JSON.stringify(field)} of ${JSON.stringify(typed)}: ${text}.`,
    tool: typed,
    variant: tool.assessment.variant,
    verdict: 'deny',
    reasons: [{ rule: 'toolset.arguments', source: 'toolset', text }],
    remedy: 'Leave this argument out.',
    field,
  }
}
