// Reads the imports of all packages but the console.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cruise } from 'dependency-cruiser'
import { ROOT } from './ready.mjs'

const { rooms: ROOMS, ...RULES } = JSON.parse(readFileSync(join(ROOT, 'boundaries.json'), 'utf8'))

/** The rooms of the gateway, in order: each may use only rooms before it. */
export const rooms = ROOMS

const OPTIONS = {
  baseDir: ROOT,
  ruleSet: RULES,
  validate: true,
  // dependency-cruiser cannot parse with TypeScript 7, and without another parser it would read nothing.
  parser: 'swc',
  tsPreCompilationDeps: true,
  includeOnly: { path: '^(packages|bench|node_modules)/|^node:' },
  // The parser crashes on JSX, so boundaries.mjs checks the console itself.
  exclude: { path: '^packages/gateway/bin|^packages/console/' },
  doNotFollow: { path: 'node_modules|/dist/' },
}
const RESOLUTION = { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] }
const CRUISED = ['metadata', 'toolkit', 'agent', 'gateway'].map(name => `packages/${name}/src`)

export async function cruiseSources() {
  const { output } = await cruise([...CRUISED, 'bench/src'], OPTIONS, RESOLUTION)
  return output
}
