import type { ReactNode } from 'react'
import { Untrusted } from './untrusted.tsx'

/** Shows untrusted JSON as text. */
export function JsonView({ value }: { readonly value: unknown }): ReactNode {
  return (
    <pre className="code-box">
      <Untrusted text={JSON.stringify(value, undefined, 2) ?? 'empty'} lines max={20_000} />
    </pre>
  )
}
