import type { ReactNode } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import './fields.css'

interface Props<Id extends string> {
  readonly label: string
  readonly options: readonly { readonly id: Id; readonly label: ReactNode }[]
  readonly value: Id
  readonly onChange: (id: Id) => void
}

/** A segmented control. */
export function Segments<Id extends string>({ label, options, value, onChange }: Props<Id>): ReactNode {
  return (
    <ToggleButtonGroup
      className="segments"
      aria-label={label}
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={keys => {
        const chosen = options.find(({ id }) => keys.has(id))
        if (chosen !== undefined) onChange(chosen.id)
      }}
    >
      {options.map(option => (
        <ToggleButton key={option.id} id={option.id} className="segment">
          {option.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
