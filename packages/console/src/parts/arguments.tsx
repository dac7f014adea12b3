import type { ReactNode } from 'react'
import { Untrusted } from './untrusted.tsx'
import './arguments.css'

/** More would be more boxes than a page can have. */
const MOST_LINES = 500
/** What has more characters or lines may not fit its box, and is scrolled. */
const LONG = 600
const MANY_LINES = 14
const { POSITIVE_INFINITY: WHOLE } = Number

/**
 * What a call is about, one line for each argument; everything in it is text of an agent. All of it is there, without a
 * click: people decide by it.
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

/** Says that there is more than meets the eye. */
function Length({ text }: { readonly text: string }): ReactNode {
  if (!isLong(text)) return null
  return <p className="argument-length">{text.length.toLocaleString('en')} characters; scroll to see all</p>
}

function isLong(text: string): boolean {
  return text.length > LONG || text.split('\n').length > MANY_LINES
}

/** Whoever has no mouse sees the end of it, too. */
function scrolledByKeys(text: string): { readonly tabIndex?: 0 } {
  return isLong(text) ? { tabIndex: 0 } : {}
}

function write(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? 'empty')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
