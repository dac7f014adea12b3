import type { ReactNode } from 'react'
import type { ToolPage } from '../../api/client.ts'
import { HintValue } from '../../parts/hint-value.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { HINT_ORDER, labelOf } from '../../words/hint-words.ts'

type Evidence = ToolPage['evidence'][number]

export function EvidenceTable({ tool }: { readonly tool: ToolPage }): ReactNode {
  return (
    <div className="table-scroll">
      <table className="table">
        <thead>
          <tr>
            <th>Hint</th>
            <th>Effective</th>
            <th>Declared</th>
            <th>Inferred</th>
            <th>Evidence</th>
          </tr>
        </thead>
        <tbody>
          {HINT_ORDER.map(hint => {
            const evidence = tool.evidence.find(each => each.hint === hint)
            const value = tool.hints[hint]
            return (
              <tr key={hint}>
                <td className="strong">{labelOf(hint)}</td>
                <td>{value !== undefined && <HintValue hint={hint} value={value} />}</td>
                <td className="quiet">{formatHint(evidence?.declared)}</td>
                <td className="quiet">{describeInferred(evidence)}</td>
                <td className="quiet small evidence-because">
                  <Because evidence={evidence} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Because({ evidence }: { readonly evidence: Evidence | undefined }): ReactNode {
  const because = evidence?.inferred?.because ?? []
  return because.slice(0, 3).map(({ from, text }, index) => (
    <span key={`${from} ${text}`}>
      {index > 0 && ', '}
      <Untrusted text={from} max={60} /> “<Untrusted text={text} max={60} />”
    </span>
  ))
}

function formatHint(value: boolean | undefined): string {
  if (value === undefined) return '–'
  return value ? 'yes' : 'no'
}

function describeInferred(evidence: Evidence | undefined): string {
  if (evidence?.inferred === undefined) return '–'
  return `${formatHint(evidence.inferred.value)} (${Math.round(evidence.inferred.confidence * 100)} %)`
}
