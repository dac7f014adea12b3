import type { ReactNode } from 'react'
import { Untrusted } from './untrusted.tsx'
import './arguments.css'

/** Maximum number of arguments that are shown separately. If there are more, they are shown as one block of JSON. */
const MOST_LINES = 500
/** A text with more characters or lines than this does not fit into its box and must be scrolled. */
const LONG = 600
const MANY_LINES = 14
const { POSITIVE_INFINITY: WHOLE } = Number

/**
 * Shows each argument of a call as untrusted text. Arguments are never shortened, because people decide on the basis of
 * them.
 */
export function Arguments({ value }: { readonly value: unknown }): ReactNode {
  const entries = isObject(value) ? Object.entries(value) : undefined
  if (entries === undefined || entries.length > MOST_LINES) {
    const text = write(value)
    return (
      <>
        <Length text={text} />
        <pre className="code-box" {...scrolledByKeys(text)}>
          <Untrusted text={text} lines max={WHOLE} />
        </pre>
      </>
    )
  }
  if (entries.length === 0) return <p className="faint">none</p>
  return (
    <dl className="arguments">
      {entries.map(([name, each]) => (
        <Argument key={name} name={name} text={write(each)} />
      ))}
    </dl>
  )
}

function Argument({ name, text }: { readonly name: string; readonly text: string }): ReactNode {
  return (
    <div className="argument">
      <dt>
        <Untrusted text={name} max={WHOLE} />
        <Length text={text} />
      </dt>
      <dd {...scrolledByKeys(text)}>
        <Untrusted text={text} lines max={WHOLE} />
      </dd>
    </div>
  )
}

/** Tells the reader how long a text is if it continues below the visible part. */
function Length({ text }: { readonly text: string }): ReactNode {
  if (!isLong(text)) return null
  return <p className="argument-length">{text.length.toLocaleString('en')} characters; scroll to see all</p>
}

function isLong(text: string): boolean {
  return text.length > LONG || text.split('\n').length > MANY_LINES
}

/** Makes the box of a long text focusable, because only then can it be scrolled with the keyboard. */
function scrolledByKeys(text: string): { readonly tabIndex?: 0 } {
  return isLong(text) ? { tabIndex: 0 } : {}
}

function write(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? 'empty')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
