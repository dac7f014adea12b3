import type { DoctorFinding } from './finding.ts'
import { commandOf, type Repair } from './repair.ts'

export function checkLeftovers(paths: readonly string[]): readonly DoctorFinding[] {
  return paths.map(path => {
    const repair: Repair = { does: 'remove', path }
    const text = `${path} was left behind by a process that was killed; nothing needs it`
    return { code: 'leftover', level: 'info', text, fix: commandOf(repair), repair }
  })
}

/** Without it nothing has been started here yet, and the first start makes it. */
export function checkHome(home: string, isThere: boolean): readonly DoctorFinding[] {
  if (isThere) return []
  const repair: Repair = { does: 'mkdir', path: home }
  const text = `there is no ${home} yet; the first start makes it`
  return [{ code: 'home_missing', level: 'info', text, fix: commandOf(repair), repair }]
}
