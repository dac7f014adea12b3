import { Bell, BellRing } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { say } from '../../shell/notices.ts'
import { canNotify, switchNotifications, wantsNotifications } from '../../shell/notifications.ts'

export function NotificationSwitch(): ReactNode {
  const [isOn, setOn] = useState(wantsNotifications)
  if (!canNotify()) return null
  const toggle = async (): Promise<void> => {
    const now = await switchNotifications(!isOn)
    if (!isOn && !now)
      say({
        tone: 'info',
        title: 'The browser does not allow notifications',
        detail: 'Allow them for this page in its settings.',
      })
    setOn(now)
  }
  return (
    <Button kind="ghost" icon={isOn ? BellRing : Bell} onPress={() => void toggle()}>
      {isOn ? 'Notifications on' : 'Notify me'}
    </Button>
  )
}
