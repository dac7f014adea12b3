import type { ReactNode } from 'react'
import type { HintName, HintSettings } from '../api/client.ts'
import { HINT_ORDER, labelOf } from '../words/hint-words.ts'
import { Segments } from './segments.tsx'
import './hint-editor.css'

interface Props {
  readonly value: HintSettings
  readonly onChange: (value: HintSettings) => void
}

const OPTIONS = [
  { id: 'leave', label: 'not set' },
  { id: 'yes', label: 'yes' },
  { id: 'no', label: 'no' },
] as const

type Setting = (typeof OPTIONS)[number]['id']

/**
 * Sets each hint to yes, no, or not set. A hint that is not set is taken from the server, which is different from no.
 */
export function HintEditor({ value, onChange }: Props): ReactNode {
  const set = (hint: HintName, setting: Setting): void => {
    const { [hint]: _, ...rest } = value
    onChange(setting === 'leave' ? rest : { ...rest, [hint]: setting === 'yes' })
  }
  return (
    <div className="hint-editor">
      {HINT_ORDER.map(hint => (
        <div key={hint} className="hint-editor-row">
          <span>{labelOf(hint)}</span>
          <Segments
            label={labelOf(hint)}
            options={OPTIONS}
            value={settingOf(value[hint])}
            onChange={setting => set(hint, setting)}
          />
        </div>
      ))}
    </div>
  )
}

function settingOf(value: boolean | undefined): Setting {
  if (value === undefined) return 'leave'
  return value ? 'yes' : 'no'
}
