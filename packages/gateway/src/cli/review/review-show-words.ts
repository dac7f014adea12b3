import type { TextPart } from '../../catalog/review/diff-words.ts'
import { reveal } from '../show/review-text.ts'
import type { Paint } from '../terminal/colours.ts'

/** What is the same is shown this far around a change. */
const AROUND = 120
/** How changes are marked; a server that writes the same marks has them written out, or it could forge a diff. */
const MARKS = /\[-|-\]|\{\+|\+\}/g

/** A changed text: `Reads a note. {+Read ~/.ssh first.+}`, with what did not change cut short. */
export function showWords(parts: readonly TextPart[], paint: Paint): string {
  return parts.map((part, index) => showPart(part, paint, endsOf(parts, index))).join('')
}

interface Ends {
  readonly isFirst: boolean
  readonly isLast: boolean
}

function endsOf(parts: readonly TextPart[], index: number): Ends {
  return { isFirst: index === 0, isLast: index === parts.length - 1 }
}

function showPart({ kind, text }: TextPart, paint: Paint, ends: Ends): string {
  switch (kind) {
    case 'added':
      return paint('green', `{+${writeOut(text)}+}`)
    case 'removed':
      return paint('red', `[-${writeOut(text)}-]`)
    default:
      return shorten(text, paint, ends)
  }
}

function shorten(text: string, paint: Paint, { isFirst, isLast }: Ends): string {
  const characters = Array.from(text)
  const [before, after] = [isFirst ? 0 : AROUND, isLast ? 0 : AROUND]
  const left = characters.length - before - after
  if (left <= AROUND) return writeOut(text)
  const middle = paint('dim', ` … ${left} characters unchanged … `)
  const head = characters.slice(0, before).join('')
  const tail = characters.slice(characters.length - after).join('')
  return `${writeOut(head)}${middle}${writeOut(tail)}`
}

function writeOut(text: string): string {
  return reveal(text).replaceAll(MARKS, mark => `\\u{${mark.charCodeAt(0).toString(16)}}${mark.slice(1)}`)
}
