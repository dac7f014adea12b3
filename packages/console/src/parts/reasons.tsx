import type { ReactNode } from 'react'
import type { Reason } from '../api/client.ts'
import { Untrusted } from './untrusted.tsx'
import './reasons.css'

/** Shows the reasons for a verdict, each with the source of its rule. */
export function Reasons({ reasons }: { readonly reasons: readonly Reason[] }): ReactNode {
  if (reasons.length === 0) return null
  return (
    <ul className="reasons">
      {reasons.map(({ rule, source, text }) => (
        <li key={`${rule} ${source} ${text}`}>
          <p>
            <Untrusted text={text} />
          </p>
          <p className="faint small">
            <code>
              <Untrusted text={rule} />
            </code>{' '}
            from <Untrusted text={source} />
          </p>
        </li>
      ))}
    </ul>
  )
}
