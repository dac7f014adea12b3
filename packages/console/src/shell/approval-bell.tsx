import { type ReactNode, useEffect } from 'react'
import { live } from '../api/live.ts'
import { navigate } from './hash-location.ts'
import { say } from './notices.ts'
import { wantsNotifications } from './notifications.ts'
import { pathOf } from './paths.ts'

/** Tells whoever is looking elsewhere that somebody waits for an answer. */
export function ApprovalBell(): ReactNode {
  useEffect(
    () =>
      live.onEvent(({ type, data }) => {
        if (type !== 'approval.requested') return
        const to = typeof data.id === 'string' ? pathOf.approval(data.id) : '/approvals'
        if (!location.hash.startsWith('#/approvals'))
          say({
            tone: 'info',
            title: 'A call is waiting for approval',
            link: { to, label: 'Review the call' },
          })
        if (wantsNotifications() && document.hidden) notify(to)
      }),
    [],
  )
  return null
}

function notify(to: string): void {
  // Nothing of the call: a notification is shown on locked screens, and its words would be an agent's.
  const shown = new Notification('A call is waiting for approval', {
    body: 'Open the Hintgate console to decide.',
    tag: to,
  })
  shown.addEventListener('click', () => {
    window.focus()
    navigate(to)
  })
}
