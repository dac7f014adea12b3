import type { ReactNode } from 'react'
import icon from '../design/icon.svg'

export function Brand(): ReactNode {
  return (
    <span className="brand">
      <img src={icon} width={24} height={24} alt="" />
      Hintgate
    </span>
  )
}
