import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { attempt } from '../../base/attempt.ts'
import { createFolder } from '../../base/create-folder.ts'
import { readRegularFile } from '../../base/read-regular-file.ts'
import { writeAtomically } from '../../config/edit/edit-config.ts'
import { parsePolicies } from '../../policy/rules/parse-policies.ts'
import { readPolicyFiles } from '../../policy/rules/read-policy-files.ts'
import type { PolicyFile } from '../../policy/rules/read-yaml.ts'
import { matchesGlob } from '../../scope/match-scope.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { etagOf } from '../http/handler.ts'
import { AdminProblem, toDetail } from '../http/problem.ts'
import { ConfigFile } from './config-file.ts'

const BUNDLED = new URL('../../../policies/', import.meta.url)
/** The pattern to add to a config that names no policy files, when the first one is saved. */
const USUAL = 'policies/*.yaml'
/** The etag of a file that does not exist yet. */
const NEW = 'new'

export class PolicyFiles {
  readonly #deps: AdminDeps

  constructor(deps: AdminDeps) {
    this.#deps = deps
  }

  read() {
    const { config, place } = this.#deps
    return readPolicyFiles(config().policies, place.folder)
  }

  readWith(others: readonly PolicyFile[]): readonly PolicyFile[] {
    const given = new Set(others.map(({ path }) => path))
    return [...this.read().files.filter(({ path }) => !given.has(path)), ...others]
  }

  compile(files: readonly PolicyFile[]) {
    const parsed = parsePolicies(files, { fallback: this.#deps.config().policyDefault })
    if (parsed.problems.length > 0)
      throw new AdminProblem(
        'refused',
        'The policies cannot be loaded with this change.',
        parsed.problems.map(toDetail),
      )
    return parsed
  }

  etagOf(path: string): string {
    const file = this.read().files.find(known => known.path === path)
    return file === undefined ? NEW : etagOf(file.text)
  }

  /** Returns a path at which a file with this name would be loaded: one that a pattern in the config matches. */
  placeFor(name: string): string {
    const { folder } = this.#deps.place
    const named = this.#deps.config().policies
    const patterns = named.length > 0 ? named : [USUAL]
    const paths = [join(dirname(USUAL), name), ...patterns.map(pattern => join(dirname(pattern), name))]
    const path = paths.find(one =>
      patterns.some(pattern => fits(resolve(folder, pattern), resolve(folder, one))),
    )
    if (path !== undefined) return path
    throw new AdminProblem(
      'refused',
      `No pattern in "policies" matches a new file: ${patterns.join(', ')}. Add ${join(dirname(USUAL), name)} to it.`,
    )
  }

  /** Writes a policy file, but only if all policies can be loaded with it. */
  async save(path: string, text: string): Promise<void> {
    const isNamed = this.#deps.config().policies.length > 0
    const file = this.#locate(path, isNamed ? this.#deps.config().policies : [USUAL])
    this.compile(this.readWith([{ path, text }]))
    const before = attempt(() => readRegularFile(file).toString())
    createFolder(dirname(file))
    writeAtomically(file, text)
    try {
      if (isNamed) await this.#deps.place.reload()
      else await new ConfigFile(this.#deps).edit([{ path: ['policies'], value: [USUAL] }])
    } catch (error) {
      if (before !== undefined) writeAtomically(file, before)
      throw error
    }
  }

  /**
   * Resolves a policy file's path. However the path is written, the resolved path must match a pattern in the config.
   */
  #locate(path: string, patterns: readonly string[]): string {
    const { folder } = this.#deps.place
    const file = resolve(folder, path)
    const isMeant = patterns.some(pattern => fits(resolve(folder, pattern), file))
    if (isMeant && /\.ya?ml$/.test(file)) return file
    throw new AdminProblem(
      'refused',
      `The policy file ${path} does not match the patterns in the config: ${patterns.join(', ')}.`,
    )
  }
}

/** True if a path matches a pattern. They are compared by segment, because a star must not match across folders. */
function fits(pattern: string, file: string): boolean {
  const [steps, parts] = [pattern.split(sep), file.split(sep)]
  return (
    steps.length === parts.length &&
    steps.every((step, at) => matchesGlob(step, parts[at] ?? '')) &&
    !basename(file).startsWith('.')
  )
}

export function readBundled(): readonly PolicyFile[] {
  const read = (path: string) => ({ path, text: readFileSync(new URL(path, BUNDLED), 'utf8') })
  const names = () => readdirSync(BUNDLED).filter(name => name.endsWith('.yaml'))
  return attempt(() => names().map(read)) ?? []
}
