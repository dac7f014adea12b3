import { showUntrusted } from '@hintgate/metadata'
import { maskValue } from '../../audit/mask.ts'
import { HintgateError } from '../../base/errors.ts'
import { maskSecrets } from '../../detect/secrets/mask-secrets.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { describeSet, summariseSet } from '../../sets/describe-set.ts'
import type { Toolset } from '../../sets/toolset.ts'
import { readArguments, showResult } from '../calls/run-call.ts'
import { showFound, showList } from '../calls/show-tools.ts'
import { type SurfaceClient, showError } from '../client/surface-client.ts'
import { withClient } from '../client/with-client.ts'
import { withSets } from '../client/with-sets.ts'
import { showText } from '../show/review-text.ts'
import { showJson } from '../show/show-json.ts'
import type { ClientFlags, CommonFlags } from '../terminal/context.ts'
import { type Ending, EXIT, paint } from '../terminal/output.ts'
import { showSet, showSets } from './show-sets.ts'

export function list(flags: CommonFlags): Promise<Ending> {
  return withSets(flags, sets => {
    const summaries = sets.map(summariseSet)
    return { out: flags.json ? showJson(summaries) : showSets(summaries, paint) }
  })
}

export function show(name: string, flags: CommonFlags): Promise<Ending> {
  return withSets(flags, sets => {
    const view = describeSet(findSet(sets, name), mask)
    return { out: flags.json ? showJson(view) : showSet(view, paint) }
  })
}

function mask(fixed: Json): Json {
  const masked = maskValue(fixed, maskSecrets)
  return isJsonObject(masked) ? masked : {}
}

function findSet(sets: readonly Toolset[], name: string): Toolset {
  const found = sets.find(set => set.name === name)
  if (found !== undefined) return found
  throw new HintgateError('unknown_toolset', { set: name })
}

/** Does what an agent of the set would do: lists its tools, searches in it, or calls one of its tools. */
export function tryOut(
  name: string,
  words: readonly string[],
  flags: ClientFlags & { readonly arg?: readonly string[] },
): Promise<Ending> {
  return withClient(flags, { kind: 'all' }, async client => {
    await client.ready()
    const path = `/mcp/sets/${name}`
    const listed = await client.request(path, { method: 'tools/list' })
    if ('error' in listed) return endOfError(listed.error, name)
    const tools = toolsIn(listed.result)
    const isSearched = tools.some(tool => tool.name === 'retrieve_tools')
    const [first, text] = words
    if (first === undefined && !isSearched)
      return { out: flags.json ? showJson(tools) : showList(tools.map(toView), paint) }
    const called = tools.find(tool => tool.name === first)
    if (called === undefined && isSearched) return search(client, path, { query: words.join(' '), flags })
    const args = await readArguments(text, flags.arg ?? [], process.stdin)
    return call(client, path, { name: String(first), args, flags })
  })
}

function endOfError(error: Parameters<typeof showError>[0], name: string): Ending {
  const isUnknown = error.message.startsWith('unknown path')
  if (!isUnknown) return { code: EXIT.failed, err: showError(error) }
  throw new HintgateError('unknown_toolset', { set: name })
}

function toolsIn({ tools }: Json): readonly Json[] {
  return Array.isArray(tools) ? tools.filter(isJsonObject) : []
}

const EFFECTIVE = 'io.hintgate/effective'

/** Converts a listed tool to the form of `describe_tool`. */
function toView({ name, title, description, annotations, inputSchema, _meta }: Json): Json {
  const facts = isJsonObject(_meta) ? _meta[EFFECTIVE] : undefined
  return { id: name, title, description, annotations, inputSchema, ...(isJsonObject(facts) ? facts : {}) }
}

interface Searching {
  readonly query: string
  readonly flags: ClientFlags
}

async function search(client: SurfaceClient, path: string, { query, flags }: Searching): Promise<Ending> {
  const params = { name: 'retrieve_tools', arguments: { query, limit: 50 } }
  const reply = await client.request(path, { method: 'tools/call', params })
  if ('error' in reply) return { code: EXIT.failed, err: showError(reply.error) }
  const { structuredContent: found = {}, isError } = reply.result as {
    structuredContent?: Json
    isError?: boolean
  }
  if (flags.json) return { code: isError ? EXIT.failed : EXIT.done, out: showJson(found) }
  return isError ? endOfResult(reply.result, flags) : { out: showFound(toolsIn(found), found.hint, paint) }
}

interface Calling {
  readonly name: string
  readonly args: Json
  readonly flags: ClientFlags
}

async function call(client: SurfaceClient, path: string, { name, args, flags }: Calling): Promise<Ending> {
  const reply = await client.request(path, { method: 'tools/call', params: { name, arguments: args } })
  return 'error' in reply
    ? { code: EXIT.failed, err: showError(reply.error) }
    : endOfResult(reply.result, flags)
}

function endOfResult(result: Json, { json = false }: ClientFlags): Ending {
  const show = process.stdout.isTTY
    ? showText
    : (text: string) => showUntrusted(text, Number.MAX_SAFE_INTEGER)
  const code = result.isError === true ? EXIT.failed : EXIT.done
  return { code, out: json ? showJson(result) : showResult(result, show) }
}
