import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import './button.css'

interface Props extends Omit<ButtonProps, 'children' | 'className' | 'style'> {
  readonly kind?: 'plain' | 'primary' | 'danger' | 'ghost'
  readonly size?: 'small' | 'normal'
  readonly icon?: LucideIcon
  readonly children?: ReactNode
}

export function Button({ kind = 'plain', size = 'normal', icon: Icon, children, ...rest }: Props): ReactNode {
  const only = children === undefined ? ' button-icon' : ''
  return (
    <AriaButton {...rest} className={`button button-${kind} button-${size}${only}`}>
      {Icon !== undefined && <Icon size={size === 'small' ? 14 : 16} aria-hidden="true" />}
      {children}
    </AriaButton>
  )
}
