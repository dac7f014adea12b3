import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { assessTool } from '@hintgate/metadata'
import { HintgateError } from '../../base/errors.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import type { HijackedRun, Hijacks } from './hijacks.ts'

/** The folder, in the gateway's home, where recorded attacks are looked for. */
const HIJACKS_FOLDER = 'hijacks'

/** Reads the recorded attacks in the gateway's home; undefined if there are none. */
export function readOwnHijacks(home: string): Hijacks | undefined {
  const folder = join(home, HIJACKS_FOLDER)
  return existsSync(folder) ? readHijacks(folder) : undefined
}

/**
 * Reads recorded runs of hijacked agents: a folder with one folder for each suite, with `tools.jsonl` and `cases.jsonl`
 * in it, or the same with `.gz`. The attacker's steps have `"by": "attacker"` (docs/fewer-questions.md).
 */
export function readHijacks(folder: string): Hijacks {
  const suites = listFolders(folder).flatMap(suite => {
    const cases = readLines(join(suite, 'cases.jsonl'))
    return cases === undefined ? [] : [{ cases, tools: readLines(join(suite, 'tools.jsonl')) ?? [] }]
  })
  if (suites.length === 0)
    throw new HintgateError('flag_invalid', {
      flag: '--hijacks',
      why: `${folder} has no folder with cases.jsonl or cases.jsonl.gz in it`,
    })
  const reads = suites.flatMap(({ tools }) => tools.filter(onlyReads).map(({ name }) => String(name)))
  return { runs: suites.flatMap(({ cases }) => cases.flatMap(toRun)), reads: new Set(reads) }
}

function listFolders(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => join(folder, name))
      .toSorted()
  } catch {
    return []
  }
}

function readLines(path: string): readonly Json[] | undefined {
  const file = [path, `${path}.gz`].find(existsSync)
  if (file === undefined) return undefined
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  return text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line) as unknown)
    .filter(isJsonObject)
}

function onlyReads(tool: Json): boolean {
  return assessTool(tool).inferred.readOnly?.value ?? false
}

function toRun({ kind, steps }: Json): readonly HijackedRun[] {
  if (kind !== 'hijacked' || !Array.isArray(steps)) return []
  const attackers = steps.filter(isJsonObject).filter(({ by }) => by === 'attacker')
  return [
    {
      steps: attackers.map(({ tool, args }) => ({
        tool: String(tool),
        args: isJsonObject(args) ? args : {},
      })),
    },
  ]
}
