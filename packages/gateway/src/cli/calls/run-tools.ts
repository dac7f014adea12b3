import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { splitId } from '../../protocol/split-id.ts'
import type { Needs } from '../client/local-client.ts'
import {
  askSearch,
  endOfFailure,
  listTools,
  type SurfaceAnswer,
  type SurfaceClient,
  showError,
} from '../client/surface-client.ts'
import { withClient } from '../client/with-client.ts'
import { showJson } from '../show/show-json.ts'
import type { ClientFlags } from '../terminal/context.ts'
import { type Ending, EXIT, paint } from '../terminal/output.ts'
import { showFound, showList, showTool } from './show-tools.ts'

interface ListFlags extends ClientFlags {
  readonly server?: readonly string[]
}

interface SearchFlags extends ListFlags {
  readonly limit?: number
  readonly domain?: readonly string[]
  readonly category?: string
  readonly readOnly?: boolean
  readonly excludeDestructive?: boolean
  readonly excludeOpenWorld?: boolean
  readonly idempotent?: boolean
  readonly detail?: string
}

export function list(flags: ListFlags): Promise<Ending> {
  return withClient(flags, needsOf(flags), async client => {
    const code = exitOf(await client.ready())
    const tools = await listTools(client)
    if ('code' in tools) return { code: EXIT.failed, err: showError(tools) }
    const wanted = tools.filter(({ id }) => flags.server?.includes(splitId(String(id)).server) ?? true)
    return { code, out: flags.json ? showJson(wanted) : showList(wanted, paint) }
  })
}

export function search(words: readonly string[], flags: SearchFlags): Promise<Ending> {
  return withClient(flags, needsOf(flags), async client => {
    const code = exitOf(await client.ready())
    const answer = await askSearch(client, { name: 'retrieve_tools', args: queryOf(words, flags) })
    return endWith(answer, found => {
      const tools = Array.isArray(found.tools) ? found.tools.filter(isJsonObject) : []
      return { code, out: flags.json ? showJson(found) : showFound(tools, found.hint, paint) }
    })
  })
}

export async function show(id: string, flags: ClientFlags): Promise<Ending> {
  const ended = await showOne(id, flags)
  const isHere = flags.url === undefined && flags.json !== true && ended.out !== undefined
  if (!isHere) return ended
  const { showPlaces } = await import('./show-places.ts')
  return { ...ended, out: ended.out + (await showPlaces(id, flags)) }
}

function showOne(id: string, flags: ClientFlags): Promise<Ending> {
  const { server } = splitId(id)
  return withClient(flags, { kind: 'meant', server }, async client => {
    const { failed } = await client.ready()
    // The server's failure has already been reported, and it is unknown whether the server has the tool.
    if (failed.includes(server)) return { code: EXIT.failed }
    const answer = await askSearch(client, { name: 'describe_tool', args: { name: id } })
    return endWith(answer, tool => ({ out: flags.json ? showJson(tool) : showTool(tool, paint) }))
  })
}

function needsOf({ server }: ListFlags): Needs {
  return server === undefined ? { kind: 'all' } : { kind: 'named', servers: server }
}

/** Returns the exit code. The command fails only if no server started. */
function exitOf({ failed, started }: Awaited<ReturnType<SurfaceClient['ready']>>): number {
  return started === 0 && failed.length > 0 ? EXIT.failed : EXIT.done
}

function queryOf(words: readonly string[], flags: SearchFlags): Json {
  const query = {
    query: words.join(' '),
    limit: flags.limit,
    servers: flags.server,
    domains: flags.domain,
    category: flags.category,
    read_only: flags.readOnly,
    exclude_destructive: flags.excludeDestructive,
    exclude_open_world: flags.excludeOpenWorld,
    idempotent: flags.idempotent,
    detail: flags.detail,
  }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

function endWith(answer: SurfaceAnswer, succeed: (structured: Json) => Ending): Ending {
  if (answer.kind !== 'answered') return endOfFailure(answer)
  const { structuredContent } = answer.result
  return succeed(isJsonObject(structuredContent) ? structuredContent : {})
}
