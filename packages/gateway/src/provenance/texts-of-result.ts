import { isJsonObject, type Json } from '../protocol/messages.ts'

const MOST_TEXT = 262_144
const DEEPEST = 100

/** The texts of a result that an agent reads: content, resources, structured content and messages. */
export function textsOfResult(result: Json): string[] {
  const texts: string[] = []
  let size = 0
  const take = (text: string): void => {
    if (size < MOST_TEXT) texts.push(text)
    size += text.length
  }
  for (const part of [result.content, result.contents, result.messages]) takeTexts(part, take, 0)
  // The text is usually the structured content as JSON, so what is in both is read once.
  if (texts.length === 0 || !Array.isArray(result.content)) takeTexts(result.structuredContent, take, 0)
  else if (result.structuredContent !== undefined) takeOthers(result.structuredContent, texts, take)
  return texts
}

/** Pictures and sounds are long and contain no sentences. */
const BYTES = new Set(['data', 'blob', 'type', 'mimeType', 'role'])

function takeTexts(value: unknown, take: (text: string) => void, depth: number): void {
  if (typeof value === 'string') take(value)
  else if (Array.isArray(value) && depth < DEEPEST) for (const each of value) takeTexts(each, take, depth + 1)
  else if (isJsonObject(value) && depth < DEEPEST)
    for (const [key, each] of Object.entries(value)) if (!BYTES.has(key)) takeTexts(each, take, depth + 1)
}

function takeOthers(value: unknown, known: readonly string[], take: (text: string) => void): void {
  const all = known.join('\n')
  takeTexts(
    value,
    text => {
      if (!all.includes(text)) take(text)
    },
    0,
  )
}
