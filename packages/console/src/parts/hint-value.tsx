import type { ReactNode } from 'react'
import type { HintName, HintValue as Value } from '../api/client.ts'
import { labelOf, SOURCES, toneOf } from '../words/hint-words.ts'
import { SourceMark } from './source-mark.tsx'
import './hint-value.css'

interface Props {
  readonly hint: HintName
  readonly value: Value
  /** Shows the hint's name, for places without a column header. */
  readonly named?: boolean
}

/** Shows one hint. The colour shows the value, and the symbol shows the source. */
export function HintValue({ hint, value: { value, source, confidence }, named = false }: Props): ReactNode {
  const { label, about } = SOURCES[source]
  const sure = confidence === undefined ? '' : `, ${Math.round(confidence * 100)} % confidence`
  return (
    <span
      className={`hint hint-${toneOf(hint, value)} hint-from-${source}`}
      title={`${labelOf(hint)}: ${value ? 'yes' : 'no'} – ${label} (${about}${sure})`}
    >
      <SourceMark source={source} />
      {named ? `${value ? '' : 'not '}${labelOf(hint)}` : value ? 'yes' : 'no'}
      <span className="visually-hidden">, {label}</span>
    </span>
  )
}
