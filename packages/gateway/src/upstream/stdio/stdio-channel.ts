import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { LIMITS } from '../../admission/limits.ts'
import { Meter } from '../../admission/meter.ts'
import type { TransportConfig } from '../../config/config.ts'
import type { Channel, ChannelHandlers, Failure, Outgoing } from '../channel/channel.ts'
import { findId, isServerInitiated } from '../channel/find-id.ts'
import { hideOwnSecrets } from '../channel/hide-own-secrets.ts'
import { ANSWERS_UNREAD, OneWayMessages } from '../channel/one-way-messages.ts'
import { tooLarge } from '../http/http-failures.ts'
import { createLineSplitter, type Skipped } from './line-splitter.ts'
import { LineWriter } from './line-writer.ts'
import { endProcessGroup, processGroups } from './process-groups.ts'
import { StderrTail } from './stderr-tail.ts'
import { buildEnvironment, confine } from './stdio-confine.ts'

type StdioConfig = Extract<TransportConfig, { kind: 'stdio' }>
type Child = ChildProcessByStdio<Writable, Readable, Readable>

/** This many bytes of standard error are charged as one message. */
const BYTES_FOR_ONE = 1024
const LEAST_UNREAD = 16 * 1024 * 1024

/** How long to wait for the rest of the output after the process has exited. */
const OUTPUT_GRACE_MS = 500

/** A channel to a child process in its own process group. Each line is one JSON message. */
export function createStdioChannel(
  config: StdioConfig,
  limits: { readonly messageBytes: number; readonly bodyBytes: number },
): Channel {
  const stderrTail = new StderrTail(hideOwnSecrets(config))
  const mostUnread = Math.max(LEAST_UNREAD, 2 * limits.messageBytes)
  let child: Child | undefined
  let writer: LineWriter | undefined
  let handlers: ChannelHandlers | undefined
  let isClosed = false

  const refuse = ({ id }: Outgoing): void => {
    if (id !== undefined) handlers?.onLost(id, NOT_READING)
    else if (child !== undefined && handlers !== undefined) stop(child, handlers, ANSWERS_UNREAD)
  }

  const readAll = (process: Child, handlers: ChannelHandlers): void => {
    const { stdout } = process
    const pace = new Meter(LIMITS.talk.messages)
    let resting: NodeJS.Timeout | undefined
    const noise = new Meter(LIMITS.talk.lines)
    const pauseFor = (pauseMs: number): void => {
      if (pauseMs === 0) return
      // Messages that have already arrived are still handled. Then the pipe fills up, and the server must wait.
      stdout.pause()
      clearTimeout(resting)
      resting = setTimeout(() => stdout.resume(), pauseMs).unref()
    }
    const onLine = (line: string): void => {
      if (!isClosed) pauseFor(handlers.onMessage(line))
    }
    const onEmpty = (lines: number): void => pauseFor(noise.charge(lines, performance.now()))
    const onTooLong = (skipped: Skipped): void => {
      const id = skipped.isEnded ? findId(skipped) : undefined
      // Only the call with this long answer fails, because other calls still wait for answers from this server.
      if (id !== undefined) handlers.onLost(id, tooLarge(limits.messageBytes))
      else if (!skipped.isEnded || !isServerInitiated(skipped))
        stop(
          process,
          handlers,
          protocolFailure(`the server sent a line of more than ${limits.messageBytes} bytes`),
        )
    }
    stdout.on('data', createLineSplitter(limits.messageBytes, onLine, onTooLong, onEmpty))
    process.stderr.on('data', (chunk: Buffer) => {
      stderrTail.add(chunk)
      const pauseMs = pace.charge(chunk.length / BYTES_FOR_ONE, performance.now())
      if (pauseMs > 0) rest(process.stderr, pauseMs)
    })
    process.stdin.on('error', () => {}) // Ignored, because the exit code explains more than EPIPE does.
    process.once('exit', (code, signal) => {
      // Ends processes that the child started and that outlive it.
      endProcessGroup(process.pid, 0)
        .catch(() => {})
        .finally(() => processGroups.remove(process.pid))
      process.stderr.resume()
      const tell = (): void => {
        clearTimeout(timer)
        process.off('close', tell)
        if (!isClosed) handlers.onClosed(exitFailure(code, signal, stderrTail.lines.at(-1)))
      }
      // The last lines usually give the reason, and can arrive after the exit. They are read to the end, unless another
      // process keeps the pipe open.
      const timer = setTimeout(tell, OUTPUT_GRACE_MS).unref()
      process.once('close', tell)
    })
  }

  const stop = (process: Child, handlers: ChannelHandlers, failure: Failure): void => {
    if (isClosed) return
    isClosed = true
    handlers.onClosed(failure)
    endProcessGroup(process.pid, 0).catch(() => {})
  }

  return {
    isPipe: true,
    get stderr() {
      return stderrTail.lines
    },
    async open(to) {
      handlers = to
      child = await start(config)
      writer = new LineWriter(child.stdin, mostUnread, new OneWayMessages(limits.bodyBytes))
      readAll(child, to)
    },
    send(message) {
      if (!isClosed && writer?.add(message) === false) refuse(message)
      return undefined
    },
    async close() {
      isClosed = true
      if (child === undefined) return
      writer?.flush()
      child.stdin.end()
      await endProcessGroup(child.pid, GRACE_MS)
    },
  }
}

const GRACE_MS = 1000

const NOT_READING: Failure = {
  kind: 'unavailable',
  detail: 'the server does not read its input, and too many messages are already waiting for it',
  notSent: true,
}

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
    processGroups.add(child.pid)
    child.once('error', reject)
  })
}

/** Stops reading a stream for this long. The pipe fills up, and the server must wait. */
function rest(stream: Readable, ms: number): void {
  stream.pause()
  setTimeout(() => stream.resume(), ms).unref()
}

function exitFailure(code: number | null, signal: string | null, last: string | undefined): Failure {
  const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`
  return {
    kind: 'unavailable',
    detail: `the server ${how}${last === undefined ? '' : `; its last line on standard error: ${last}`}`,
    notSent: false,
    isEnd: true,
  }
}

function protocolFailure(detail: string): Failure {
  return { kind: 'protocol', detail, notSent: false }
}
