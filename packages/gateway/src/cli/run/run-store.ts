import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { HintgateError } from '../../base/errors.ts'
import { loadConfig } from '../../config/load-config.ts'
import { resolveStore } from '../../config/resolve-path.ts'
import { migrateStore } from '../../store/open/open-store.ts'
import { type PlaceFlags, reportError } from '../terminal/context.ts'
import { EXIT, write } from '../terminal/output.ts'

export interface MigrateFlags extends PlaceFlags {
  readonly json?: boolean
}

export interface CopyFlags {
  readonly from: string
  readonly to: string
  readonly json?: boolean
}

export function migrate({ json, config: path, home, store }: MigrateFlags): Promise<void> {
  return orReport(async () => {
    const { config } = loadConfig({
      path,
      env: process.env,
      cwd: process.cwd(),
      homeDir: homedir(),
      flags: { home, store },
      skip: ([section]) => section !== 'store',
    })
    const migrated = await migrateStore(config.store)
    await write(json ? `${JSON.stringify(migrated, null, 2)}\n` : `${describe(migrated)}\n`)
  })
}

function describe({ store, from, to }: { store: string; from: number; to: number }): string {
  if (from === to) return `${store} is up to date: schema version ${to}.`
  if (from === 0) return `${store} is ready: schema version ${to}.`
  return `${store} was brought from schema version ${from} to ${to}.`
}

export function copy({ from, to, json }: CopyFlags): Promise<void> {
  return orReport(async () => {
    const file = readFile(from)
    if (!/^postgres(?:ql)?:\/\//.test(to))
      throw new HintgateError('flag_invalid', { flag: '--to', why: 'expected postgres://USER@HOST/DATABASE' })
    const { copyFromSqlite } = await import('../../store/postgres/copy-from-sqlite.ts')
    const copied = await copyFromSqlite(file, to)
    const lines = Object.entries(copied).map(([table, count]) => `  ${table.replaceAll('_', ' ')}: ${count}`)
    await write(json ? `${JSON.stringify(copied, null, 2)}\n` : `Copied:\n${lines.join('\n')}\n`)
  })
}

/** Opening a file that is not there would make one. */
function readFile(from: string): string {
  const wrong = (why: string) => new HintgateError('flag_invalid', { flag: '--from', why })
  if (!from.startsWith('sqlite:')) throw wrong('expected sqlite:PATH')
  const file = resolveStore(from, { folder: process.cwd(), homeDir: homedir() }).slice('sqlite:'.length)
  if (!existsSync(file)) throw wrong(`there is no file ${file}`)
  return file
}

async function orReport(action: () => Promise<void>): Promise<void> {
  try {
    await action()
    process.exitCode = EXIT.done
  } catch (error) {
    process.exitCode = reportError(error)
  }
}
