import { once } from 'node:events'

/** Writes to standard output and waits when the reader is slower than we are. */
export async function write(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain')
}

/** A reader that closes early (`| head`) is not an error. */
export function endQuietlyWhenUnread(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}

interface Progress {
  update(count: number): void
  done(): void
}

const EVERY_MS = 100

/** A counter on the terminal, where the output itself goes elsewhere and would leave it silent. */
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
