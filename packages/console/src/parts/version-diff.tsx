import type { ReactNode } from 'react'
import type { VersionDiff as Diff } from '../api/client.ts'
import { labelOf } from '../words/hint-words.ts'
import { Badge } from './badge.tsx'
import { Untrusted } from './untrusted.tsx'
import './version-diff.css'

/**
 * Shows the differences between two versions: hints and whether they loosened, texts side by side, then other fields.
 */
export function VersionDiff({ diff }: { readonly diff: Diff }): ReactNode {
  const { hints, words, schema, isCut } = diff
  if (hints.length + words.length + schema.length === 0) return <p className="faint">Nothing changed.</p>
  return (
    <div className="stack">
      {hints.length > 0 && (
        <ul className="diff-hints">
          {hints.map(({ hint, from, to, direction }) => (
            <li key={hint}>
              <Badge tone={direction === 'loosened' ? 'bad' : 'good'}>
                {direction === 'loosened' ? '▼ loosened' : '▲ tightened'}
              </Badge>
              <span className="strong">{labelOf(hint)}</span>
              <span className="quiet">
                {formatHint(from)} → <b>{formatHint(to)}</b>
              </span>
            </li>
          ))}
        </ul>
      )}
      {words.map(({ path, parts }) => (
        <WordDiff key={path} path={path} parts={parts} />
      ))}
      {schema.length > 0 && (
        <ul className="diff-fields">
          {schema.map(({ path, change, from, to }) => (
            <li key={path}>
              <Badge tone={change === 'removed' ? 'bad' : change === 'added' ? 'good' : 'warn'}>
                {change}
              </Badge>
              <code className="grow">
                <Untrusted text={path} max={200} />
                {change !== 'added' && (
                  <del>
                    <Untrusted text={write(from)} max={300} />
                  </del>
                )}
                {change !== 'removed' && (
                  <ins>
                    <Untrusted text={write(to)} max={300} />
                  </ins>
                )}
              </code>
            </li>
          ))}
        </ul>
      )}
      {isCut && <p className="faint">Not all changes are shown.</p>}
    </div>
  )
}

type Parts = Diff['words'][number]['parts']

function WordDiff({ path, parts }: { readonly path: string; readonly parts: Parts }): ReactNode {
  return (
    <div className="diff-words">
      <p className="diff-path">
        <Untrusted text={path} max={200} />
      </p>
      <div className="diff-sides">
        <div>
          <span className="diff-side">before</span>
          <Side parts={parts} leaves="added" />
        </div>
        <div>
          <span className="diff-side">after</span>
          <Side parts={parts} leaves="removed" />
        </div>
      </div>
    </div>
  )
}

const MARKS = { same: 'span', added: 'ins', removed: 'del' } as const

function Side({ parts, leaves }: { readonly parts: Parts; readonly leaves: 'added' | 'removed' }): ReactNode {
  return (
    <p>
      {parts.map(({ op, text }, index) => {
        if (op === leaves) return null
        const Mark = MARKS[op]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no key but their position
          <Mark key={index}>
            <Untrusted text={text} lines max={20_000} />
          </Mark>
        )
      })}
    </p>
  )
}

function formatHint(value: boolean | undefined): string {
  if (value === undefined) return 'not declared'
  return value ? 'yes' : 'no'
}

function write(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'empty')
}
