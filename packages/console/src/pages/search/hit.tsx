import type { ReactNode } from 'react'
import type { Found } from '../../api/client.ts'
import { Badge } from '../../parts/badge.tsx'
import { Fold } from '../../parts/fold.tsx'
import { ToolName } from '../../parts/tool-name.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { VariantBadge } from '../../parts/word-badges.tsx'

interface Props {
  readonly tool: Found
  /** The highest score in the results. It is drawn as a full bar. */
  readonly best: number
}

export function Hit({ tool, best }: Props): ReactNode {
  const { server, name, description, signature, variant, confirm, score, explain = [] } = tool
  return (
    <li className="hit">
      <div className="row-wrap">
        <ToolName server={server} name={name} />
        <VariantBadge variant={variant} />
        {confirm === 'always' && <Badge tone="warn">needs approval</Badge>}
        <span className="hit-score">
          <span className="hit-bar" aria-hidden="true">
            <span style={{ width: `${Math.max(2, (score / Math.max(best, 0.001)) * 100)}%` }} />
          </span>
          {score.toFixed(2)}
        </span>
      </div>
      <p className="quiet">
        <Untrusted text={description} max={300} />
      </p>
      <p className="faint small mono">
        <Untrusted text={signature} max={300} />
      </p>
      {explain.length > 0 && (
        <Fold title={`Why ${score.toFixed(2)}?`}>
          <table className="table hit-why">
            <thead>
              <tr>
                <th>Word</th>
                <th>Matched</th>
                <th>In</th>
                <th className="number">Score</th>
              </tr>
            </thead>
            <tbody>
              {explain.map(({ term, matched, fields, score: part }) => (
                <tr key={`${term} ${matched}`}>
                  <td>
                    <Untrusted text={term} max={60} />
                  </td>
                  <td>
                    <Untrusted text={matched} max={60} />
                  </td>
                  <td className="quiet">{fields.join(', ')}</td>
                  <td className="number">{part.toFixed(2)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Fold>
      )}
    </li>
  )
}
