import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { listJsonl, readJsonl } from '../data/read-jsonl.ts'

export interface ReplayedTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema?: unknown
}

export interface ReplayedStep {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly result: string
  readonly isError: boolean
  readonly isAttacker: boolean
  /** Absent: the server of the suite, and the session of the run. */
  readonly server?: 'own'
  readonly session?: 'new'
  /** A call that is only to tire whoever is asked: what becomes of it does not count. */
  readonly isDecoy?: boolean
}

export interface ReplayedCase {
  readonly id: string
  readonly kind: 'honest' | 'hijacked'
  readonly prompt?: string
  readonly steps: readonly ReplayedStep[]
}

export interface Suite {
  readonly name: string
  readonly tools: readonly ReplayedTool[]
  readonly cases: readonly ReplayedCase[]
}

interface RawStep {
  readonly tool: string
  readonly args?: Record<string, unknown>
  readonly result?: unknown
  readonly error?: unknown
  readonly by?: string
}

type RawCase = Omit<ReplayedCase, 'steps'> & { readonly steps: readonly RawStep[] }

/** Every folder below `hijack/` that has `tools` and `cases` is one suite. */
export async function loadSuites(dataFolder: string, wanted?: string): Promise<Suite[]> {
  const folder = join(dataFolder, 'hijack')
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter(entry => entry.isDirectory()).map(({ name }) => name)
  const chosen = names.filter(name => wanted === undefined || name.includes(wanted)).toSorted()
  return Promise.all(chosen.map(name => loadSuite(join(folder, name), name)))
}

async function loadSuite(folder: string, name: string): Promise<Suite> {
  const files = await listJsonl(folder)
  const rowsOf = async <T>(kind: string): Promise<T[]> => {
    const file = files.find(each => each.includes(`${kind}.jsonl`))
    if (file === undefined) throw new Error(`${folder} has no ${kind}.jsonl or ${kind}.jsonl.gz`)
    const rows: T[] = []
    for await (const row of readJsonl(file)) {
      if (row.kind === 'problem') throw new Error(`${row.place}: ${row.problem}`)
      rows.push(row.value as T)
    }
    return rows
  }
  const cases = await rowsOf<RawCase>('cases')
  return {
    name,
    tools: await rowsOf<ReplayedTool>('tools'),
    cases: cases.map(one => ({ ...one, steps: one.steps.map(toStep) })),
  }
}

function toStep({ tool, args = {}, result, error, by }: RawStep): ReplayedStep {
  const text = typeof result === 'string' ? result : JSON.stringify(result ?? '')
  const isError = error !== undefined && error !== null && error !== ''
  return {
    tool,
    args,
    result: text === '' && isError ? JSON.stringify(error) : text,
    isError,
    isAttacker: by === 'attacker',
  }
}
