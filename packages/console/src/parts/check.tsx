import { Check as CheckIcon, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Checkbox, type CheckboxProps } from 'react-aria-components/Checkbox'
import './fields.css'

interface Props extends Omit<CheckboxProps, 'children' | 'className' | 'style'> {
  readonly children?: ReactNode
}

export function Check({ children, ...rest }: Props): ReactNode {
  return (
    <Checkbox {...rest} className="check">
      {({ isIndeterminate }) => (
        <>
          <span className="check-box" aria-hidden="true">
            {isIndeterminate ? <Minus size={12} strokeWidth={3} /> : <CheckIcon size={12} strokeWidth={3} />}
          </span>
          {children}
        </>
      )}
    </Checkbox>
  )
}
