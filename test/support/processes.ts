import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { later } from './clean-up.ts'
import { Inbox } from './inbox.ts'

/** A process with its output, line by line. */
export interface Running {
  readonly child: ChildProcess
  readonly pid: number
  readonly stdout: Inbox<string>
  readonly stderr: Inbox<string>
  readonly exited: Promise<number | null>
  /** Asks the process to end, waits for that, and kills it after a timeout. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
}

const INSIST_MS = 15_000

export function run(command: string, args: readonly string[], options: RunOptions = {}): Running {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const name = `${command.split('/').at(-1)} ${args[0]?.split('/').at(-1)}`
  const stdout = new Inbox<string>(`${name} (stdout)`)
  const stderr = new Inbox<string>(`${name} (stderr)`)
  readLines(child.stdout, stdout)
  readLines(child.stderr, stderr)
  child.stdin.on('error', () => {})
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => {
      for (const inbox of [stdout, stderr])
        inbox.end(`the process ended with ${code}: ${stderr.items.slice(-5).join('\n')}`)
      resolve(code)
    })
  })
  exited.catch(() => {})
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    const insist = setTimeout(() => child.kill('SIGKILL'), INSIST_MS)
    return exited.finally(() => clearTimeout(insist))
  }
  const running = { child, pid: child.pid ?? -1, stdout, stderr, exited, stop }
  later(() => running.stop())
  return running
}

function readLines(stream: NodeJS.ReadableStream, inbox: Inbox<string>): void {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) inbox.add(line)
  })
}

/** Waits for the line `listening URL` of a test server or a gateway. */
export async function address(running: Running): Promise<string> {
  const line = await running.stdout.until(text => text.startsWith('listening '))
  return line.slice('listening '.length)
}

/** Whether a process still runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export const serverFile = (name: string): string =>
  fileURLToPath(new URL(`../servers/${name}`, import.meta.url))
