import { existsSync } from 'node:fs'
import { attempt } from '../base/attempt.ts'
import { readRegularFile } from '../base/read-regular-file.ts'
import type { Address } from '../config/schema/listen.ts'
import { findOrphans } from '../upstream/stdio/orphans.ts'
import {
  checkDisks,
  checkHome,
  checkLeftovers,
  checkOrphans,
  checkPermissions,
  type FileFacts,
  type FilePlaces,
  findLeftovers,
  inspectFiles,
  measureDisks,
} from './check-files.ts'
import { checkPort, probePort } from './check-port.ts'
import { checkSecrets } from './check-secrets.ts'
import type { DoctorFinding } from './finding.ts'

interface MachinePlaces extends FilePlaces {
  /** The address to listen on, from the config; undefined if the config could not be read. */
  readonly listen?: Address | undefined
}

export async function examineMachine(places: MachinePlaces, now: number): Promise<readonly DoctorFinding[]> {
  const { home, store, listen } = places
  const files = inspectFiles(places)
  return [
    ...(listen === undefined ? [] : checkPort(await probePort(listen, store))),
    ...checkHome(home, existsSync(home)),
    ...checkPermissions(files),
    ...lookForSecrets(places, files),
    ...checkLeftovers(findLeftovers(places, now)),
    ...checkOrphans(home, findOrphans(home).flatMap(({ groups }) => groups).length),
    ...checkDisks(measureDisks([...(store === undefined ? [] : [store]), home])),
    ...checkNode(process.versions.node, now),
  ]
}

const OTHERS_READ = 0o044

function lookForSecrets({ config }: FilePlaces, files: readonly FileFacts[]): readonly DoctorFinding[] {
  if (config === undefined) return []
  const mode = files.find(({ role }) => role === 'config')?.mode ?? 0
  // A config that cannot be read is skipped here, because loading it reports the problem.
  const text = attempt(() =>
    readRegularFile(config)
      .toString()
      .replace(/^\uFEFF/, ''),
  )
  if (text === undefined) return []
  return checkSecrets({ file: config, text, isReadByOthers: (mode & OTHERS_READ) !== 0 })
}

/**
 * The dates on which the security fixes for each Node release line end, from
 * https://github.com/nodejs/release#release-schedule.
 */
const ENDS: Readonly<Record<number, string>> = { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30' }

/**
 * Reports a Node version that no longer gets security fixes. A version too old to run Hintgate never reaches this
 * check, because `bin/hintgate.js` refuses it.
 */
export function checkNode(version: string, now: number): readonly DoctorFinding[] {
  const major = Number(version.split('.')[0])
  const end = ENDS[major]
  if (end === undefined || now <= Date.parse(end)) return []
  const newer = Object.entries(ENDS).findLast(([, ends]) => now <= Date.parse(ends))?.[0]
  const text = `Node ${version} has received no security fixes since ${end}`
  const fix = `install Node ${newer ?? 'LTS'} or newer: https://nodejs.org/en/download`
  return [{ code: 'node_old', level: 'info', text, fix }]
}
