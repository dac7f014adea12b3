import { kindOfVariant } from '@hintgate/metadata'
import type { CatalogTool } from '../../catalog/catalog.ts'
import { callerOf } from '../../exchange/silent-exchange.ts'
import { isJsonObject } from '../../protocol/messages.ts'
import { splitId } from '../../protocol/split-id.ts'
import type { ToolView } from '../../search/tool-view.ts'
import type { Output } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import type { Handlers } from '../http/handler.ts'
import { EVERYBODY, findScope } from './agents.ts'

type Found = Output<'searchTools'>['tools'][number]

export function createSearchHandlers(deps: AdminDeps) {
  return {
    async searchTools({ query: asked }) {
      const principal = asked.as === undefined ? EVERYBODY : await findScope(deps, asked.as)
      const caller = callerOf(principal)
      const { server, domain, category, limit } = asked
      const query = {
        query: asked.query,
        ...(limit === undefined ? {} : { limit }),
        ...(server === undefined ? {} : { servers: [server] }),
        ...(domain === undefined ? {} : { domains: [domain] }),
        ...(category === undefined ? {} : { category }),
        ...(asked.readOnly === undefined ? {} : { read_only: asked.readOnly }),
        ...(asked.excludeDestructive === undefined ? {} : { exclude_destructive: asked.excludeDestructive }),
        ...(asked.excludeOpenWorld === undefined ? {} : { exclude_open_world: asked.excludeOpenWorld }),
        ...(asked.idempotent === undefined ? {} : { idempotent: asked.idempotent }),
      }
      const { finder, config } = deps
      const { confirm } = config()
      await finder.prepare(caller, query)
      const found =
        asked.explain === true ? finder.explain(caller, query, confirm) : finder.find(caller, query, confirm)
      const { filtered = 0, quarantined = 0 } = found.hidden ?? {}
      return {
        query: found.query,
        tools: found.tools.map(tool => describe(tool, deps)),
        total: found.total,
        ...(found.understood === undefined ? {} : { understood: found.understood }),
        hidden: { filtered, quarantined },
        hint: found.hint,
      }
    },
  } satisfies Partial<Handlers>
}

function describe(view: ToolView, { catalog }: AdminDeps): Found {
  const { id, title, description, signature, call_with, risk_level, category, domains, confirm, score } = view
  const { server, tool: name } = splitId(id)
  const tool = catalog.find(server, name)
  const explain = view.explain?.map(({ word, matched, points }) => ({
    term: word,
    matched,
    fields: tool === undefined ? [] : findFields(tool, matched),
    score: Math.round(points * 100) / 100,
  }))
  const what = { id, server, name, title, description, signature, variant: kindOfVariant(call_with) }
  return { ...what, risk: risk_level, category, domains: [...domains], confirm, score, explain }
}

/** Finds the fields that contain a word. The index stores only the word's weight, so the tool is searched again. */
function findFields({ server, name, definition, assessment }: CatalogTool, word: string): string[] {
  const { description, inputSchema } = definition
  const properties = isJsonObject(inputSchema) ? inputSchema.properties : undefined
  const fields = {
    name: apart(name),
    title: assessment.title,
    description: typeof description === 'string' ? description : '',
    parameters: properties === undefined ? '' : apart(JSON.stringify(properties)),
    server,
    domains: assessment.effective.serviceDomains.value.join(' '),
  }
  return Object.entries(fields).flatMap(([field, text]) => (text.toLowerCase().includes(word) ? [field] : []))
}

/** Splits `readFile` and `read_file` into words. */
function apart(text: string): string {
  return text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
}
