import { Component, type ReactNode } from 'react'

interface Props {
  /** Shown in place of children that failed to render. */
  readonly fallback: ReactNode
  readonly children: ReactNode
}

/** Keeps a rendering error from affecting more than one page or chart. */
export class Boundary extends Component<Props, { readonly hasFailed: boolean }> {
  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override state = { hasFailed: false }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
