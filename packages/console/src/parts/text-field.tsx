import type { ReactNode } from 'react'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextArea } from 'react-aria-components/TextArea'
import { TextField as AriaTextField } from 'react-aria-components/TextField'
import './fields.css'

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly help?: ReactNode
  readonly problem?: string | undefined
  readonly placeholder?: string
  /** The height of the field in lines. If undefined, the field has a single line. */
  readonly rows?: number
  readonly code?: boolean
  readonly autoFocus?: boolean
  readonly isReadOnly?: boolean
  readonly hideLabel?: boolean
}

export function TextField(props: Props): ReactNode {
  const {
    label,
    value,
    onChange,
    help,
    problem,
    placeholder = '',
    rows,
    code = false,
    hideLabel = false,
  } = props
  const className = code ? 'input input-code' : 'input'
  return (
    <AriaTextField
      className="field"
      value={value}
      onChange={onChange}
      isInvalid={problem !== undefined}
      isReadOnly={props.isReadOnly ?? false}
      autoFocus={props.autoFocus ?? false}
      {...(hideLabel ? { 'aria-label': label } : {})}
    >
      {!hideLabel && <Label className="field-label">{label}</Label>}
      {rows === undefined ? (
        <Input className={className} placeholder={placeholder} spellCheck={false} autoComplete="off" />
      ) : (
        <TextArea className={className} placeholder={placeholder} rows={rows} spellCheck={false} />
      )}
      {help !== undefined && (
        <Text slot="description" className="field-help">
          {help}
        </Text>
      )}
      {problem !== undefined && (
        <Text slot="errorMessage" className="field-problem">
          {problem}
        </Text>
      )}
    </AriaTextField>
  )
}
