import type { DoctorFinding } from './finding.ts'

/** When a release line gets no more security fixes, https://github.com/nodejs/release#release-schedule */
const ENDS: Readonly<Record<number, string>> = { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30' }

/** That Node is new enough for us is seen before anything else is loaded, in `bin/hintgate.js`. */
export function checkNode(version: string, now: number): readonly DoctorFinding[] {
  const major = Number(version.split('.')[0])
  const end = ENDS[major]
  if (end === undefined || now <= Date.parse(end)) return []
  const newer = Object.entries(ENDS).findLast(([, ends]) => now <= Date.parse(ends))?.[0]
  return [
    {
      code: 'node_old',
      level: 'info',
      text: `Node ${version} works, but has had no security fixes since ${end}`,
      fix: `install Node ${newer ?? 'LTS'} or newer: https://nodejs.org/en/download`,
    },
  ]
}
