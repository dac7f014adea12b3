// Child processes that serve something: started, waited for, and ended with all their descendants.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { type AddressInfo, connect, createServer } from 'node:net'

export interface Command {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Its first group is the URL; matched against standard output. Without it the process counts as ready at once. */
  readonly ready?: RegExp
  readonly readyMs?: number
}

export interface Running {
  readonly pid: number
  /** What `ready` matched, or an empty string. */
  readonly url: string
  readonly startedInMs: number
  readonly stop: () => Promise<void>
}

const LAST_WORDS = 4000
const TERM_MS = 3000
const READY_MS = 20_000
const running = new Set<ChildProcess>()

// Ends all child processes when this process ends.
process.on('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Starts a process in its own process group and waits until it reports that it is ready. */
export async function startProcess(command: Command): Promise<Running> {
  const startedAt = performance.now()
  const child = spawn(command.command, command.args, {
    cwd: command.cwd,
    env: { ...process.env, ...command.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  try {
    const url = await waitUntilReady(child, command)
    const { pid = 0 } = child
    return { pid, url, startedInMs: performance.now() - startedAt, stop: () => stop(child) }
  } catch (error) {
    await stop(child)
    throw error
  }
}

function waitUntilReady(child: ChildProcess, { name, ready, readyMs = READY_MS }: Command): Promise<string> {
  let said = ''
  return new Promise<string>((resolve, reject) => {
    const fail = (what: string): void =>
      reject(new Error(`${name} ${what}${said === '' ? '' : `:\n${said}`}`))
    const timer = setTimeout(() => fail(`was not ready after ${readyMs} ms`), readyMs)
    const succeed = (url: string): void => {
      clearTimeout(timer)
      resolve(url)
    }
    const listen = (chunk: string): void => {
      said = (said + chunk).slice(-LAST_WORDS)
      const url = ready?.exec(said)?.[1]
      if (url !== undefined) succeed(url)
    }
    child.stdout?.setEncoding('utf8').on('data', listen)
    child.stderr?.setEncoding('utf8').on('data', listen)
    child.once('error', error => fail(`did not start (${error.message})`))
    child.once('exit', code => {
      clearTimeout(timer)
      fail(`ended with ${code}`)
    })
    if (ready === undefined) child.once('spawn', () => succeed(''))
  })
}

/** Ends all child processes at the end of a run. */
export async function stopEverything(): Promise<void> {
  await Promise.all([...running].map(stop))
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), TERM_MS)
  await ended
  clearTimeout(timer)
  // A proxy may leave its children behind; they are in its process group.
  signalGroup(child, 'SIGKILL')
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // the process group is empty
  }
}

/** For programs without a reliable message: ready when the port accepts connections. */
export async function startOnPort(command: Command, port: number): Promise<Running> {
  const startedAt = performance.now()
  const running = await startProcess(command)
  try {
    await waitForPort(port, startedAt + (command.readyMs ?? READY_MS))
  } catch {
    await running.stop()
    throw new Error(`${command.name} did not listen on port ${port}`)
  }
  return { ...running, startedInMs: performance.now() - startedAt }
}

async function waitForPort(port: number, deadline: number): Promise<void> {
  for (;;) {
    if (await isListening(port)) return
    if (performance.now() > deadline) throw new Error('Nothing listens on the port.')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** A port that was free a moment ago, for programs that cannot choose one. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
