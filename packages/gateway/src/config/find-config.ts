import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const CONFIG_FILE = 'hintgate.json'

export interface Whereabouts {
  /** From `--config`. */
  readonly path?: string | undefined
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly home: string
}

/** The config file that counts. One that was named must be there; the usual places are tried in order. */
export function findConfig({ path, env, cwd, home }: Whereabouts): string | undefined {
  const named = path ?? (env.HINTGATE_CONFIG || undefined)
  if (named !== undefined) return resolve(cwd, named)
  return [join(cwd, CONFIG_FILE), join(home, CONFIG_FILE)].find(file => existsSync(file))
}
