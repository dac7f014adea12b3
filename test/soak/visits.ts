import { call, openProcess, openSession, readLate } from './polite-visits.ts'
import { cancel, choke, halfOpen, subscribe } from './rude-visits.ts'
import type { Scene } from './scene.ts'

type Visit = (scene: Scene, dueAt: number) => Promise<void>

/** The kinds of visits, and how many of a thousand are of each. */
const VISITS: Readonly<Record<string, readonly [Visit, number]>> = {
  calls: [call, 830],
  sessions: [openSession, 100],
  'calls cancelled': [cancel, 30],
  'half-open connections': [halfOpen, 15],
  'streams not read': [subscribe, 10],
  'lists asked for': [readLate, 8],
  'sessions with a process': [openProcess, 4],
  'slow readers': [choke, 3],
}
const OF = Object.values(VISITS).reduce((sum, [, share]) => sum + share, 0)

/** Runs one visit. Any error counts as a lost answer. */
export async function visit(scene: Scene, dueAt: number): Promise<void> {
  let at = scene.random() * OF
  for (const [name, [go, share]] of Object.entries(VISITS)) {
    at -= share
    if (at >= 0) continue
    scene.tally.count(name)
    return go(scene, dueAt).catch((error: unknown) => void scene.tally.lost.push(`${name}: ${String(error)}`))
  }
}
