import { ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Policies, PolicyRule } from '../../api/client.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/state.tsx'
import { Can } from '../../shell/me.tsx'

const EFFECTS: Readonly<Record<PolicyRule['effect'], Tone>> = {
  allow: 'good',
  confirm: 'warn',
  deny: 'bad',
  waive: 'good',
}

interface Props {
  readonly policies: Policies
  readonly onEdit: (file: string) => void
}

/** Shows every rule in words, with its condition in CEL. */
export function RulesCard({ policies: { rules, default: fallback }, onEdit }: Props): ReactNode {
  return (
    <Card
      title={`Rules (${rules.length})`}
      about={
        fallback === 'deny' ? 'Calls that match no rule are denied' : 'Calls that match no rule are allowed'
      }
      flush
    >
      {rules.length === 0 ? (
        <Empty icon={ScrollText} title="No rules yet">
          Only hints, guardrails and session risk decide about calls.
        </Empty>
      ) : (
        <ul className="rules divided">
          {rules.map(rule => (
            <li key={`${rule.file} ${rule.id}`}>
              <Badge tone={EFFECTS[rule.effect]}>{rule.effect}</Badge>
              <div className="grow stack rule-words">
                <p className="row-wrap">
                  <span className="strong">{rule.id}</span>
                  <span className="faint small">
                    {rule.file}:{rule.line}
                  </span>
                </p>
                <p>{rule.prose}</p>
                {rule.reason !== '' && <p className="quiet small">“{rule.reason}”</p>}
                {rule.cel !== undefined && <code className="cel">{rule.cel}</code>}
              </div>
              <Can needs="admin">
                <Button size="small" kind="ghost" onPress={() => onEdit(rule.file)}>
                  Edit
                </Button>
              </Can>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
