import type { ReactNode } from 'react'
import type { Approval } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { pathOf } from '../../shell/paths.ts'
import { Countdown } from './countdown.tsx'

const TONES: Readonly<Record<Approval['state'], Tone>> = {
  pending: 'warn',
  approved: 'good',
  standing: 'good',
  spent: 'good',
  denied: 'bad',
  expired: 'neutral',
  revoked: 'neutral',
}

const STATE_LABELS: Readonly<Record<Approval['state'], string>> = {
  pending: 'waiting',
  approved: 'approved',
  standing: 'remembered',
  spent: 'used',
  denied: 'denied',
  expired: 'expired',
  revoked: 'revoked',
}

interface Props {
  readonly items: readonly Approval[]
  readonly chosen: string
}

export function ApprovalList({ items, chosen }: Props): ReactNode {
  return (
    <nav className="inbox" aria-label="Calls waiting for approval">
      <ul className="divided">
        {items.map(({ id, action, title, principal, state, variant, createdAt, expiresAt }) => (
          <li key={id}>
            <a
              className={`inbox-item inbox-${variant}`}
              href={`#${pathOf.approval(id)}`}
              aria-current={id === chosen ? 'true' : undefined}
            >
              <span className="inbox-action">
                <Untrusted text={action === '' ? title : action} max={140} />
              </span>
              <span className="inbox-foot">
                <span className="cut grow">
                  <Untrusted text={principal} max={60} />
                </span>
                {state === 'pending' ? (
                  <Countdown from={createdAt} until={expiresAt} />
                ) : (
                  <>
                    <Ago at={createdAt} />
                    <Badge tone={TONES[state]}>{STATE_LABELS[state]}</Badge>
                  </>
                )}
              </span>
            </a>
          </li>
        ))}
      </ul>
      <p className="inbox-keys" aria-hidden="true">
        <kbd>j</kbd> <kbd>k</kbd> move · <kbd>a</kbd> approve · <kbd>d</kbd> deny
      </p>
    </nav>
  )
}
