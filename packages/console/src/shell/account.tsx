import { LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { api } from '../api/client.ts'
import { live } from '../api/live.ts'
import { Button } from '../parts/button.tsx'
import { Untrusted } from '../parts/untrusted.tsx'
import { useMe } from './me.tsx'
import { setTheme, type Theme, useTheme } from './theme.ts'

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const ICONS = { system: Monitor, light: Sun, dark: Moon }
const LIVE = { connecting: 'Connecting…', live: 'Live', lost: 'Reconnecting…' }

/** Shows who is signed in, the state of the live connection, and the theme. */
export function Account(): ReactNode {
  const { name, role, version } = useMe()
  const theme = useTheme()
  const state = useSyncExternalStore(live.onState, live.state)
  const signOut = async (): Promise<void> => {
    await api.signOut().catch(() => undefined)
    location.reload()
  }
  return (
    <footer className="account">
      <p className={`account-live account-state-${state}`} role="status">
        <span className="badge-dot" aria-hidden="true" />
        {LIVE[state]}
        <span className="account-version">v{version}</span>
      </p>
      <div className="row">
        <div className="grow">
          <p className="cut strong">
            <Untrusted text={name} />
          </p>
          <p className="faint small">{role}</p>
        </div>
        <Button
          kind="ghost"
          size="small"
          icon={ICONS[theme]}
          aria-label={`Theme: ${theme}. Switch to ${NEXT[theme]}`}
          onPress={() => setTheme(NEXT[theme])}
        />
        <Button
          kind="ghost"
          size="small"
          icon={LogOut}
          aria-label="Sign out"
          onPress={() => void signOut()}
        />
      </div>
    </footer>
  )
}
