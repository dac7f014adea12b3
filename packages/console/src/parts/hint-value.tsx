import type { ReactNode } from 'react'
import type { HintName, HintValue as Value } from '../api/client.ts'
import { labelOf, SOURCES, toneOf } from '../words/hint-words.ts'
import { SourceMark } from './source-mark.tsx'
import './hint-value.css'

interface Props {
  readonly hint: HintName
  readonly value: Value
  /** Show the name of the hint, where no column header does. */
  readonly named?: boolean
}

/** One hint: the colour shows its value, the symbol its source. */
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
