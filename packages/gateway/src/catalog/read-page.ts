import { APP_PAGE } from '../protocol/apps.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { appOf } from './app-of-tool.ts'
import type { Catalog } from './catalog.ts'
import type { Named } from './pins.ts'

const READ_TIMEOUT_MS = 10_000
/** Maximum number of pages of one server that are read for a review. */
const MOST_PAGES = 50

/** Returns the URIs of the pages that a server's tools name, including tools that wait for review. */
export function pagesNamedBy(catalog: Pick<Catalog, 'declared'>, server: string): readonly string[] {
  const uris = catalog
    .declared(server)
    .map(definition => appOf({ definition }))
    .filter(uri => uri !== undefined)
  return [...new Set(uris)].slice(0, MOST_PAGES)
}

/** Whether these are contents of a resource, which some host could show as a page, whatever their types say. */
export function areContents(contents: unknown): contents is readonly Json[] {
  return Array.isArray(contents) && contents.length > 0 && contents.every(isJsonObject)
}

/** Whether contents are nothing but the page of an app. */
export function isPage(contents: readonly Json[]): boolean {
  return contents.every(content => content.mimeType === APP_PAGE)
}

/**
 * Returns the part of a page that is reviewed: where it may send data, where it may load code from, and which browser
 * features it may use. Its own code is not reviewed, because that changes with every build.
 */
export function describePage(uri: string, contents: readonly Json[]): Named {
  const demands = contents.flatMap(demandsOf)
  const [{ csp = {}, permissions = {}, domain } = {}] = demands
  const one = { csp, permissions, ...(domain === undefined ? {} : { domain }) }
  // Hosts render only one of a page's contents. All of them are described, so that none escapes the review.
  const shown = demands.length === 1 ? one : { pages: demands }
  const definition = { name: uri, uriTemplate: uri, mimeType: APP_PAGE, title: 'Page of an app', ...shown }
  return { name: uri, definition }
}

/** Some hosts also read `meta`, as some libraries call `_meta`. */
function demandsOf({ _meta, meta }: Json): readonly Json[] {
  const uiOf = (holder: unknown) => (isJsonObject(holder) && isJsonObject(holder.ui) ? holder.ui : undefined)
  const other = uiOf(meta)
  return [uiOf(_meta) ?? {}, ...(other === undefined ? [] : [other])]
}

/**
 * Returns an item of a list of resources without demands of a page. Hosts follow them where a page has none, but only
 * those of the page itself are reviewed.
 */
export function withoutDemands(item: Json): Json {
  if (typeof item.uri !== 'string' || !item.uri.toLowerCase().startsWith('ui:')) return item
  const { meta: _, _meta, ...rest } = item
  if (!isJsonObject(_meta)) return rest
  const kept = Object.entries(_meta).filter(([key]) => key !== 'ui' && !key.startsWith('ui/'))
  return { ...rest, _meta: Object.fromEntries(kept) }
}

/** Reads the pages that a server's tools name. A page that cannot be read is left out, and then waits for review. */
export async function readPages(server: UpstreamServer, uris: readonly string[]): Promise<readonly Named[]> {
  const pages = await Promise.all(uris.map(uri => readPage(server, uri)))
  return pages.filter(page => page !== undefined)
}

async function readPage(server: UpstreamServer, uri: string): Promise<Named | undefined> {
  const { reply } = server.send({
    method: 'resources/read',
    params: { uri },
    envelope: server.ownEnvelope,
    timeoutMs: Math.min(READ_TIMEOUT_MS, server.config.timeoutMs),
    session: '',
  })
  const answer = await reply
  const contents = answer.kind === 'answer' ? answer.message.result?.contents : undefined
  return areContents(contents) ? describePage(uri, contents) : undefined
}
