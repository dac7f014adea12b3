// Runs a script in the background and shows its output at the end.
import { spawn } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, say } from './ready.mjs'

/**
 * Starts a script. The returned function waits for its end, and prints its last line. If the script failed, the function
 * prints its whole output and ends this process. If this process ends first, the script is stopped.
 */
export function runBeside(script, args, onFailure) {
  const folder = mkdtempSync(join(tmpdir(), 'hintgate-beside-'))
  const log = join(folder, 'log')
  const output = openSync(log, 'w')
  // Its own process group, so that its children can be stopped with it.
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: ['ignore', output, output],
    detached: true,
  })
  const ended = new Promise(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `exited with ${signal ?? code}`))
  })
  process.once('exit', () => {
    if (child.exitCode === null && child.signalCode === null) end(child)
    rmSync(folder, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  return async () => {
    const trouble = await ended
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
    if (trouble === undefined) return say(lines.at(-1))
    for (const line of lines) say(line)
    say(`${onFailure} (${trouble})`)
    process.exit(1)
  }
}

function end({ pid }) {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGTERM')
  } catch {
    // It has already ended.
  }
}
