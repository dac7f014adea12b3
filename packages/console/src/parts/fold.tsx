import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Disclosure, DisclosurePanel } from 'react-aria-components/Disclosure'
import { Heading } from 'react-aria-components/Heading'
import './fold.css'

interface Props {
  readonly title: ReactNode
  readonly children: ReactNode
}

/** Details that stay collapsed until a person opens them. */
export function Fold({ title, children }: Props): ReactNode {
  return (
    <Disclosure className="fold">
      <Heading level={3}>
        <Button slot="trigger" className="fold-button">
          <ChevronRight size={14} aria-hidden="true" />
          {title}
        </Button>
      </Heading>
      <DisclosurePanel className="fold-panel">{children}</DisclosurePanel>
    </Disclosure>
  )
}
