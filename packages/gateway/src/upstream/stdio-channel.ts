import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { TransportConfig } from '../config/config.ts'
import type { Channel, ChannelHandlers, Failure } from './channel.ts'
import { hideOwnSecrets } from './hide-own-secrets.ts'
import { createLineSplitter } from './line-splitter.ts'
import { endProcessGroup } from './process-group.ts'
import { confine } from './stdio-confine.ts'
import { buildEnvironment } from './stdio-environment.ts'

type StdioConfig = Extract<TransportConfig, { kind: 'stdio' }>
type Child = ChildProcessByStdio<Writable, Readable, Readable>

const STDERR_LINES = 20
const STDERR_LINE_BYTES = 4096

/** A server as a child process in a process group of its own, one JSON message a line. */
export function createStdioChannel(config: StdioConfig, limits: { readonly messageBytes: number }): Channel {
  const stderr: string[] = []
  const hide = hideOwnSecrets(config)
  let child: Child | undefined
  let isClosed = false
  let waiting = ''

  /** What one turn of the event loop brings leaves in one write: each costs as much as half of a call. */
  const write = (): void => {
    const lines = waiting
    waiting = ''
    // Most is ASCII, and the shorter way to write that is worth a look at the length.
    if (lines !== '') child?.stdin.write(lines, Buffer.byteLength(lines) === lines.length ? 'latin1' : 'utf8')
  }

  const readAll = (process: Child, handlers: ChannelHandlers): void => {
    const onLine = (line: string): void => {
      if (line.trim() !== '') handlers.onMessage(line)
    }
    const onTooLong = (): void =>
      stop(process, handlers, protocolFailure(`a line of more than ${limits.messageBytes} bytes`))
    process.stdout.on('data', createLineSplitter(limits.messageBytes, onLine, onTooLong))
    process.stderr.on(
      'data',
      createLineSplitter(
        STDERR_LINE_BYTES,
        line => remember(stderr, hide(line)),
        () => {},
      ),
    )
    process.stdin.on('error', () => {}) // the exit says more than EPIPE
    process.once('exit', (code, signal) => {
      // Descendants may have outlived the child; they go with it.
      endProcessGroup(process.pid, 0).catch(() => {})
      if (!isClosed) handlers.onClosed(exitFailure(code, signal, stderr))
    })
  }

  const stop = (process: Child, handlers: ChannelHandlers, failure: Failure): void => {
    if (isClosed) return
    isClosed = true
    handlers.onClosed(failure)
    endProcessGroup(process.pid, 0).catch(() => {})
  }

  return {
    stderr,
    async open(handlers) {
      child = await start(config)
      readAll(child, handlers)
    },
    send(message) {
      if (waiting === '') setImmediate(write)
      waiting += `${message.text}\n`
      return undefined
    },
    async close() {
      isClosed = true
      if (child === undefined) return
      write()
      child.stdin.end()
      await endProcessGroup(child.pid, GRACE_MS)
    },
  }
}

const GRACE_MS = 1000

function start(config: StdioConfig): Promise<Child> {
  return new Promise((resolve, reject) => {
    const { command, args } = confine(config)
    const child = spawn(command, [...args], {
      cwd: config.cwd,
      env: buildEnvironment(config.env),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    child.once('spawn', () => resolve(child))
    child.once('error', reject)
  })
}

function remember(lines: string[], line: string): void {
  lines.push(line)
  if (lines.length > STDERR_LINES) lines.shift()
}

function exitFailure(code: number | null, signal: string | null, stderr: readonly string[]): Failure {
  const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`
  const last = stderr.at(-1)
  return {
    kind: 'unavailable',
    detail: `the server ${how}${last === undefined ? '' : `; it last said: ${last}`}`,
    notSent: false,
    isEnd: true,
  }
}

function protocolFailure(detail: string): Failure {
  return { kind: 'protocol', detail, notSent: false }
}
