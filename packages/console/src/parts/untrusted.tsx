import { type ReactNode, useState } from 'react'
import { splitHidden } from '../words/split-hidden.ts'
import './untrusted.css'

interface Props {
  readonly text: string
  /** Show line breaks as line breaks. */
  readonly lines?: boolean
  /** Longer texts are cut, with a button that shows all. */
  readonly max?: number
}

/**
 * The only way in which text from servers and agents reaches the screen: as plain text, with its writing direction
 * isolated and every invisible character shown as a labelled mark.
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
