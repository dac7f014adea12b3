import { foldLookAlikes } from '@hintgate/metadata'
import { z } from 'zod'
import { compileGlobs } from '../../../tokens/match-scope.ts'
import { readBranches } from '../branch.ts'
import { anyDepth } from '../field-path.ts'
import { readRepository } from '../repository.ts'
import { defineRule, fieldParams, listOf, readFields, someText } from '../rule.ts'

const BRANCH_FIELDS = anyDepth(
  [
    'branch',
    'ref',
    'base',
    'target',
    'refspec',
    ...['target_branch', 'base_branch', 'destination_branch', 'dest_branch', 'branch_name', 'target_ref'],
  ].flatMap(name => [name, name.replaceAll('_', '')]),
)

/** Branches that nobody but people change. Reading them is fine. */
export const protectBranches = defineRule({
  name: 'protect_branches',
  params: { ...fieldParams, branches: listOf(someText).default(['main', 'master', 'release/*']) },
  compile: params => {
    const fields = readFields(params, BRANCH_FIELDS)
    const isProtected = compileGlobs(params.branches.map(foldLookAlikes))
    return reading => {
      if (reading.facts.tool.variant === 'call_tool_read') return undefined
      for (const { path, value } of reading.texts(fields)) {
        if (value.trim() === '') continue
        const branches = readBranches(reading.fold(value), reading)
        if (branches === undefined) return { field: path, text: 'may name a protected branch' }
        if (branches.some(isProtected)) return { field: path, text: 'names a protected branch' }
      }
      return undefined
    }
  },
})

const REPO_FIELDS = anyDepth([
  'repo',
  'repository',
  'repo_name',
  'repository_name',
  'full_name',
  'repo_url',
  'repository_url',
])
const OWNER_FIELDS = anyDepth(['owner', 'org', 'organization', 'namespace', 'workspace'])

/**
 * The only repositories a call may name. One that cannot be read is refused. On another host anybody can have an owner of
 * the same name, so links lead to the hosts of the rule only.
 */
export const allowRepos = defineRule({
  name: 'allow_repos',
  params: {
    ...fieldParams,
    owner_field: z.string().min(1).max(200).optional(),
    repos: listOf(
      z.string().regex(/^[\w.*-]+\/[\w.*-]+$/, {
        error: 'this is no repository',
      }),
    ),
    hosts: listOf(z.string().regex(/^[\w.-]+$/, { error: 'this is no host' })).default(['github.com']),
  },
  compile: params => {
    const fields = readFields(params, REPO_FIELDS)
    const owners = readFields({ field: params.owner_field }, OWNER_FIELDS)
    const hosts = new Set(params.hosts.map(host => host.toLowerCase()))
    const isAllowed = createRepositorySet(params.repos.map(repo => repo.toLowerCase()))
    return reading => {
      const leaves = reading.leaves(fields)
      const given =
        leaves.length === 0 ? [] : distinct(reading.leaves(owners).map(({ value }) => String(value)))
      const seen = new Set<unknown>()
      for (const { path, value } of leaves) {
        if (seen.has(value)) continue
        seen.add(value)
        if (seen.size * Math.max(1, given.length) > MOST_REPOSITORIES)
          return { field: path, text: `is one of more than ${MOST_REPOSITORIES} repositories` }
        const read = readRepository(String(value), given)
        if (read === undefined) return { field: path, text: 'cannot be read as owner/repository' }
        if (read.host !== undefined && !hosts.has(read.host))
          return { field: path, text: 'leads to a host that is not on the list of hosts' }
        if (!read.names.every(isAllowed))
          return { field: path, text: 'names a repository that is not on the list of allowed ones' }
      }
      return undefined
    }
  },
})

/** Every name with every owner: more of them are not looked at. */
const MOST_REPOSITORIES = 10_000

function distinct(texts: readonly string[]): readonly string[] {
  return Array.from(new Set(texts))
}

/** Owner and name apart, so that no star reaches over the slash. */
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
