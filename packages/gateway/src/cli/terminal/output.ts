import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { styleText } from 'node:util'

/** The exit codes. Scripts rely on them. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const

/** A command's output and exit code. The default code is `done`. */
export interface Ending {
  readonly code?: number
  readonly out?: string
  readonly err?: string
}

/** Counts a noun, as in `1 error` and `2 errors`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Writes to standard output, and waits for a slow reader. */
export async function write(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain')
}

/** Ends the process without an error if a reader closes early (`| head`). */
export function endQuietlyWhenUnread(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}

export interface Progress {
  update(count: number): void
  done(): void
}

const EVERY_MS = 100

/** Creates a counter on the terminal, which is shown only if the output itself is redirected. */
export function createProgress(what: string): Progress {
  const isShown = process.stderr.isTTY && !process.stdout.isTTY
  let shownAt = Date.now()
  let count = 0
  const show = () => process.stderr.write(`\r${count.toLocaleString('en')} ${what}`)
  return {
    update(current) {
      count = current
      if (!isShown || Date.now() - shownAt < EVERY_MS) return
      shownAt = Date.now()
      show()
    },
    done() {
      if (!isShown) return
      show()
      process.stderr.write('\n')
    },
  }
}

type Style = 'red' | 'yellow' | 'green' | 'blue' | 'dim' | 'bold' | 'cyan'

export type Paint = (style: Style, text: string) => string

/** Creates a function that colours text, unless the output is not a terminal or NO_COLOR is set. */
export function createPaint(stream: { isTTY?: boolean | undefined }, env: NodeJS.ProcessEnv): Paint {
  const isWanted = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
  return (style, text) => (isWanted ? styleText(style, text, { validateStream: false }) : text)
}

export const paint = createPaint(process.stdout, process.env)

export function isAttended(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

/**
 * Returns a signal that aborts on SIGINT or SIGTERM. The process no longer ends on these signals, so the calling code
 * must end it.
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}

/** Asks a question on the terminal. The end of the input counts as no. */
export function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  return new Promise(resolve => {
    terminal.once('close', () => resolve(false))
    terminal.question(`${question} [y/N] `, answer => {
      resolve(/^y(es)?$/i.test(answer.trim()))
      terminal.close()
    })
  })
}
