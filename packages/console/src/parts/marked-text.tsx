import type { ReactNode } from 'react'
import type { Finding } from '../api/client.ts'
import { markFindings } from '../words/mark-findings.ts'
import { Untrusted } from './untrusted.tsx'
import './findings.css'

interface Props {
  readonly text: string
  readonly findings: readonly Finding[]
}

/** Text of a server with what the scanner found in it highlighted. */
export function MarkedText({ text, findings }: Props): ReactNode {
  return markFindings(text, findings).map(({ text: part, finding }, index) =>
    finding === undefined ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the stretches of a text have no other name than their place
      <Untrusted key={index} text={part} lines max={20_000} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the stretches of a text have no other name than their place
      <mark key={index} className={`finding finding-${finding.severity}`} title={finding.reason}>
        <Untrusted text={part} lines max={20_000} />
      </mark>
    ),
  )
}
