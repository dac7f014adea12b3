import type { ReactNode } from 'react'
import { Untrusted } from './untrusted.tsx'
import './arguments.css'

/** What a call is about, one line for each argument; everything in it is text of an agent. */
export function Arguments({ value }: { readonly value: unknown }): ReactNode {
  const entries = isObject(value) ? Object.entries(value) : undefined
  if (entries === undefined)
    return (
      <pre className="code-box">
        <Untrusted text={write(value)} lines />
      </pre>
    )
  if (entries.length === 0) return <p className="faint">none</p>
  return (
    <dl className="arguments">
      {entries.map(([name, each]) => (
        <div key={name} className="argument">
          <dt>
            <Untrusted text={name} max={200} />
          </dt>
          <dd>
            <Untrusted text={write(each)} lines max={2000} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function write(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? 'nothing')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
