import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { renderPolicyProblems } from '../../base/errors/policy-problem.ts'
import { type Path, renderProblems } from '../../base/errors/problem.ts'
import { HintgateError, hasCode } from '../../base/errors.ts'
import type { LoadedConfig } from '../../config/load-config.ts'
import type { Store } from '../../store/store.ts'

export interface PlaceFlags {
  readonly config?: string
  readonly home?: string
  readonly store?: string
}

export interface CommonFlags extends PlaceFlags {
  readonly json?: boolean
}

export interface ClientFlags extends CommonFlags {
  readonly url?: string
  readonly token?: string
  readonly as?: string
}

export interface Context extends LoadedConfig {
  readonly store: Store
}

interface Needs {
  /** True for parts of the config that the command does not need, so that missing secrets there are ignored. */
  readonly skip?: ((path: Path) => boolean) | undefined
}

/** Loads the config. Heavy modules are imported only when needed, so that commands start fast. */
export async function loadHere({
  config: path,
  home,
  store,
  skip,
}: PlaceFlags & Needs): Promise<LoadedConfig> {
  const { loadConfig } = await import('../../config/load-config.ts')
  const places = { env: process.env, cwd: process.cwd(), homeDir: homedir() }
  return loadConfig({ path, ...places, flags: { home, store }, skip })
}

export async function withStore<T>(
  flags: PlaceFlags & Needs,
  action: (context: Context) => Promise<T>,
): Promise<T> {
  const loaded = await loadHere(flags)
  const { openStore } = await import('../../store/open/open-store.ts')
  const store = await openStore(loaded.config.store)
  try {
    return await action({ ...loaded, store })
  } finally {
    await store.close()
  }
}

/** Runs an action that needs only the store. The secrets of servers and agents are allowed to be missing. */
export function withDecisions<T>(flags: PlaceFlags, action: (context: Context) => Promise<T>): Promise<T> {
  return withStore({ ...flags, skip: allBut('store') }, action)
}

/** Skips every section of the config except these, so that missing secrets in the others are no problem. */
export function allBut(...sections: readonly string[]): (path: Path) => boolean {
  return ([section]) => !sections.some(wanted => wanted === section)
}

/** Reports unhandled rejections instead of letting them end the process, because that would end all calls in it. */
export function surviveFaults(
  say = (line: string): void => void process.stderr.write(`hintgate: ${line}\n`),
): void {
  process.on('unhandledRejection', error => {
    say(`internal error: ${error instanceof Error ? error.stack : String(error)}`)
  })
}

export function renderError(error: HintgateError): string {
  return `${renderProblem(error)}  more: hintgate explain ${error.code}\n`
}

function renderProblem(error: HintgateError): string {
  if (hasCode(error, 'config_invalid')) return renderProblems(error.payload.file, error.payload.problems)
  if (hasCode(error, 'policy_invalid')) return renderPolicyProblems(error.payload.problems)
  return `hintgate: ${error.message}\n  fix: ${error.remedy}\n`
}

export function invalidFlag(flag: string, why: string): HintgateError {
  return new HintgateError('flag_invalid', { flag, why })
}

/** Reads a gateway's URL. The URL of one of its surfaces works too. */
export function readGatewayUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw invalidFlag('--url', 'expected an address such as http://127.0.0.1:4428')
  return `${url.origin}${url.pathname.replace(/(?:\/mcp(?:\/direct)?)?\/*$/, '')}`
}

export function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return manifest.version
}
