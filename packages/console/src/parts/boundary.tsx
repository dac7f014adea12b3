import { Component, type ReactNode } from 'react'

interface Props {
  /** Shown instead of children that failed to render. */
  readonly fallback: ReactNode
  readonly children: ReactNode
}

/** Limits a rendering error to one page or chart. */
export class Boundary extends Component<Props, { readonly hasFailed: boolean }> {
  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override state = { hasFailed: false }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
