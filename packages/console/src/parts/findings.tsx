import type { ReactNode } from 'react'
import type { Finding } from '../api/client.ts'
import { Badge, type Tone } from './badge.tsx'
import { Untrusted } from './untrusted.tsx'
import './findings.css'

const TONES: Readonly<Record<string, Tone>> = { high: 'bad', medium: 'warn', low: 'neutral' }

/** Shows the scanner's findings. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }): ReactNode {
  return (
    <ul className="findings">
      {findings.map(({ rule, severity, field, start, text, reason }) => (
        <li key={`${rule} ${field} ${start}`}>
          <Badge tone={TONES[severity] ?? 'neutral'}>{severity}</Badge>
          <div className="grow">
            <p>
              <Untrusted text={reason} />
            </p>
            <p className="faint small">
              <code>
                <Untrusted text={rule} />
              </code>{' '}
              in{' '}
              <code>
                <Untrusted text={field} max={120} />
              </code>
              : “<Untrusted text={text} max={200} />”
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
