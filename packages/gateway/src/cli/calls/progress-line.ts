import { showUntrusted } from '@hintgate/metadata'
import type { Notification } from '../../protocol/messages.ts'
import type { OnNotification } from '../client/surface-client.ts'

interface ProgressLine {
  /** Absent where nobody looks; then no progress is asked for. */
  readonly onNotification: OnNotification | undefined
  clear(): void
}

interface Terminal {
  readonly isTTY?: boolean | undefined
  write(text: string): unknown
}

const START_OF_LINE = '\r\u001B[K'

/** The progress of a call on one line of a terminal, gone when the call is over. */
export function createProgressLine(terminal: Terminal): ProgressLine {
  let isShown = false
  const show = (notification: Notification): void => {
    if (notification.method !== 'notifications/progress') return
    isShown = true
    terminal.write(`${START_OF_LINE}${describe(notification)}`)
  }
  return {
    onNotification: terminal.isTTY === true ? show : undefined,
    clear() {
      if (isShown) terminal.write(START_OF_LINE)
    },
  }
}

/** The words are a server's. */
function describe({ params: { progress, total, message } = {} }: Notification): string {
  const share = typeof total === 'number' ? `${String(progress)}/${total}` : String(progress)
  return typeof message === 'string' ? `${share} ${showUntrusted(message, 60)}` : share
}
