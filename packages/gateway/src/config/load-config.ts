import { dirname, join, resolve } from 'node:path'
import type { Node } from 'jsonc-parser'
import { type Complaint, type Path, type Problem, showPath } from '../base/errors/problem.ts'
import { HintgateError } from '../base/errors.ts'
import { readRegularFile } from '../base/read-regular-file.ts'
import { checkMeaning } from './check-meaning.ts'
import { buildConfig, type Config, type ConfigFolders } from './config.ts'
import { fillIn, noteFilled } from './fill-in.ts'
import { nearestNode, positionAt, readDocument } from './read-document.ts'
import { findConfig, resolveStore } from './resolve-path.ts'
import { checkNames, explainIssues } from './schema/explain-issue.ts'
import { configSchema } from './schema/schema.ts'
import type { Sources } from './sources.ts'

export interface LoadOptions {
  /** The path given with `--config`. */
  readonly path?: string | undefined
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly homeDir: string
  /** Command-line flags, which override the file. */
  readonly flags?: Flags | undefined
  readonly skip?: ((path: Path) => boolean) | undefined
  /** Records the config file before it is read, so that a reload notices changes. */
  readonly sources?: Sources | undefined
}

export interface Flags {
  readonly listen?: string | undefined
  readonly store?: string | undefined
  readonly behindProxy?: boolean | undefined
  /** The home folder; `~/.hintgate` by default. */
  readonly home?: string | undefined
}

export interface LoadedConfig {
  readonly config: Config
  /** The config file. Undefined if there is none; every key then has its default. */
  readonly path: string | undefined
  /** The home folder, which holds the secret key and the store. */
  readonly home: string
  /** The config file's folder, or the working folder without one. */
  readonly folder: string
  readonly locate: (complaint: Complaint) => Problem
}

/** Loads the config. Throws `config_invalid` with all problems. */
export function loadConfig(options: LoadOptions): LoadedConfig {
  const home = findHome(options)
  const path = findConfig({ ...options, home })
  if (path !== undefined) options.sources?.note([path])
  const text = path === undefined ? '{}' : readText(path)
  const folder = path === undefined ? options.cwd : dirname(path)
  const read = readConfig(text, { ...options, folder, home })
  if (read.problems.length > 0 || read.config === undefined)
    throw new HintgateError('config_invalid', { file: path ?? 'command line', problems: read.problems })
  const { root } = readDocument(text)
  return { config: read.config, path, home, folder, locate: complaint => locate(complaint, text, root) }
}

function findHome({ cwd, homeDir, flags }: Pick<LoadOptions, 'cwd' | 'homeDir' | 'flags'>): string {
  return flags?.home === undefined ? join(homeDir, '.hintgate') : resolve(cwd, flags.home)
}

function readText(path: string): string {
  try {
    return readRegularFile(path)
      .toString()
      .replace(/^\uFEFF/, '')
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code
    const message = why === 'ENOENT' ? 'the file does not exist' : `the file cannot be read (${why})`
    const fix = 'give the path of a readable file with --config or $HINTGATE_CONFIG'
    throw new HintgateError('config_invalid', {
      file: path,
      problems: [{ path: '', line: 1, column: 1, message, fix }],
    })
  }
}

/** Checks a text as if it were the config file at a path, without writing it. */
export function checkConfigText(text: string, path: string, options: LoadOptions): Read {
  const folders = { folder: dirname(path), home: findHome(options) }
  return readConfig(text.replace(/^\uFEFF/, ''), { ...options, ...folders })
}

type ReadContext = LoadOptions & ConfigFolders

interface Read {
  readonly config?: Config
  readonly problems: readonly Problem[]
}

function readConfig(text: string, context: ReadContext): Read {
  const { root, complaints } = readDocument(text)
  const isBlank = root === undefined && text.trim() === ''
  if (complaints.length > 0 || root === undefined) {
    const blank = { path: [], message: 'the file is empty', fix: 'write at least {}' }
    return { problems: (isBlank ? [blank] : complaints).map(one => locate(one, text, root)) }
  }
  const filled = fillIn(root, context)
  const value = applyFlags(filled.value, context)
  const parsed = configSchema.safeParse(value)
  const config = parsed.success ? noteFilled(buildConfig(parsed.data, context), filled.filled) : undefined
  const found = [
    ...filled.complaints,
    ...[
      ...checkNames(value),
      ...explainIssues(parsed.error?.issues ?? [], value),
      ...(config ? checkMeaning(config, { isPartial: context.skip !== undefined }) : []),
    ]
      // A value that depends on a missing variable is not checked any further.
      .filter(({ path }) => !filled.unfilled.has(JSON.stringify(path))),
  ]
  const problems = found.map(one => blameFlag(locate(one, text, root), context))
  return {
    ...(config && { config }),
    problems: problems.sort((a, b) => a.line - b.line || a.column - b.column),
  }
}

/**
 * Applies flags and environment variables. A flag takes precedence over the file, and the file over the environment.
 * Values from all three pass the same checks.
 */
function applyFlags(value: unknown, { flags, cwd, homeDir, env }: ReadContext): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const advertise = env.HINTGATE_ADVERTISE
  return {
    ...(advertise && { advertise }),
    ...value,
    ...(flags?.listen !== undefined && { listen: flags.listen }),
    ...(flags?.store !== undefined && { store: resolveStore(flags.store, { folder: cwd, homeDir }) }),
    ...(flags?.behindProxy !== undefined && { behindProxy: flags.behindProxy }),
  }
}

function locate(complaint: Complaint, text: string, root: Node | undefined): Problem {
  const { path, message, fix, aboutKey } = complaint
  const node = root && nearestNode(root, path, aboutKey)
  return { path: showPath(path), ...positionAt(text, complaint.offset ?? node?.offset ?? 0), message, fix }
}

function blameFlag(problem: Problem, { flags }: ReadContext): Problem {
  const isFlag =
    (problem.path === 'listen' && flags?.listen !== undefined) ||
    (problem.path === 'store' && flags?.store !== undefined)
  return isFlag ? { ...problem, path: `--${problem.path}`, line: 1, column: 1 } : problem
}
