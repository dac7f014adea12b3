import type { ReactNode } from 'react'
import type { Finding } from '../api/client.ts'
import { markFindings } from '../words/mark-findings.ts'
import { Untrusted } from './untrusted.tsx'
import './findings.css'

interface Props {
  readonly text: string
  readonly findings: readonly Finding[]
}

/** Shows untrusted text with the scanner's findings highlighted. */
export function MarkedText({ text, findings }: Props): ReactNode {
  return markFindings(text, findings).map(({ text: part, finding }, index) =>
    finding === undefined ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: spans of a text have no key but their position
      <Untrusted key={index} text={part} lines max={20_000} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: spans of a text have no key but their position
      <mark key={index} className={`finding finding-${finding.severity}`} title={finding.reason}>
        <Untrusted text={part} lines max={20_000} />
      </mark>
    ),
  )
}
