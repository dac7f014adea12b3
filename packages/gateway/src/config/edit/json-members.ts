import type { Node } from 'jsonc-parser'

/** The layout of a JSON document. Added members get the same layout. */
interface Layout {
  readonly eol: string
  /** One step of indentation. */
  readonly unit: string
}

export function layoutOf(text: string): Layout {
  return {
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    unit: /^([ \t]+)["{[]/m.exec(text)?.[1] ?? '  ',
  }
}

/** Returns the indentation of the line that contains an offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

interface Tail {
  /** The offset of the comma after the member. The last member can be without one. */
  readonly comma: number | undefined
  /** The end of the comments on the member's line, after which a new member is inserted. */
  readonly end: number
}

const BETWEEN = /(?<space>[ \t]+)|(?<newline>\r?\n|\r)|(?<comment>\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)|(?<comma>,)/y

/** Reads from the end of a member to the next one, or to the end of its parent. */
function tailOf(text: string, after: number): Tail {
  let comma: number | undefined
  let end = after
  let isSameLine = true
  BETWEEN.lastIndex = after
  for (let part = BETWEEN.exec(text)?.groups; part !== undefined; part = BETWEEN.exec(text)?.groups) {
    const to = BETWEEN.lastIndex
    if (part.comma !== undefined) {
      comma = to - 1
      end = to
      isSameLine = true
    }
    if (part.newline !== undefined) isSameLine = false
    if (part.comment !== undefined && isSameLine) end = to
  }
  return { comma, end }
}

function endOf({ offset, length }: Node): number {
  return offset + length
}

/**
 * A member to add. jsonc-parser's `modify` is not used, because it would insert the new member before a comment on the
 * same line.
 */

interface Member {
  /** The member's key; undefined in a list. */
  readonly key?: string
  readonly value: unknown
}

/** Adds a member as the last one. */
export function addMember(text: string, holder: Node, member: Member, layout: Layout): string {
  const last = holder.children?.at(-1)
  const body = text.slice(holder.offset, endOf(holder))
  if (isInLine(text, body, last !== undefined)) return addInLine(text, holder, render(member))
  const around = indentAt(text, holder.offset)
  const indent =
    last !== undefined && body.includes('\n') ? indentAt(text, last.offset) : around + layout.unit
  const { eol } = layout
  const added = `${eol}${indent}${render(member, layout).replaceAll('\n', `${eol}${indent}`)}`
  if (last === undefined) {
    const inside = text.slice(holder.offset + 1, endOf(holder) - 1).trimEnd()
    return splice(text, holder.offset + 1, endOf(holder) - 1, `${inside}${added}${eol}${around}`)
  }
  const { comma, end } = tailOf(text, endOf(last))
  if (comma !== undefined) return splice(text, end, end, `${added},`)
  return splice(splice(text, end, end, added), endOf(last), endOf(last), ',')
}

/**
 * True if the parent stays on one line. An empty parent is expanded to several lines, unless the whole document is one
 * line.
 */
function isInLine(text: string, body: string, hasMembers: boolean): boolean {
  if (body.includes('\n')) return false
  const whole = text.trim()
  return hasMembers || (whole !== body && !whole.includes('\n'))
}

function addInLine(text: string, holder: Node, added: string): string {
  const last = holder.children?.at(-1)
  if (last === undefined) return splice(text, holder.offset + 1, holder.offset + 1, added)
  const { comma } = tailOf(text, endOf(last))
  if (comma === undefined) return splice(text, endOf(last), endOf(last), `, ${added}`)
  return splice(text, comma + 1, comma + 1, ` ${added},`)
}

/** Removes a member with its line and its comma. Comments of other members stay. */
export function removeMember(text: string, holder: Node, index: number): string {
  const members = holder.children ?? []
  const member = members[index]
  if (member === undefined) return text
  const { comma } = tailOf(text, endOf(member))
  const before = members[index - 1]
  const cuts: Cut[] = [lineOf(text, member, comma)]
  // When the last member is removed, the comma before it is removed too.
  if (comma === undefined && before !== undefined) {
    const own = tailOf(text, endOf(before)).comma
    if (own !== undefined) cuts.push([own, own + 1])
  }
  if (comma !== undefined && !cuts.some(([from, to]) => from <= comma && comma < to))
    cuts.push([comma, comma + 1])
  const done = cuts
    .toSorted((a, b) => b[0] - a[0])
    .reduce((rest, [from, to]) => splice(rest, from, to, ''), text)
  if (members.length > 1) return done
  const end = endOf(holder) - (text.length - done.length)
  return done.slice(holder.offset + 1, end - 1).trim() === ''
    ? splice(done, holder.offset + 1, end - 1, '')
    : done
}

type Cut = readonly [from: number, to: number]

/**
 * Finds the text to remove together with a member. If more text follows on the same line, the line break before the
 * member stays, because it might end a comment.
 */
function lineOf(text: string, member: Node, comma: number | undefined): Cut {
  const isNext = comma !== undefined && text.slice(endOf(member), comma).trim() === ''
  const to = isNext ? comma + 1 : endOf(member)
  const blank = /[ \t]*$/.exec(text.slice(0, member.offset))?.[0].length ?? 0
  const from = member.offset - blank
  const isAlone = /^[ \t]*(?:\r?\n|$)/.test(text.slice(to))
  const lineBreak = /\r?\n$/.exec(text.slice(0, from))?.[0].length ?? 0
  return isAlone && lineBreak > 0 ? [from - lineBreak, to] : [from, to]
}

function render({ key, value }: Member, layout?: Layout): string {
  const shown = JSON.stringify(value, undefined, layout?.unit)
  return key === undefined ? shown : `${JSON.stringify(key)}:${layout === undefined ? '' : ' '}${shown}`
}

function splice(text: string, from: number, to: number, added: string): string {
  return text.slice(0, from) + added + text.slice(to)
}
