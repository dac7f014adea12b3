import { EventEmitter } from 'node:events'
import { vi } from 'vitest'
import { main } from '../../packages/gateway/src/cli/main.ts'

const known = new Map<string, Promise<string>>()

/** The output of `hintgate PATH --help`, without a process for each. */
export function helpOf(path: readonly string[]): Promise<string> {
  const key = path.join(' ')
  const help = known.get(key) ?? printed(path)
  known.set(key, help)
  return help
}

/** One at a time, because all of them print to the same place. */
let last: Promise<unknown> = Promise.resolve()

function printed(path: readonly string[]): Promise<string> {
  const run = last.then(() => capture(path))
  last = run
  return run
}

async function capture(path: readonly string[]): Promise<string> {
  let text = ''
  const keep = (chunk: unknown): boolean => {
    text += String(chunk)
    return true
  }
  const out = vi.spyOn(process.stdout, 'write').mockImplementation(keep)
  const err = vi.spyOn(process.stderr, 'write').mockImplementation(keep)
  // Each run registers listeners on the output for the life of the process; here one process has many runs.
  EventEmitter.setMaxListeners(0, process.stdout)
  try {
    await main(['node', 'hintgate', ...path, '--help'])
    return text
  } finally {
    out.mockRestore()
    err.mockRestore()
    process.exitCode = 0
  }
}
