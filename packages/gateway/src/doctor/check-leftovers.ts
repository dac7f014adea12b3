import type { DoctorFinding } from './finding.ts'
import { commandOf, type Repair } from './repair.ts'

export function checkLeftovers(paths: readonly string[]): readonly DoctorFinding[] {
  return paths.map(path => {
    const repair: Repair = { does: 'remove', path }
    const text = `${path} was left behind by a process that was killed; nothing needs it`
    return { code: 'leftover', level: 'info', text, fix: commandOf(repair), repair }
  })
}

/** Processes count as left behind like files: whoever started them was killed, and nobody else will end them. */
export function checkOrphans(home: string, groups: number): readonly DoctorFinding[] {
  if (groups === 0) return []
  const repair: Repair = { does: 'end processes', home }
  const text = `${groups === 1 ? 'one server' : `${groups} servers`} of a gateway that was killed still ${groups === 1 ? 'runs' : 'run'}; the next start ends ${groups === 1 ? 'it' : 'them'}`
  return [{ code: 'leftover', level: 'info', text, fix: commandOf(repair), repair }]
}

/** Without it nothing has been started here yet, and the first start makes it. */
export function checkHome(home: string, isThere: boolean): readonly DoctorFinding[] {
  if (isThere) return []
  const repair: Repair = { does: 'mkdir', path: home }
  const text = `there is no ${home} yet; the first start makes it`
  return [{ code: 'home_missing', level: 'info', text, fix: commandOf(repair), repair }]
}
