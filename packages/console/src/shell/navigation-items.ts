import {
  Activity,
  Bot,
  ClipboardCheck,
  Gauge,
  Inbox,
  type LucideIcon,
  ScrollText,
  Search,
  Server,
  Waypoints,
  Wrench,
} from 'lucide-react'

export interface NavigationItem {
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** The kind of items whose number is shown beside the entry. */
  readonly counts?: 'approvals' | 'tools'
}

/** The entries of the navigation, in groups. */
export const NAVIGATION: readonly { readonly group?: string; readonly items: readonly NavigationItem[] }[] = [
  {
    items: [
      { path: '/', label: 'Overview', icon: Gauge },
      { path: '/approvals', label: 'Approvals', icon: Inbox, counts: 'approvals' },
      { path: '/review', label: 'Review', icon: ClipboardCheck, counts: 'tools' },
    ],
  },
  {
    group: 'Monitor',
    items: [
      { path: '/activity', label: 'Activity', icon: Activity },
      { path: '/sessions', label: 'Sessions', icon: Waypoints },
    ],
  },
  {
    group: 'Configure',
    items: [
      { path: '/tools', label: 'Tools', icon: Wrench },
      { path: '/servers', label: 'Servers', icon: Server },
      { path: '/agents', label: 'Agents', icon: Bot },
      { path: '/policies', label: 'Policies', icon: ScrollText },
      { path: '/search', label: 'Search', icon: Search },
    ],
  },
]
