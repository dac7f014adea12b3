import type { ReactNode } from 'react'
import { pathOf } from '../shell/paths.ts'
import { Untrusted } from './untrusted.tsx'

interface Props {
  readonly server: string
  readonly name: string
  readonly link?: boolean
}

/** Shows `server:tool`, with the server in a lighter colour. */
export function ToolName({ server, name, link = true }: Props): ReactNode {
  const text = (
    <>
      <span className="faint">
        <Untrusted text={server} max={60} />:
      </span>
      <Untrusted text={name} max={120} />
    </>
  )
  return link ? (
    <a className="mono tool-link" href={`#${pathOf.tool(server, name)}`}>
      {text}
    </a>
  ) : (
    <span className="mono">{text}</span>
  )
}
