import { existsSync } from 'node:fs'
import { readRegularFile } from '../base/read-regular-file.ts'
import type { Address } from '../config/schema/listen.ts'
import { findOrphans } from '../upstream/stdio/orphans.ts'
import { checkDisks } from './check-disk.ts'
import { checkHome, checkLeftovers, checkOrphans } from './check-leftovers.ts'
import { checkNode } from './check-node.ts'
import { checkPermissions, type FileFacts } from './check-permissions.ts'
import { checkPort } from './check-port.ts'
import { checkSecrets } from './check-secrets.ts'
import { findLeftovers } from './find-leftovers.ts'
import type { DoctorFinding } from './finding.ts'
import { type FilePlaces, inspectFiles } from './inspect-files.ts'
import { measureDisks } from './measure-disks.ts'
import { probePort } from './probe-port.ts'

export interface MachinePlaces extends FilePlaces {
  /** Absent: the config could not be read, so nobody knows. */
  readonly listen?: Address | undefined
}

/** Runs every check of what is around the gateway: files and their rights, the port, the disk, Node. */
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
  try {
    const text = readRegularFile(config)
      .toString()
      .replace(/^\uFEFF/, '')
    return checkSecrets({ file: config, text, isReadByOthers: (mode & OTHERS_READ) !== 0 })
  } catch {
    // That it cannot be read is told by whoever loads it.
    return []
  }
}
