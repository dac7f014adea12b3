import type { Home } from './home.ts'
import type { ToolkitFinding } from './toolkit-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

interface ReadEnv {
  readonly env: unknown
  readonly findings: readonly ToolkitFinding[]
}

/** Reads and checks the variables that a toolkit declares, and no others. */
export function readEnv({ name, env }: Home, environment: Environment): ReadEnv {
  if (env === undefined) return { env: {}, findings: [] }
  const { properties } = env.jsonSchema
  const wanted = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  const present = wanted.filter(variable => environment[variable] !== undefined)
  const verdict = env.check(Object.fromEntries(present.map(variable => [variable, environment[variable]])))
  if (verdict instanceof Promise) throw new TypeError('The schema of `env` must be synchronous.')
  if (verdict.issues === undefined) return { env: verdict.value, findings: [] }
  return {
    env: {},
    findings: verdict.issues.map(({ path, message }) => ({
      subject: name,
      code: 'env-invalid',
      level: 'error',
      path: path === '' ? 'env' : `env.${path}`,
      message,
      fix: 'Set the environment variable before you start the server.',
    })),
  }
}
