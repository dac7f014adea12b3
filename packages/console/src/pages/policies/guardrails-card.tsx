import type { ReactNode } from 'react'
import type { Policies } from '../../api/client.ts'
import { Card } from '../../parts/card.tsx'

export function GuardrailsCard({ guardrails }: { readonly guardrails: Policies['guardrails'] }): ReactNode {
  if (guardrails.length === 0) return null
  return (
    <Card
      title={`Guardrails (${guardrails.length})`}
      about="Checks on arguments and results, from the config file"
      flush
    >
      <div className="table-scroll">
        <table className="table">
          <thead>
            <tr>
              <th>Rule</th>
              <th>Applies to</th>
              <th>Settings</th>
            </tr>
          </thead>
          <tbody>
            {guardrails.map(({ rule, layer, settings }) => (
              <tr key={`${layer} ${rule} ${JSON.stringify(settings)}`}>
                <td className="strong">{rule}</td>
                <td className="quiet">{layer}</td>
                <td className="mono">
                  {Object.entries(settings)
                    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
                    .join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
