import type { ReactNode } from 'react'
import type { ToolPage } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Card } from '../../parts/card.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { OutcomeBadge } from '../../parts/word-badges.tsx'
import { pathOf } from '../../shell/paths.ts'
import '../overview/overview.css'

export function LastCalls({ calls }: { readonly calls: ToolPage['lastCalls'] }): ReactNode {
  return (
    <Card title="Last calls" flush>
      {calls.length === 0 ? (
        <p className="faint tool-none">No calls yet.</p>
      ) : (
        <ul className="lines divided">
          {calls.map(({ request, at, agent, outcome, sentence }) => (
            <li key={request}>
              <a className="line" href={`#${pathOf.call(request)}`}>
                <span className="grow line-text">
                  <Untrusted text={sentence} max={200} />
                  <span className="faint small line-more">
                    <Untrusted text={agent} max={60} /> · <Ago at={at} />
                  </span>
                </span>
                <OutcomeBadge outcome={outcome} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
