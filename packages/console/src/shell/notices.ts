import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast'

export interface Notice {
  readonly tone: 'good' | 'bad' | 'info'
  readonly title: string
  readonly detail?: string
  /** Somewhere to go: a path of the console. */
  readonly link?: { readonly to: string; readonly label: string }
}

export const notices = new ToastQueue<Notice>({ maxVisibleToasts: 3 })

/** What went well need not stay; what went wrong stays until somebody has read it. */
export function say(notice: Notice): void {
  notices.add(notice, notice.tone === 'bad' ? {} : { timeout: 6000 })
}
