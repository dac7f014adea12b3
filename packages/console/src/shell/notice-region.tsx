import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Text } from 'react-aria-components/Text'
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast'
import { Button } from '../parts/button.tsx'
import { notices } from './notices.ts'
import './notice-region.css'

const ICONS = { good: CircleCheck, bad: CircleAlert, info: Info }

export function NoticeRegion(): ReactNode {
  return (
    <ToastRegion queue={notices} className="notices">
      {({ toast }) => {
        const { tone, title, detail, link } = toast.content
        const Icon = ICONS[tone]
        return (
          <Toast toast={toast} className={`notice notice-${tone}`}>
            <Icon size={18} aria-hidden="true" />
            <ToastContent className="notice-text">
              <Text slot="title" className="strong">
                {title}
              </Text>
              {detail !== undefined && (
                <Text slot="description" className="notice-detail">
                  {detail}
                </Text>
              )}
              {link !== undefined && <a href={`#${link.to}`}>{link.label}</a>}
            </ToastContent>
            <Button slot="close" kind="ghost" size="small" icon={X} aria-label="Dismiss" />
          </Toast>
        )
      }}
    </ToastRegion>
  )
}
