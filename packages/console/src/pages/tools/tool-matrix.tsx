import { ArrowDown, ArrowUp } from 'lucide-react'
import { type Dispatch, memo, type ReactNode, type SetStateAction, useCallback } from 'react'
import type { Tool } from '../../api/client.ts'
import { Check } from '../../parts/check.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { useMay } from '../../shell/me.tsx'
import { HINT_ORDER, labelOf } from '../../words/hint-words.ts'
import { ToolRow } from './tool-row.tsx'

interface Props {
  readonly tools: readonly Tool[]
  readonly total: number
  readonly sort: string
  readonly onSort: (sort: string) => void
  readonly chosen: ReadonlyMap<string, Tool>
  readonly onChoose: Dispatch<SetStateAction<ReadonlyMap<string, Tool>>>
  readonly onEnd: () => void
}

/** A row that is re-rendered only if it has changed, which keeps scrolling fast. */
const Row = memo(ToolRow)

export function ToolMatrix({ tools, total, sort, onSort, chosen, onChoose, onEnd }: Props): ReactNode {
  const mayChoose = useMay('operator')
  const choose = useCallback(
    (tool: Tool, isChosen: boolean): void =>
      onChoose(before => {
        const next = new Map(before)
        if (isChosen) next.set(tool.id, tool)
        else next.delete(tool.id)
        return next
      }),
    [onChoose],
  )
  const isAll = tools.length > 0 && tools.every(({ id }) => chosen.has(id))
  return (
    <table className="matrix" aria-label="Tools and their hints" aria-rowcount={total + 1}>
      <thead className="matrix-head">
        <tr className="matrix-row" aria-rowindex={1}>
          <td className="matrix-choose">
            {mayChoose && (
              <Check
                aria-label="Select all loaded tools"
                isSelected={isAll}
                isIndeterminate={chosen.size > 0 && !isAll}
                onChange={all => onChoose(all ? new Map(tools.map(tool => [tool.id, tool])) : new Map())}
              />
            )}
          </td>
          <SortHeader label="Tool" by="id" sort={sort} onSort={onSort} />
          <SortHeader label="Variant" by="risk" sort={sort} onSort={onSort} />
          {HINT_ORDER.map(hint => (
            <th key={hint}>{labelOf(hint)}</th>
          ))}
        </tr>
      </thead>
      <VirtualList
        isTable
        count={tools.length}
        estimate={49}
        keyOf={index => tools[index]?.id ?? String(index)}
        rowClass={index => (chosen.has(tools[index]?.id ?? '') ? 'matrix-row matrix-chosen' : 'matrix-row')}
        onEnd={onEnd}
        row={index => {
          const tool = tools[index]
          if (tool === undefined) return null
          return <Row tool={tool} isChosen={chosen.has(tool.id)} onChoose={mayChoose ? choose : undefined} />
        }}
      />
    </table>
  )
}

interface HeaderProps {
  readonly label: string
  readonly by: string
  readonly sort: string
  readonly onSort: (sort: string) => void
}

function SortHeader({ label, by, sort, onSort }: HeaderProps): ReactNode {
  const isUp = sort === by
  const isDown = sort === `-${by}`
  return (
    <th aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <button type="button" className="sort" onClick={() => onSort(isUp ? `-${by}` : by)}>
        {label}
        {isUp && <ArrowUp size={12} aria-hidden="true" />}
        {isDown && <ArrowDown size={12} aria-hidden="true" />}
      </button>
    </th>
  )
}
