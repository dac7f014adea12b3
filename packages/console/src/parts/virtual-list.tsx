import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface Props {
  readonly count: number
  /** The assumed height of a row until it is measured. */
  readonly estimate: number
  readonly keyOf: (index: number) => string
  readonly row: (index: number) => ReactNode
  readonly rowClass?: (index: number) => string
  /** Called near the end of the list, to load more rows. */
  readonly onEnd?: () => void
  /** Renders a table body instead of a list. */
  readonly isTable?: boolean
}

/** A list that scrolls with the page and renders only its visible rows. */
export function VirtualList({
  count,
  estimate,
  keyOf,
  row,
  rowClass,
  onEnd,
  isTable = false,
}: Props): ReactNode {
  const list = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    setTop((list.current?.getBoundingClientRect().top ?? 0) + scrollY)
  }, [])
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => estimate,
    overscan: 6,
    scrollMargin: top,
    getItemKey: keyOf,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  const isNearEnd = count > 0 && last >= count - 20
  useEffect(() => {
    if (isNearEnd) onEnd?.()
  }, [isNearEnd, onEnd])
  const rows = items.map(({ key, index, start }) => {
    const rowProps = {
      ref: virtual.measureElement,
      'data-index': index,
      className: rowClass?.(index) ?? '',
      style: { ...ROW, transform: `translateY(${start - top}px)` },
    }
    return isTable ? (
      <tr key={key} {...rowProps} aria-rowindex={index + 2}>
        {row(index)}
      </tr>
    ) : (
      <li key={key} {...rowProps}>
        {row(index)}
      </li>
    )
  })
  const style: CSSProperties = { display: 'block', height: virtual.getTotalSize(), position: 'relative' }
  const setList = (element: HTMLElement | null): void => {
    list.current = element
  }
  return isTable ? (
    <tbody ref={setList} style={style}>
      {rows}
    </tbody>
  ) : (
    <ul ref={setList} style={style}>
      {rows}
    </ul>
  )
}

const ROW: CSSProperties = { position: 'absolute', insetInline: 0, top: 0 }
