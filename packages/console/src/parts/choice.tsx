import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from 'react-aria-components/Button'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select, SelectValue } from 'react-aria-components/Select'
import { Untrusted } from './untrusted.tsx'
import './fields.css'

interface Option {
  readonly id: string
  readonly label: string
}

interface Props {
  readonly label: string
  readonly options: readonly Option[]
  readonly value: string
  readonly onChange: (id: string) => void
  /** Shows the label only to screen readers. */
  readonly hideLabel?: boolean
}

/** A select box. Its labels can be untrusted names. */
export function Choice({ label, options, value, onChange, hideLabel = false }: Props): ReactNode {
  const id = useId()
  return (
    <Select
      aria-label={label}
      value={value}
      onChange={key => {
        if (key !== null) onChange(String(key))
      }}
    >
      {/* Makes screen readers read the label first, as it is shown. By default, the library would make them read the value first. */}
      <Button className="choice" aria-labelledby={id}>
        <span id={id} className="choice-text">
          <span className={hideLabel ? 'visually-hidden' : 'choice-name'}>{label}</span>
          <SelectValue className="cut" />
        </span>
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
      <Popover className="popover">
        <ListBox items={options}>
          {({ id, label: text }) => (
            <ListBoxItem id={id} className="option" textValue={text}>
              <Untrusted text={text} />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  )
}
