import { Component, type ReactNode } from 'react'

interface Props {
  /** What is shown in the place of what failed. */
  readonly fallback: ReactNode
  readonly children: ReactNode
}

/** What fails on one page, or in one picture, leaves the rest standing. */
export class Boundary extends Component<Props, { readonly hasFailed: boolean }> {
  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override state = { hasFailed: false }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
