import { type ReactNode, useState } from 'react'
import { splitHidden } from '../words/split-hidden.ts'
import './untrusted.css'

interface Props {
  readonly text: string
  /** Keeps line breaks. Otherwise, they are shown as marks. */
  readonly lines?: boolean
  /** Maximum number of characters. A longer text is cut, and a button shows all of it. */
  readonly max?: number
}

/**
 * Shows text from servers and agents as plain text, with an isolated writing direction, and with every invisible
 * character as a labelled mark. No other component may show such text.
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
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no key but their position
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
