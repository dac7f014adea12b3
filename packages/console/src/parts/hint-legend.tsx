import type { ReactNode } from 'react'
import type { HintValue } from '../api/client.ts'
import { SOURCES } from '../words/hint-words.ts'
import { SourceMark } from './source-mark.tsx'
import './hint-value.css'

const ORDER: readonly HintValue['source'][] = ['declared', 'inferred', 'override', 'default']

export function HintLegend(): ReactNode {
  return (
    <p className="legend">
      {ORDER.map(source => (
        <span key={source} title={SOURCES[source].about}>
          <SourceMark source={source} /> {SOURCES[source].label}
        </span>
      ))}
    </p>
  )
}
