import type { ReactNode } from 'react'
import type { Finding } from '../api/client.ts'
import { readTexts } from '../words/read-texts.ts'
import { MarkedText } from './marked-text.tsx'
import { Untrusted } from './untrusted.tsx'
import './findings.css'

interface Props {
  readonly definition: object
  readonly findings: readonly Finding[]
}

/** Shows every text in a definition that a model would read, with findings highlighted. */
export function DefinitionTexts({ definition, findings }: Props): ReactNode {
  const texts = readTexts(
    definition,
    findings.map(({ field }) => field),
  )
  if (texts.length === 0) return <p className="faint">The definition contains no text.</p>
  return (
    <dl className="texts">
      {texts.map(({ pointer, text }) => (
        <div key={pointer}>
          <dt>
            <Untrusted text={pointer} max={200} />
          </dt>
          <dd>
            <MarkedText text={text} findings={findings.filter(({ field }) => field === pointer)} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
