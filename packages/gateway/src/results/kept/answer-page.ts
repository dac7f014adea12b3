import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { Page } from './page-result.ts'

/**
 * A page as the result of `read_result`. A block of content stands in `content` alone, for an image twice would be two;
 * anything else stands in both, or nobody could tell it from a text block that happens to be JSON.
 */
export function answerPage(page: Page): Json {
  const { block, ...rest } = page
  const note = { type: 'text', text: writeNote(page) }
  if (isContentBlock(block)) return { content: [block, note], structuredContent: rest }
  return { content: [{ type: 'text', text: textOf(page) }, note], structuredContent: { ...page } }
}

/** What servers send in `content` may also be something else. */
function isContentBlock(block: unknown): block is Json {
  return isJsonObject(block) && typeof block.type === 'string'
}

function textOf({ text, items, members, block }: Page): string {
  return text ?? writeJson(items ?? members ?? block)
}

function writeNote({ handle, part, unit, total, offset, cut, next, ...page }: Page): string {
  const count = page.text?.length ?? Object.keys(page.items ?? page.members ?? {}).length
  const range = `${NAMES[unit]} ${group(offset + 1)}–${group(offset + count)} of ${group(total)}`
  const sentences = [
    unit === 'block' ? `Part ${JSON.stringify(part)}.` : `Part ${JSON.stringify(part)}: ${range}.`,
    ...(cut === undefined ? [] : ['Where it has null, see `cut`: a part of its own has the value.']),
    next === undefined
      ? 'This is the end.'
      : `Read on with read_result ${JSON.stringify({ handle, cursor: next })}`,
  ]
  return `[${sentences.join(' ')}]`
}

const NAMES = { chars: 'characters', items: 'items', members: 'members', block: 'block' } as const

function group(count: number): string {
  return count.toLocaleString('en-US')
}
