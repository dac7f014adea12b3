import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast'

export interface Notice {
  readonly tone: 'good' | 'bad' | 'info'
  readonly title: string
  readonly detail?: string
  /** A link below the text. `to` is a path in the console. */
  readonly link?: { readonly to: string; readonly label: string }
}

export const notices = new ToastQueue<Notice>({ maxVisibleToasts: 3 })

/** Shows a notice. Errors stay until they are dismissed; other notices disappear after a few seconds. */
export function showNotice(notice: Notice): void {
  notices.add(notice, notice.tone === 'bad' ? {} : { timeout: 6000 })
}
