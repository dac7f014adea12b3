import { addressOf } from '@hintgate/gateway/admin'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Button } from '../../parts/button.tsx'

interface Props {
  readonly query: Readonly<Record<string, string>>
}

/** Offers the filtered calls for download. */
export function ExportMenu({ query }: Props): ReactNode {
  const address = (format: 'jsonl' | 'ocsf'): string =>
    addressOf('exportActivity', { query: { ...query, format } })
  return (
    <MenuTrigger>
      <Button icon={Download}>Export</Button>
      <Popover className="popover">
        <Menu>
          <MenuItem className="option" href={address('jsonl')} download="hintgate-activity.jsonl">
            JSON Lines
          </MenuItem>
          <MenuItem className="option" href={address('ocsf')} download="hintgate-activity.ocsf.jsonl">
            OCSF (for SIEM)
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
