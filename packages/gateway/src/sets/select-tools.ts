import type { HintName } from '@hintgate/metadata'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Selection, ToolsetConfig } from '../config/config.ts'
import { matchesGlob, matchesTool } from '../scope/match-scope.ts'

type Choosing = Pick<ToolsetConfig, 'select' | 'except'>

/**
 * Whether a set contains a tool. Hints and domains are those of the effective record, and domains and tags count only in
 * a definition that is vouched for: a claim that nobody vouched for selects nothing.
 */
export function isSelected({ select, except }: Choosing, tool: CatalogTool): boolean {
  const { server, name } = tool
  return (
    select.some(choice => mayName(choice, server, name) && fits(choice, tool)) &&
    !except.some(pattern => matchesTool(pattern, server, name))
  )
}

/**
 * Whether a set contains every tool with this name, whatever its definition says. Only such a tool surely belongs to
 * the set while it waits for review.
 */
export function isSelectedByName({ select, except }: Choosing, server: string, name: string): boolean {
  return (
    select.some(choice => isOnlyNames(choice) && mayName(choice, server, name)) &&
    !except.some(pattern => matchesTool(pattern, server, name))
  )
}

/** Whether a set can contain tools of a server. */
export function mayContainServer({ select }: Choosing, server: string): boolean {
  return select.some(
    ({ servers, tools }) =>
      (servers === undefined || servers.some(glob => matchesGlob(glob, server))) &&
      (tools === undefined || tools.some(pattern => matchesGlob(serverOf(pattern), server))),
  )
}

/** Returns the server's glob in a pattern. A pattern without a colon matches tools of every server. */
function serverOf(pattern: string): string {
  const colon = pattern.indexOf(':')
  return colon === -1 ? '*' : pattern.slice(0, colon)
}

function isOnlyNames({ hints, domains, tags }: Selection): boolean {
  return hints === undefined && domains === undefined && tags === undefined
}

function mayName({ servers, tools }: Selection, server: string, name: string): boolean {
  return (
    (servers === undefined || servers.some(glob => matchesGlob(glob, server))) &&
    (tools === undefined || tools.some(pattern => matchesTool(pattern, server, name)))
  )
}

function fits({ hints = {}, domains, tags }: Selection, { assessment, basis }: CatalogTool): boolean {
  const { effective, declared } = assessment
  // Words from which domains are inferred are the server's as well.
  if ((domains !== undefined || tags !== undefined) && !basis.isVouched) return false
  const isOfDomain =
    domains === undefined || effective.serviceDomains.value.some(own => domains.includes(own))
  const isTagged = tags === undefined || (declared.tags ?? []).some(tag => tags.includes(tag))
  return (
    isOfDomain &&
    isTagged &&
    Object.entries(hints).every(([hint, value]) => effective[hint as HintName].value === value)
  )
}
