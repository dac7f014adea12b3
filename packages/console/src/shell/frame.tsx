import { Menu } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Button } from '../parts/button.tsx'
import { Account } from './account.tsx'
import { ApprovalBell } from './approval-bell.tsx'
import { Brand } from './brand.tsx'
import { useHashPath } from './hash-location.ts'
import { Navigation } from './navigation.tsx'
import { Pages } from './pages.tsx'
import './frame.css'

export function Frame(): ReactNode {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const [path] = useHashPath()
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll to the top when the path changes
  useEffect(() => {
    main.current?.scrollTo(0, 0)
    scrollTo(0, 0)
  }, [path])
  return (
    <div className="frame">
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <aside className="side">
        <Brand />
        <Navigation />
        <Account />
      </aside>
      <div className="top">
        <Button kind="ghost" icon={Menu} aria-label="Menu" onPress={() => setMenuOpen(true)} />
        <Brand />
      </div>
      <ModalOverlay className="drawer-veil" isOpen={isMenuOpen} onOpenChange={setMenuOpen} isDismissable>
        <Modal className="drawer">
          <Dialog aria-label="Menu" className="drawer-inside">
            <Brand />
            <Navigation onGo={() => setMenuOpen(false)} />
            <Account />
          </Dialog>
        </Modal>
      </ModalOverlay>
      <main ref={main} tabIndex={-1} className="main">
        <Pages />
      </main>
      <ApprovalBell />
    </div>
  )
}
