import { isJsonObject, type Json } from '../protocol/messages.ts'

/**
 * Shows every text of a tool's result that a model or a person gets to read, and puts in its place what comes back. Data
 * such as images stays out of it. The same object where nothing changes.
 */
export function mapTexts(result: Json, change: (text: string) => string): Json {
  const content = Array.isArray(result.content)
    ? mapList(result.content, part => mapPart(part, change))
    : undefined
  const structured = result.structuredContent
  const mapped = structured === undefined ? undefined : mapDeep(structured, change)
  if (content === result.content && mapped === structured) return result
  return {
    ...result,
    ...(content === undefined ? {} : { content }),
    ...(mapped === undefined ? {} : { structuredContent: mapped }),
  }
}

function mapPart(part: unknown, change: (text: string) => string): unknown {
  if (!isJsonObject(part)) return part
  const { text, resource } = part
  const ownText = typeof text === 'string' ? change(text) : text
  const ownResource =
    isJsonObject(resource) && typeof resource.text === 'string'
      ? withText(resource, change(resource.text))
      : resource
  if (ownText === text && ownResource === resource) return part
  return {
    ...part,
    ...(text === undefined ? {} : { text: ownText }),
    ...(resource === undefined ? {} : { resource: ownResource }),
  }
}

function withText(resource: Json, text: string): Json {
  return text === resource.text ? resource : { ...resource, text }
}

function mapDeep(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return mapList(value, part => mapDeep(part, change))
  if (!isJsonObject(value)) return value
  let isChanged = false
  const entries = Object.entries(value).map(([key, part]) => {
    const mapped = mapDeep(part, change)
    isChanged ||= mapped !== part
    return [key, mapped] as const
  })
  return isChanged ? Object.fromEntries(entries) : value
}

function mapList(list: readonly unknown[], map: (part: unknown) => unknown): readonly unknown[] {
  const mapped = list.map(map)
  return mapped.every((part, at) => part === list[at]) ? list : mapped
}
