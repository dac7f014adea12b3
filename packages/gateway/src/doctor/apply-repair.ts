import { chmodSync, rmSync } from 'node:fs'
import { createFolder } from '../base/create-folder.ts'
import { openStore } from '../store/open/open-store.ts'
import { endOrphans } from '../upstream/stdio/orphans.ts'
import type { Repair } from './repair.ts'

/** Mends one thing. Undefined: it is done; else why it could not be. */
export async function applyRepair(repair: Repair, now: number): Promise<string | undefined> {
  try {
    await carryOut(repair, now)
    return undefined
  } catch (error) {
    return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error)
  }
}

async function carryOut(repair: Repair, now: number): Promise<void> {
  switch (repair.does) {
    case 'chmod':
      return chmodSync(repair.path, repair.mode)
    case 'mkdir':
      createFolder(repair.path, 0o700)
      return
    case 'remove':
      // Whoever was at it in the meantime has removed it.
      return rmSync(repair.path, { force: true })
    case 'forget results':
      return forgetResults(repair.store, now)
    case 'end processes':
      await endOrphans(repair.home)
      return
  }
}

async function forgetResults(url: string, now: number): Promise<void> {
  const store = await openStore(url)
  try {
    await store.results.removeExpired(now)
  } finally {
    await store.close()
  }
}
