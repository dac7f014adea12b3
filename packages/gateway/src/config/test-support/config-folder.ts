import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import type { Problem } from '../../base/errors/problem.ts'
import { hasCode } from '../../base/errors.ts'
import type { ServerConfig } from '../config.ts'
import { type Flags, type LoadedConfig, loadConfig } from '../load-config.ts'

export interface LoadSettings {
  readonly env?: NodeJS.ProcessEnv
  readonly flags?: Flags
  readonly path?: string
}

/** A new folder for every test. It holds `hintgate.json`. */
export let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hintgate-config-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

export function load({ env = {}, flags, path }: LoadSettings = {}): LoadedConfig {
  return loadConfig({ path, env, flags, cwd: folder, homeDir: join(folder, 'me') })
}

export function write(text: string, name = 'hintgate.json'): void {
  writeFileSync(join(folder, name), text)
}

export function loadText(text: string | object, setting: LoadSettings = {}): LoadedConfig {
  write(typeof text === 'string' ? text : JSON.stringify(text, null, 2))
  return load(setting)
}

export function problemsOf(text: string | object, setting: LoadSettings = {}): readonly Problem[] {
  try {
    loadText(text, setting)
  } catch (error) {
    if (hasCode(error, 'config_invalid')) return error.payload.problems
    throw error
  }
  return []
}

/** Returns the config's only problem, in one line. */
export function onlyProblem(text: string | object): string {
  const [problem, ...more] = problemsOf(text)
  expect(more).toEqual([])
  return problem === undefined ? 'none' : `${problem.path}: ${problem.message} → ${problem.fix}`
}

export function serverOf(fields: object, setting: LoadSettings = {}): ServerConfig {
  const [server] = loadText({ mcpServers: { crm: fields } }, setting).config.servers
  if (server === undefined) throw new Error('no server')
  return server
}
