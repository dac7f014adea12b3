import { homedir } from 'node:os'
import { type Command, Option } from 'commander'
import { renderPolicyProblems } from '../../base/errors/policy-problem.ts'
import { type Path, renderProblems } from '../../base/errors/problem.ts'
import { HintgateError, hasCode } from '../../base/errors.ts'
import type { LoadedConfig } from '../../config/load-config.ts'
import type { Store } from '../../store/store.ts'
import { EXIT } from './output.ts'

/**
 * Where a command finds the config, Hintgate's folder and the store. Heavy modules are loaded when they are
 * needed.
 */
export interface PlaceFlags {
  readonly config?: string
  readonly home?: string
  readonly store?: string
}

export interface Context extends LoadedConfig {
  readonly store: Store
}

export function addPlaceOptions(command: Command): Command {
  return command
    .option(
      '-c, --config <file>',
      'config file (default: $HINTGATE_CONFIG, ./hintgate.json, then the home folder)',
    )
    .option('--home <folder>', "Hintgate's own folder (default: ~/.hintgate)")
    .option('--store <url>', 'store to use instead of the one in the config')
}

/**
 * Whoever types `--config` and `--home` behind everything, with a shell function say, is not refused by a command
 * that needs neither.
 */
export function completePlaceOptions(command: Command): void {
  for (const child of command.commands) completePlaceOptions(child)
  if (command.commands.length > 0) return
  const needless = 'taken by every command; this one does without'
  for (const option of [new Option('-c, --config <file>', needless), new Option('--home <folder>', needless)])
    if (!command.options.some(({ long }) => long === option.long)) command.addOption(option)
}

interface Needs {
  /** Parts of the config that the command does not need; secrets missing there are no problem. */
  readonly skip?: (path: Path) => boolean
}

/** Loads the config from the usual places of this process. */
async function loadContextConfig(flags: PlaceFlags, { skip }: Needs = {}): Promise<LoadedConfig> {
  const { loadConfig } = await import('../../config/load-config.ts')
  const { config: path, home, store } = flags
  return loadConfig({
    path,
    env: process.env,
    cwd: process.cwd(),
    homeDir: homedir(),
    flags: { home, store },
    skip,
  })
}

/** Runs an action with the store open, and closes it whatever happens. */
export async function withStore<T>(
  flags: PlaceFlags & Needs,
  action: (context: Context) => Promise<T>,
): Promise<T> {
  const loaded = await loadContextConfig(flags, flags)
  const { openStore } = await import('../../store/open/open-store.ts')
  const store = await openStore(loaded.config.store)
  try {
    return await action({ ...loaded, store })
  } finally {
    await store.close()
  }
}

/** A promise that nobody waited for must not take everything else down with it. */
export function surviveFaults(
  say = (line: string): void => void process.stderr.write(`hintgate: ${line}\n`),
): void {
  process.on('unhandledRejection', error => {
    say(`a fault of ours: ${error instanceof Error ? error.stack : String(error)}`)
  })
}

/**
 * Says on standard error what went wrong and what to do; gives the exit code. What is no known error is
 * thrown on.
 */
export function reportError(error: unknown): number {
  if (!(error instanceof HintgateError)) throw error
  process.stderr.write(renderError(error))
  return error.exit
}

export function renderError(error: HintgateError): string {
  return `${renderProblem(error)}  more: hintgate explain ${error.code}\n`
}

function renderProblem(error: HintgateError): string {
  if (hasCode(error, 'config_invalid')) return renderProblems(error.payload.file, error.payload.problems)
  if (hasCode(error, 'policy_invalid')) return renderPolicyProblems(error.payload.problems)
  return `hintgate: ${error.message}\n  fix: ${error.remedy}\n`
}

/** For commands that need nothing but what the store holds: the secrets of servers and agents need not be at hand. */
export async function withDecisions(
  flags: PlaceFlags,
  action: (context: Context) => Promise<unknown>,
): Promise<void> {
  try {
    const code: unknown = await withStore({ ...flags, skip: ([section]) => section !== 'store' }, action)
    process.exitCode = typeof code === 'number' ? code : EXIT.done
  } catch (error) {
    process.exitCode = reportError(error)
  }
}
