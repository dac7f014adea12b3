import type { ReactNode } from 'react'
import type { Hints } from '../api/client.ts'
import { HINT_ORDER } from '../words/hint-words.ts'
import { HintValue } from './hint-value.tsx'

export function HintList({ hints }: { readonly hints: Partial<Hints> }): ReactNode {
  return (
    <div className="row-wrap">
      {HINT_ORDER.map(hint => {
        const value = hints[hint]
        return value === undefined ? null : <HintValue key={hint} hint={hint} value={value} named />
      })}
    </div>
  )
}
