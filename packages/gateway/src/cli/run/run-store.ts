import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolveStore } from '../../config/resolve-path.ts'
import { migrateStore } from '../../store/open/open-store.ts'
import { showJson } from '../show/show-json.ts'
import { allBut, type CommonFlags, invalidFlag, loadHere } from '../terminal/context.ts'
import type { Ending } from '../terminal/output.ts'

interface CopyFlags {
  readonly from: string
  readonly to: string
  readonly json?: boolean
}

export async function migrate({ json, ...flags }: CommonFlags): Promise<Ending> {
  const { config } = await loadHere({ ...flags, skip: allBut('store') })
  const migrated = await migrateStore(config.store)
  return { out: json ? showJson(migrated) : `${describe(migrated)}\n` }
}

function describe({ store, from, to }: { store: string; from: number; to: number }): string {
  if (from === to) return `${store} is up to date: schema version ${to}.`
  if (from === 0) return `${store} is ready: schema version ${to}.`
  return `${store} was migrated from schema version ${from} to ${to}.`
}

export async function copy({ from, to, json }: CopyFlags): Promise<Ending> {
  const file = readFile(from)
  if (!/^postgres(?:ql)?:\/\//.test(to)) throw invalidFlag('--to', 'expected postgres://USER@HOST/DATABASE')
  const { copyFromSqlite } = await import('../../store/postgres/copy-from-sqlite.ts')
  const copied = await copyFromSqlite(file, to)
  const lines = Object.entries(copied).map(([table, count]) => `  ${table.replaceAll('_', ' ')}: ${count}`)
  return { out: json ? showJson(copied) : `Copied:\n${lines.join('\n')}\n` }
}

/** Reads the source's path and checks that the file exists, because SQLite would create a missing file. */
function readFile(from: string): string {
  const wrong = (why: string) => invalidFlag('--from', why)
  if (!from.startsWith('sqlite:')) throw wrong('expected sqlite:PATH')
  const file = resolveStore(from, { folder: process.cwd(), homeDir: homedir() }).slice('sqlite:'.length)
  if (!existsSync(file)) throw wrong(`${file} does not exist`)
  return file
}
