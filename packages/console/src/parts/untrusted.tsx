import { type ReactNode, useState } from 'react'
import { splitHidden } from '../words/split-hidden.ts'
import './untrusted.css'

interface Props {
  readonly text: string
  /** Keep line breaks as line breaks. */
  readonly lines?: boolean
  /** Longer texts are cut, and opened when somebody wants to. */
  readonly max?: number
}

/**
 * The one way in which words of servers and agents reach the screen: as text, isolated from the direction of what is
 * around it, with every character that would not show drawn as a labelled mark.
 */
export function Untrusted({ text, lines = false, max = 4000 }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const isCut = text.length > max && !isOpen
  const pieces = splitHidden(isCut ? text.slice(0, max) : text, lines)
  return (
    <bdi className={lines ? 'untrusted untrusted-lines' : 'untrusted'}>
      {pieces.map((piece, index) =>
        piece.kind === 'text' ? (
          piece.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name than their place
          <mark key={index} className="hidden-mark" title={piece.name}>
            {piece.label}
          </mark>
        ),
      )}
      {isCut && (
        <button type="button" className="untrusted-more" onClick={() => setOpen(true)}>
          … show all {text.length.toLocaleString('en')} characters
        </button>
      )}
    </bdi>
  )
}
