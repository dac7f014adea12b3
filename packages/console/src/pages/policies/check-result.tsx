import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { api } from '../../api/client.ts'
import { Card } from '../../parts/card.tsx'
import { formatCount } from '../../words/format-count.ts'

type Check = Awaited<ReturnType<typeof api.checkPolicy>>

export function CheckResult({ check }: { readonly check: Check | undefined }): ReactNode {
  if (check === undefined) return null
  const { problems, rules } = check
  return (
    <Card title="Check">
      {problems.length === 0 ? (
        <div className="stack" role="status">
          <p className="row check-good">
            <CircleCheck size={16} aria-hidden="true" /> {formatCount(rules.length, 'rule')}, no problems
          </p>
          <ul className="check-rules">
            {rules.map(({ id, prose }) => (
              <li key={id} className="small quiet">
                <b>{id}</b>: {prose}
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <ul className="stack" role="alert">
          {problems.map(({ line, column, message, fix }) => (
            <li key={`${line} ${column} ${message}`} className="check-bad">
              <CircleAlert size={16} aria-hidden="true" />
              <div>
                <p>
                  <b>
                    {line}:{column}
                  </b>{' '}
                  {message}
                </p>
                <p className="quiet small">{fix}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
