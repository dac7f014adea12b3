// Reads the sources of all packages but the console, and what imports what in them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cruise } from 'dependency-cruiser'
import { ROOT } from './ready.mjs'

const { rooms: ROOMS, ...RULES } = JSON.parse(readFileSync(join(ROOT, 'boundaries.json'), 'utf8'))

/** The rooms of the gateway, from what everybody stands on to what stands on everybody. */
export const rooms = ROOMS

const OPTIONS = {
  baseDir: ROOT,
  ruleSet: RULES,
  validate: true,
  // TypeScript 7 has no parser that the cruiser could use; without another one it would see nothing.
  parser: 'swc',
  tsPreCompilationDeps: true,
  includeOnly: { path: '^(packages|bench|node_modules)/|^node:' },
  // The parser ends the process at a file with JSX in it; boundaries.mjs looks at the console by itself.
  exclude: { path: '^packages/gateway/bin|^packages/console/' },
  doNotFollow: { path: 'node_modules|/dist/' },
}
const RESOLUTION = { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] }
const CRUISED = ['metadata', 'toolkit', 'agent', 'gateway'].map(name => `packages/${name}/src`)

export async function cruiseSources() {
  const { output } = await cruise([...CRUISED, 'bench/src'], OPTIONS, RESOLUTION)
  return output
}
