import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isGone, markProcess } from '../../base/process-mark.ts'
import { endProcessGroup, type GroupRecord, RECORDS } from './process-groups.ts'

/** Process groups that were left behind when their gateway was killed. */
export interface Orphans {
  readonly file: string
  /** Groups in which at least one process was started by the gateway. */
  readonly groups: readonly number[]
}

const GRACE_MS = 1000

/** Finds the process groups of gateways that no longer run, using the records in this home. */
export function findOrphans(home: string): readonly Orphans[] {
  const folder = join(home, RECORDS)
  const here = markProcess()
  return namesIn(folder)
    .filter(name => name.endsWith('.json'))
    .flatMap(name => {
      const file = join(folder, name)
      const record = readRecord(file)
      if (record === undefined) return []
      // After a reboot, none of these processes exist any more. Those of another container are not visible from here.
      if (bootOf(record.place) !== bootOf(here.place)) return [{ file, groups: [] }]
      const now = Date.now()
      if (record.place !== here.place || !isGone({ ...record, seenAt: now }, here, now)) return []
      return [{ file, groups: groupsOf(record) }]
    })
}

/** Ends the orphaned groups, and returns how many there were. */
export async function endOrphans(home: string): Promise<number> {
  const found = findOrphans(home)
  const groups = found.flatMap(orphans => orphans.groups)
  await Promise.all(groups.map(group => endProcessGroup(group, GRACE_MS)))
  for (const { file } of found) rmSync(file, { force: true })
  return groups.length
}

function groupsOf({ groups, seen }: GroupRecord): readonly number[] {
  const members = listMembers()
  return groups
    .filter(({ pid, start }) => {
      // The process id has been reused by a different process.
      if (members.some(member => member.pid === pid && member.start !== Number(start))) return false
      return members.some(member => isWithin(member, pid) && (member.pid === pid || member.start <= seen))
    })
    .map(({ pid }) => pid)
}

interface Member {
  readonly pid: number
  readonly group: number
  readonly session: number
  /** The start time of the process, in clock ticks since boot. */
  readonly start: number
}

/**
 * Returns true if a process belongs to a server's group. Each server has its own process session, which no outside
 * process can join, so every member that started before the gateway was killed is the server's.
 */
function isWithin({ group, session }: Member, pid: number): boolean {
  return group === pid && session === pid
}

function listMembers(): readonly Member[] {
  return namesIn('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      const stat = read(`/proc/${name}/stat`)
      // The program's name is in brackets and can contain any text, so the fields are counted from the last closing
      // bracket.
      const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
      const [state, , group, session] = fields
      if (group === undefined || state === 'Z') return []
      return [
        { pid: Number(name), group: Number(group), session: Number(session), start: Number(fields[19]) },
      ]
    })
}

function readRecord(file: string): GroupRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as GroupRecord
    // For signals, the ids 0 and 1 have special meanings and never name one of the gateway's groups.
    return record.groups.every(({ pid }) => Number.isInteger(pid) && pid > 1) ? record : undefined
  } catch {
    return undefined
  }
}

function bootOf(place: string): string | undefined {
  return place.split(' ')[0]
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
