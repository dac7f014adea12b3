import { isInputRequired } from '../../protocol/eras.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { parseJson, writeJson } from '../../protocol/parse-json.ts'
import { isTask } from '../../protocol/tasks.ts'

/** Selects what agents see of a value. */
export type Select = (value: unknown) => unknown

export type Filtered =
  | { readonly kind: 'filtered'; readonly result: Json }
  /** The filter does not fit the result, so nothing of the result can be shown. */
  | { readonly kind: 'unfit'; readonly why: string }

/** Maximum nesting of a text that is read as JSON. */
const MAX_DEPTH = 100
/** The prefix of members of `_meta` that only the gateway writes. */
const OWN = 'io.hintgate/'

/**
 * Filters a result that was checked. Everything but the selected value, the gateway's own remarks and its warning is
 * left out: agents read `structuredContent` and `content` alike. Questions pass, and so do the texts of a failure. A task
 * passes without the server's note, because its result is filtered when it comes.
 */
export function filterResult(
  result: Json,
  select: Select,
  { hasWarning }: { readonly hasWarning: boolean },
): Filtered {
  if (isInputRequired(result)) return { kind: 'filtered', result }
  if (isTask(result)) return { kind: 'filtered', result: withoutNote(result) }
  const blocks = Array.isArray(result.content) ? result.content.filter(isJsonObject) : []
  const own = hasWarning ? blocks.slice(0, 1) : []
  const others = blocks.slice(own.length)
  const kept = keepRest(result)
  if (result.isError !== undefined && result.isError !== false)
    return { kind: 'filtered', result: { content: [...own, ...others.filter(isTextBlock)], ...kept } }
  const { structuredContent } = result
  if (structuredContent !== undefined) {
    const value = select(structuredContent) ?? null
    const content = [...own, { type: 'text', text: writeJson(value) }]
    const structured = isJsonObject(value) ? value : { result: value }
    return { kind: 'filtered', result: { content, structuredContent: structured, ...kept } }
  }
  const read = others.filter(isTextBlock).map(({ text }) => parseJson(String(text), MAX_DEPTH))
  const values = read.flatMap(parsed => (parsed.ok ? [parsed.value] : []))
  if (values.length < read.length || values.length === 0)
    return { kind: 'unfit', why: 'it is not JSON, which the filter of this toolset needs' }
  const content = values.map(value => ({ type: 'text', text: writeJson(select(value) ?? null) }))
  return { kind: 'filtered', result: { content: [...own, ...content], ...kept } }
}

function withoutNote({ statusMessage: _, ...task }: Json): Json {
  return task
}

function isTextBlock(block: Json): boolean {
  return block.type === 'text' && typeof block.text === 'string'
}

/** Returns the members of a result that say how the call ended, and the gateway's own remarks. */
function keepRest({ isError, resultType, _meta }: Json): Json {
  const remarks = Object.entries(isJsonObject(_meta) ? _meta : {}).filter(([key]) => key.startsWith(OWN))
  return {
    ...(isError === undefined ? {} : { isError }),
    ...(resultType === undefined ? {} : { resultType }),
    ...(remarks.length === 0 ? {} : { _meta: Object.fromEntries(remarks) }),
  }
}

/** The members to keep, by name. `all` keeps a whole value. */
type Kept = 'all' | ReadonlyMap<string, Kept>

/**
 * Returns the function that keeps the fields at some JSON Pointers. A pointer passes through lists: `/items/name` keeps
 * the name of every item.
 *
 * @example
 * keepFields(['/name'])({ name: 'Ada', salary: 7 }) // => { name: 'Ada' }
 */
export function keepFields(pointers: readonly string[]): Select {
  const tree = plant(pointers.map(pointer => pointer.slice(1).split('/').map(readStep)))
  return value => prune(value, tree)
}

function readStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

function plant(paths: readonly (readonly string[])[]): Kept {
  if (paths.some(path => path.length === 0)) return 'all'
  const names = new Set(paths.map(([first = '']) => first))
  return new Map(
    [...names].map(name => [
      name,
      plant(paths.filter(([first]) => first === name).map(([, ...rest]) => rest)),
    ]),
  )
}

function prune(value: unknown, kept: Kept): unknown {
  if (kept === 'all') return value
  if (Array.isArray(value)) return value.map(item => prune(item, kept)).filter(item => item !== undefined)
  if (!isJsonObject(value)) return undefined
  const members = [...kept].flatMap(([name, below]): [string, unknown][] => {
    const part = Object.hasOwn(value, name) ? prune(value[name], below) : undefined
    return part === undefined ? [] : [[name, part]]
  })
  return Object.fromEntries(members)
}
