import { foldLookAlikes } from '@hintgate/metadata'
import { z } from 'zod'
import { anyDepth } from '../../../protocol/field-path.ts'
import { compileGlobs } from '../../../scope/match-scope.ts'
import { readBranches } from '../values/branch.ts'
import { readRepository } from '../values/repository.ts'
import { defineFieldRule, listOf, readFields, someText } from '../values/rule.ts'
import { isUsualFor, usualFields } from '../values/usual-fields.ts'

/** A guardrail for branches that only people are allowed to change. Reading them is allowed. */
export const protectBranches = defineFieldRule({
  name: 'protect_branches',
  fields: usualFields('branches'),
  looksAt: 'texts',
  params: { branches: listOf(someText).default(['main', 'master', 'release/*']) },
  compile: params => {
    const isProtected = compileGlobs(params.branches.map(foldLookAlikes))
    return reading =>
      ({ value }) => {
        if (reading.facts.tool.variant === 'call_tool_read' || value.trim() === '') return undefined
        const branches = readBranches(reading.fold(value), reading)
        if (branches === undefined) return 'might name a protected branch'
        return branches.some(isProtected) ? 'names a protected branch' : undefined
      }
  },
})

const isRepository = isUsualFor('repositories')
/** `fullName` is left out, because it is usually a person's name. */
const REPO_FIELDS = anyDepth({ has: name => isRepository(name) || name === 'full_name' })
const OWNER_FIELDS = usualFields('owners')

/**
 * A guardrail that allows only repositories on a list. Values that cannot be read as a repository are refused. Links
 * must point to the rule's hosts, because on another host anyone could register the same owner name.
 */
export const allowRepos = defineFieldRule({
  name: 'allow_repos',
  fields: REPO_FIELDS,
  looksAt: 'leaves',
  params: {
    owner_field: z.string().min(1).max(200).optional(),
    repos: listOf(
      z.string().regex(/^[\w.*-]+\/[\w.*-]+$/, { error: 'not a repository in the form owner/name' }),
    ),
    hosts: listOf(z.string().regex(/^[\w.-]+$/, { error: 'not a host name' })).default(['github.com']),
  },
  compile: params => {
    const owners = readFields({ field: params.owner_field }, OWNER_FIELDS)
    const hosts = new Set(params.hosts.map(host => host.toLowerCase()))
    const isAllowed = createRepositorySet(params.repos.map(repo => repo.toLowerCase()))
    return reading => {
      let given: readonly string[] | undefined
      const seen = new Set<unknown>()
      return ({ value }) => {
        if (seen.has(value)) return undefined
        seen.add(value)
        given ??= distinct(reading.leaves(owners).map(owner => String(owner.value)))
        if (seen.size * Math.max(1, given.length) > MAX_REPOSITORIES)
          return `is one of more than ${MAX_REPOSITORIES} repositories, which is too many to check`
        const read = readRepository(String(value), given)
        if (read === undefined) return 'is not a readable owner/repository'
        if (read.host !== undefined && !hosts.has(read.host))
          return 'names a host that is not on the list of hosts'
        const isListed = read.names.every(isAllowed)
        return isListed ? undefined : 'names a repository that is not on the allowlist'
      }
    }
  },
})

/** Maximum number of combinations of repository and owner that are checked. */
const MAX_REPOSITORIES = 10_000

function distinct(texts: readonly string[]): readonly string[] {
  return Array.from(new Set(texts))
}

/**
 * Returns a function that tells whether a repository is on the list. Owner and name are matched separately, so that a
 * `*` cannot match across the slash.
 */
function createRepositorySet(globs: readonly string[]): (name: string) => boolean {
  const exact = new Set(globs)
  const starred = globs
    .filter(glob => glob.includes('*'))
    .map(glob => glob.split('/').map(part => compileGlobs([part])))
  return name => {
    if (exact.has(name)) return true
    const [owner = '', repository = ''] = name.split('/')
    return starred.some(([fitsOwner, fitsName]) => fitsOwner?.(owner) && fitsName?.(repository))
  }
}
