import type { ReactNode } from 'react'
import type { Tool } from '../../api/client.ts'
import { Badge } from '../../parts/badge.tsx'
import { HintValue } from '../../parts/hint-value.tsx'
import { ToolName } from '../../parts/tool-name.tsx'
import { StateBadge, VariantBadge } from '../../parts/word-badges.tsx'
import { formatCount } from '../../words/format-count.ts'
import { HINT_ORDER, labelOf } from '../../words/hint-words.ts'

interface Props {
  readonly tool: Tool
  readonly isChosen: boolean
  readonly onChoose: ((tool: Tool, isChosen: boolean) => void) | undefined
}

export function ToolRow({ tool, isChosen, onChoose }: Props): ReactNode {
  const { server, name, state, variant, hints, findings, contradictions } = tool
  return (
    <>
      <td className="matrix-choose">
        {onChoose !== undefined && (
          // A native checkbox. It is cheaper than the library's, and scrolling creates and removes hundreds of them.
          <input
            type="checkbox"
            className="tick"
            aria-label={`Select ${name}`}
            checked={isChosen}
            onChange={event => onChoose(tool, event.currentTarget.checked)}
          />
        )}
      </td>
      <th scope="row" className="matrix-name">
        <ToolName server={server} name={name} />
        {state !== 'approved' && <StateBadge state={state} />}
        {contradictions > 0 && (
          <Badge tone="bad" title="The tool's name, description or schema contradicts its declared hints">
            contradiction
          </Badge>
        )}
        {findings > 0 && <Badge tone="warn">{formatCount(findings, 'finding')}</Badge>}
      </th>
      <td>
        <VariantBadge variant={variant} />
      </td>
      {HINT_ORDER.map(hint => {
        const value = hints[hint]
        return (
          <td key={hint} data-label={labelOf(hint)} className="matrix-hint">
            {value !== undefined && <HintValue hint={hint} value={value} />}
          </td>
        )
      })}
    </>
  )
}
