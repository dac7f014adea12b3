import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Button } from './button.tsx'
import './dialog.css'

interface Props {
  readonly title: ReactNode
  readonly isOpen: boolean
  readonly onClose: () => void
  /** `side` is a panel at the right edge of the window. */
  readonly shape?: 'box' | 'wide' | 'side'
  readonly footer?: ReactNode
  readonly children: ReactNode
}

export function Dialog({ title, isOpen, onClose, shape = 'box', footer, children }: Props): ReactNode {
  return (
    <ModalOverlay
      className={`veil veil-${shape}`}
      isOpen={isOpen}
      isDismissable
      onOpenChange={open => {
        if (!open) onClose()
      }}
    >
      <Modal className={`dialog dialog-${shape}`}>
        <AriaDialog className="dialog-inside">
          <header className="dialog-head">
            <Heading slot="title" className="dialog-title" level={2}>
              {title}
            </Heading>
            <Button kind="ghost" size="small" icon={X} aria-label="Close" onPress={onClose} />
          </header>
          <div className="dialog-body">{children}</div>
          {footer !== undefined && <footer className="dialog-foot">{footer}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
