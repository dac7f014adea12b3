import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast'

export interface Notice {
  readonly tone: 'good' | 'bad' | 'info'
  readonly title: string
  readonly detail?: string
  /** A link below the text. `to` is a path within the console. */
  readonly link?: { readonly to: string; readonly label: string }
}

export const notices = new ToastQueue<Notice>({ maxVisibleToasts: 3 })

/** Shows a notice. An error stays until it is dismissed; other notices disappear after a few seconds. */
export function showNotice(notice: Notice): void {
  notices.add(notice, notice.tone === 'bad' ? {} : { timeout: 6000 })
}
