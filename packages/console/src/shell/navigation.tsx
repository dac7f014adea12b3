import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../api/client.ts'
import { useHashPath } from './hash-location.ts'
import { NAVIGATION, type NavigationItem } from './navigation-items.ts'

export function Navigation({ onGo }: { readonly onGo?: () => void }): ReactNode {
  const overview = useQuery({
    queryKey: ['overview', '24h'],
    queryFn: () => api.overview({ query: { window: '24h' } }),
  })
  const waiting = overview.data?.waiting
  return (
    <nav aria-label="Pages" className="nav">
      {NAVIGATION.map(({ group, items }) => (
        <div key={group ?? 'first'} className="nav-group">
          {group !== undefined && <p className="nav-heading">{group}</p>}
          <ul>
            {items.map(item => (
              <li key={item.path}>
                <NavLink item={item} count={item.counts && waiting?.[item.counts]} onGo={onGo} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

interface LinkProps {
  readonly item: NavigationItem
  readonly count: number | undefined
  readonly onGo: (() => void) | undefined
}

function NavLink({ item: { path, label, icon: Icon }, count = 0, onGo }: LinkProps): ReactNode {
  const [now] = useHashPath()
  const isHere = path === '/' ? now === '/' : now === path || now.startsWith(`${path}/`)
  return (
    <a className="nav-link" href={`#${path}`} aria-current={isHere ? 'page' : undefined} onClick={onGo}>
      <Icon size={16} aria-hidden="true" />
      <span className="grow">{label}</span>
      {count > 0 && (
        <span className="nav-count">
          {count > 999 ? '999+' : count}
          <span className="visually-hidden"> waiting</span>
        </span>
      )}
    </a>
  )
}
