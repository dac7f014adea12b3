import { Bell, BellRing } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { showNotice } from '../../shell/notices.ts'
import { canNotify, switchNotifications, wantsNotifications } from '../../shell/notifications.ts'
import { switchPush } from '../../shell/push.ts'

export function NotificationSwitch(): ReactNode {
  const [isOn, setOn] = useState(wantsNotifications)
  if (!canNotify()) return null
  const toggle = async (): Promise<void> => {
    const now = await switchNotifications(!isOn)
    // If the push service fails, the console still notifies the person while it is open.
    await switchPush(now).catch(() => {})
    if (!isOn && !now)
      showNotice({
        tone: 'info',
        title: 'Notifications are blocked by the browser',
        detail: 'Allow notifications for this page in the browser settings.',
      })
    setOn(now)
  }
  return (
    <Button kind="ghost" icon={isOn ? BellRing : Bell} onPress={() => void toggle()}>
      {isOn ? 'Notifications on' : 'Turn on notifications'}
    </Button>
  )
}
