import { type ReactNode, useEffect } from 'react'
import { live } from '../api/live.ts'
import { navigate } from './hash-location.ts'
import { showNotice } from './notices.ts'
import { wantsNotifications } from './notifications.ts'
import { pathOf } from './paths.ts'
import { switchPush } from './push.ts'

/**
 * Announces calls that need approval: with a notice on the console's other pages, and with a browser notification if
 * the window is hidden.
 */
export function ApprovalBell(): ReactNode {
  useEffect(() => {
    // Registers this browser again at each visit, because the gateway forgets browsers in which the console has not
    // been opened for a long time.
    if (wantsNotifications()) switchPush(true).catch(() => {})
  }, [])
  useEffect(
    () =>
      live.onEvent(({ type, data }) => {
        if (type !== 'approval.requested') return
        const to = typeof data.id === 'string' ? pathOf.approval(data.id) : '/approvals'
        if (!location.hash.startsWith('#/approvals'))
          showNotice({
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
  // The notification shows no details of the call: it can appear on a locked screen, and the text would come from an
  // agent.
  const shown = new Notification('A call is waiting for approval', {
    body: 'Open the Hintgate console to decide.',
    tag: to,
  })
  shown.addEventListener('click', () => {
    window.focus()
    navigate(to)
  })
}
