import type { Catalog } from '../../../catalog/catalog.ts'
import type { Listed } from '../../../catalog/list-definitions.ts'
import { OTHERS, type OtherDefinitions } from '../../../catalog/other-definitions.ts'
import type { ResultRules, Rules } from '../../../policy/rules.ts'
import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { isText } from '../../../protocol/parse-json.ts'
import { checkResultBeside } from '../../../results/check-result.ts'
import { resultInOwnVoice } from '../../../results/own-voice.ts'
import type { Searcher } from '../../../results/searcher.ts'
import type { UpstreamServer } from '../../../upstream/upstream-server.ts'
import { type ServerLists, WAIT_MS } from './server-lists.ts'

/** What an endpoint lists, with the member that identifies an item. */
export interface Kind extends Listed {
  readonly key: 'name' | 'uri' | 'uriTemplate'
  /** Set if each item is reviewed. */
  readonly reviewed?: 'prompt' | 'template'
}

export const KINDS: ReadonlyMap<string, Kind> = new Map(
  [
    { ...OTHERS.prompt, key: 'name', reviewed: 'prompt' } as const,
    { ...OTHERS.template, key: 'uriTemplate', reviewed: 'template' } as const,
    { method: 'resources/list', member: 'resources', capability: 'resources', key: 'uri' } as const,
  ].map(kind => [kind.method, kind]),
)

export interface ItemDeps {
  readonly lists: ServerLists
  readonly others: OtherDefinitions
  readonly catalog: Pick<Catalog, 'isWhollyHeld' | 'ensure'>
  readonly searcher: Searcher
  readonly pause: (ms: number) => Promise<void>
  rules(): Pick<Rules, 'results'>
}

interface Checked {
  readonly rules: ResultRules
  readonly approved: readonly unknown[]
  readonly items: readonly Json[] | undefined
}

/**
 * Lists the items of one server that agents may see: approved, checked like a result, and in the server's own names. A
 * list is checked once, not for every caller.
 */
export class ServerItems {
  readonly #deps: ItemDeps
  readonly #checked = new WeakMap<readonly unknown[], Checked>()

  constructor(deps: ItemDeps) {
    this.#deps = deps
  }

  /** Undefined if the server does not answer in time, or if its answer is withheld. */
  list(server: UpstreamServer, kind: Kind): Promise<readonly Json[] | undefined> {
    // The server is also asked during the review of its items, so the time limit covers everything.
    const late = this.#deps.pause(WAIT_MS).then(() => undefined)
    return Promise.race([this.#list(server, kind), late])
  }

  async #list(server: UpstreamServer, kind: Kind): Promise<readonly Json[] | undefined> {
    const { catalog, lists } = this.#deps
    const said = await lists.list(server, kind)
    if (typeof said === 'string') return undefined
    if (said.length === 0) return []
    // Makes sure that the catalog knows whether the server really waits for review.
    if (catalog.isWhollyHeld(server)) await catalog.ensure(server)
    return this.#check(said, await this.#keepApproved(said, server, kind), { server, kind })
  }

  async #keepApproved(
    said: readonly unknown[],
    server: UpstreamServer,
    { reviewed }: Kind,
  ): Promise<readonly unknown[]> {
    const { others, catalog } = this.#deps
    // Resources are not reviewed one by one, so they wait until any definition of the server is approved.
    if (reviewed === undefined) return catalog.isWhollyHeld(server) ? [] : said
    return others.isOpen ? said : others.keepApproved(server, reviewed, said)
  }

  async #check(
    said: readonly unknown[],
    approved: readonly unknown[],
    { server, kind }: { readonly server: UpstreamServer; readonly kind: Kind },
  ): Promise<readonly Json[] | undefined> {
    const rules = this.#deps.rules().results(server.name)
    const known = this.#checked.get(said)
    if (known?.rules === rules && isSameList(known.approved, approved)) return known.items
    const shown = await this.#checkResult({ [kind.member]: approved }, rules, server)
    const items = shown && itemsIn(shown, kind)
    this.#checked.set(said, { rules, approved, items })
    return items
  }

  async #checkResult(result: Json, rules: ResultRules, server: UpstreamServer): Promise<Json | undefined> {
    const checked = await checkResultBeside(
      result,
      {
        rules,
        isOpenWorld: true,
        place: 'nowhere',
        misfit: undefined,
        restrain: shown => resultInOwnVoice(shown, server.handshake?.era),
      },
      { searcher: this.#deps.searcher, owner: `server:${server.name}` },
    )
    if (checked.kind === 'clean') return result
    return checked.kind === 'changed' ? checked.result : undefined
  }
}

function itemsIn(result: Json, { member, key }: Kind): readonly Json[] {
  const items: readonly unknown[] = Array.isArray(result[member]) ? result[member] : []
  return items.filter(isJsonObject).filter(item => isText(item[key]) && item[key] !== '')
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && a.every((item, at) => item === b[at]))
}
